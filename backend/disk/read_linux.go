//go:build !osroot

package disk

import (
	"context"
	"os"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Open opens a regular file for reading. The object is held and looked at
// before it is opened, so a FIFO or device is refused without being touched.
func (t *Tree) Open(ctx context.Context, name string) (backend.Reader, error) {
	r, err := t.open(ctx, name)
	if err != nil {
		return nil, failed("open", name, err)
	}
	return r, nil
}

func (t *Tree) open(ctx context.Context, name string) (backend.Reader, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at, err := t.inTop(name)
	if err != nil {
		return nil, err
	}
	h, err := look(t.top, at)
	if err != nil {
		return nil, err
	}
	defer h.close()
	return t.read(&h)
}

func (t *Tree) read(h *handle) (backend.Reader, error) {
	if err := h.regular(); err != nil {
		return nil, err
	}
	f, err := t.reopen(h, unix.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return reader{f}, nil
}

// reader is an open file of which no more than the contract is shown.
type reader struct{ f *os.File }

func (r reader) Read(p []byte) (int, error)              { return r.f.Read(p) }
func (r reader) ReadAt(p []byte, off int64) (int, error) { return r.f.ReadAt(p, off) }
func (r reader) Close() error                            { return r.f.Close() }

// Info describes the open file as it is now.
func (r reader) Info() (backend.Info, error) {
	var st unix.Stat_t
	if err := statFile(r.f, &st); err != nil {
		return backend.Info{}, err
	}
	return infoOf(&st), nil
}

// statFile is fstat on a file that may be closed by somebody else meanwhile.
func statFile(f *os.File, st *unix.Stat_t) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	if err := raw.Control(func(fd uintptr) { failure = unix.Fstat(int(fd), st) }); err != nil {
		return err
	}
	return failure
}

// Hold takes hold of an object no part of whose name is a link.
func (t *Tree) Hold(name string) (backend.Held, bool) {
	at, err := t.inTop(name)
	if err != nil {
		return nil, false
	}
	h, err := look(t.top, at)
	if err != nil {
		return nil, false
	}
	if h.st.Mode&unix.S_IFMT == unix.S_IFLNK {
		h.close()
		return nil, false
	}
	return &held{t: t, h: h, name: name}, true
}

type held struct {
	t    *Tree
	h    handle
	name string
}

func (d *held) Info() backend.Info { return d.h.info() }

func (d *held) Open() (backend.Reader, error) {
	r, err := d.t.read(&d.h)
	if err != nil {
		return nil, failed("open", d.name, err)
	}
	return r, nil
}

// Close lets go once; after that it does nothing.
func (d *held) Close() error {
	if d.h.fd < 0 {
		return nil
	}
	fd := d.h.fd
	d.h.fd = -1
	return unix.Close(fd)
}
