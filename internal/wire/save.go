package wire

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paddock/internal/trust"
)

// Bounds of what is kept of files that were written in place. The oldest go
// first: an agent that writes a large file again and again must not fill the
// disk.
const (
	maxSaved      = 1000
	maxSavedBytes = 256 << 20
)

// saver keeps the old content of a file before it is written in place, in the
// state folder, under the time and the virtual path.
func saver(state string) func(virtual string, old io.Reader) error {
	dir := filepath.Join(state, "saved")
	return func(virtual string, old io.Reader) error {
		if err := trust.MakePrivate(dir); err != nil {
			return err
		}
		if err := save(dir, virtual, old); err != nil {
			return fmt.Errorf("keeping the old content: %w", err)
		}
		return prune(dir)
	}
}

func save(dir, virtual string, old io.Reader) error {
	f, err := os.CreateTemp(dir, time.Now().UTC().Format("20060102T150405.000Z")+"-*-"+savedName(virtual)) // mode 0600
	if err != nil {
		return err
	}
	_, err = io.Copy(f, old)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// savedName is a virtual path as one file name: for people, not for machines.
func savedName(virtual string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, strings.Trim(virtual, "/"))
	return name[max(0, len(name)-100):]
}

// prune removes the oldest until the bounds hold. The newest always stays.
func prune(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("keeping the old content: %w", err)
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	// The name begins with the time.
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(b.Name(), a.Name()) })
	var total int64
	for i, info := range files {
		total += info.Size()
		if i > 0 && (i >= maxSaved || total > maxSavedBytes) {
			os.Remove(filepath.Join(dir, info.Name()))
		}
	}
	return nil
}
