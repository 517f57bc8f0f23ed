//go:build !osroot

package disk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// ReadDir lists a folder. Each entry is described below the open folder, so
// that it cannot come from another one; entries that go meanwhile are left out.
func (t *Tree) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	entries, err := t.readDir(ctx, name)
	if err != nil {
		return nil, failed("list", name, err)
	}
	return entries, nil
}

func (t *Tree) readDir(ctx context.Context, name string) ([]backend.Entry, error) {
	at, err := t.inTop(name)
	if err != nil {
		return nil, err
	}
	// With O_DIRECTORY nothing but a folder is ever opened.
	fd, err := openat2(t.top, at, unix.O_RDONLY|unix.O_DIRECTORY, below)
	if err != nil {
		return nil, meaning(err)
	}
	f := os.NewFile(uintptr(fd), fileName)
	defer f.Close()
	var entries []backend.Entry
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names, err := f.Readdirnames(1024)
		if entries, err = describe(fd, names, entries, err); err == io.EOF {
			break
		} else if err != nil {
			return nil, meaning(err)
		}
	}
	runtime.KeepAlive(f)
	slices.SortFunc(entries, func(a, b backend.Entry) int { return cmp.Compare(a.Name, b.Name) })
	// A folder that changes while it is read can give a name twice.
	return slices.CompactFunc(entries, func(a, b backend.Entry) bool { return a.Name == b.Name }), nil
}

// describe adds the named entries. The error of the read that gave the names
// comes back after them.
func describe(fd int, names []string, entries []backend.Entry, read error) ([]backend.Entry, error) {
	entries = slices.Grow(entries, len(names))
	for _, name := range names {
		info, err := entryInfo(fd, name)
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, backend.Entry{Name: name, Info: info})
	}
	return entries, read
}

func entryInfo(fd int, name string) (backend.Info, error) {
	var st unix.Stat_t
	for {
		if err := statAt(fd, name, &st); err != nil {
			return backend.Info{}, err
		}
		info := infoOf(&st)
		if info.Kind != backend.Link {
			return info, nil
		}
		target, err := linkText(fd, name)
		if err == unix.EINVAL { // no longer a link
			continue
		}
		info.Target = target
		return info, err
	}
}
