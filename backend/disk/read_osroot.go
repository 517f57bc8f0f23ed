//go:build !linux || osroot

package disk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"paddock/backend"
)

// Stat describes an object, a link itself.
func (t *Tree) Stat(ctx context.Context, name string) (backend.Info, error) {
	info, err := t.stat(ctx, name)
	if err != nil {
		return backend.Info{}, failed("stat", name, err)
	}
	return info, nil
}

func (t *Tree) stat(ctx context.Context, name string) (backend.Info, error) {
	if err := ctx.Err(); err != nil {
		return backend.Info{}, err
	}
	d, base, err := t.walk(name)
	if err != nil {
		return backend.Info{}, err
	}
	defer d.close()
	info, _, err := d.lstat(base)
	return info, err
}

// Open opens a regular file for reading.
func (t *Tree) Open(ctx context.Context, name string) (backend.Reader, error) {
	f, err := t.open(ctx, name)
	if err != nil {
		return nil, failed("open", name, err)
	}
	return reader{f}, nil
}

func (t *Tree) open(ctx context.Context, name string) (*os.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, base, err := t.walk(name)
	if err != nil {
		return nil, err
	}
	defer d.close()
	// A file that is replaced between the look and the open is no trouble.
	for range 100 {
		info, found, err := d.lstat(base)
		if err != nil {
			return nil, err
		}
		if err := regular(info); err != nil {
			return nil, err
		}
		f, err := d.openSame(base, found, os.O_RDONLY)
		if !errors.Is(err, backend.ErrSwapped) {
			return f, err
		}
	}
	return nil, backend.ErrSwapped
}

func regular(info backend.Info) error {
	switch info.Kind {
	case backend.File:
		return nil
	case backend.Dir:
		return backend.ErrIsDir
	case backend.Link:
		return backend.ErrSwapped
	}
	return backend.ErrSpecial
}

// openSame opens the object that was looked at. nonblock is for the FIFO that
// might have come in between.
func (d folder) openSame(part string, found os.FileInfo, flags int) (*os.File, error) {
	f, err := d.OpenFile(part, flags|nonblock, 0)
	if err != nil {
		return nil, meaning(err)
	}
	if now, err := f.Stat(); err != nil || !os.SameFile(found, now) {
		f.Close()
		return nil, backend.ErrSwapped
	}
	return f, nil
}

// reader is an open file of which no more than the contract is shown.
type reader struct{ f *os.File }

func (r reader) Read(p []byte) (int, error)              { return r.f.Read(p) }
func (r reader) ReadAt(p []byte, off int64) (int, error) { return r.f.ReadAt(p, off) }
func (r reader) Close() error                            { return r.f.Close() }

// Info describes the open file as it is now.
func (r reader) Info() (backend.Info, error) {
	found, err := r.f.Stat()
	if err != nil {
		return backend.Info{}, err
	}
	return infoOf(found), nil
}

// ReadDir lists a folder. Entries that go meanwhile are left out.
func (t *Tree) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	entries, err := t.readDir(ctx, name)
	if err != nil {
		return nil, failed("list", name, err)
	}
	return entries, nil
}

func (t *Tree) readDir(ctx context.Context, name string) ([]backend.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, base, err := t.walk(name)
	if err != nil {
		return nil, err
	}
	if t.base != "" {
		return nil, backend.ErrNotDir
	}
	defer func() { d.close() }()
	if base != "." {
		next, err := enter(d.Root, base)
		if err != nil {
			return nil, err
		}
		d.close()
		d = folder{Root: next, mine: true}
	}
	f, err := d.Open(".")
	if err != nil {
		return nil, meaning(err)
	}
	defer f.Close()
	var entries []backend.Entry
	for {
		names, end := f.Readdirnames(1024)
		for _, name := range names {
			info, _, err := d.lstat(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			entries = append(entries, backend.Entry{Name: name, Info: info})
		}
		if end == io.EOF {
			break
		}
		if end == nil {
			end = ctx.Err()
		}
		if end != nil {
			return nil, meaning(end)
		}
	}
	slices.SortFunc(entries, func(a, b backend.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}
