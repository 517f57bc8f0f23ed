//go:build !osroot

package disk

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/internal/testenv"
)

// The flags of chattr +i and +a, FS_IMMUTABLE_FL and FS_APPEND_FL.
const (
	immutable  = 0x10
	appendOnly = 0x20
)

// freeze sets a flag of chattr until the test ends.
func freeze(t *testing.T, path string, flag int) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	old, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, old|flag)
	}
	if err != nil {
		f.Close()
		t.Skipf("this file system has no such flag: %v", err)
	}
	t.Cleanup(func() {
		unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, old)
		f.Close()
	})
}

func TestImmutable(t *testing.T) {
	if !testenv.IsRoot() {
		t.Skip("only root can make a file immutable")
	}
	dir := t.TempDir()
	tree := open(t, dir)
	write(t, filepath.Join(dir, "f"), "kept")
	write(t, filepath.Join(dir, "log"), "kept")
	write(t, filepath.Join(dir, "d/f"), "old")
	freeze(t, filepath.Join(dir, "f"), immutable)
	freeze(t, filepath.Join(dir, "log"), appendOnly)
	freeze(t, filepath.Join(dir, "d"), immutable)
	for _, name := range []string{"f", "log"} {
		info, err := tree.Stat(bg, name)
		must(t, err)
		_, err = tree.Write(bg, name, strings.NewReader("new"), backend.WriteOptions{Replace: true, Judged: &info})
		denied(t, "write "+name, err)
		_, err = tree.Write(bg, name, strings.NewReader("new"), backend.WriteOptions{Replace: true})
		denied(t, "write "+name, err)
		denied(t, "remove "+name, tree.Remove(bg, name, info))
		denied(t, "rename "+name, tree.Rename(bg, name, "g", info, false))
		wantFile(t, filepath.Join(dir, name), "kept")
	}
	// A folder that takes no new names has files that take new content.
	saved := false
	res, err := tree.Write(bg, "d/f", strings.NewReader("new"), backend.WriteOptions{Replace: true,
		Save: func(io.Reader) error { saved = true; return nil }})
	if err != nil || !res.InPlace || !saved {
		t.Errorf("in an immutable folder: %+v, %v, saved %v", res, err, saved)
	}
	wantFile(t, filepath.Join(dir, "d/f"), "new")
	denied(t, "mkdir in an immutable folder", tree.Mkdir(bg, "d/sub", 0))
	noTemporaries(t, dir)
}
