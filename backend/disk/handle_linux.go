//go:build !osroot

package disk

import (
	"os"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// handle holds an object without opening it: no driver is woken, no FIFO
// waits, and it stays the same object whatever becomes of its name.
type handle struct {
	fd int
	st unix.Stat_t
}

// look takes hold of the object of a name, a link itself.
func look(dir int, name string) (handle, error) {
	fd, err := openat2(dir, name, unix.O_PATH|unix.O_NOFOLLOW, below)
	if err != nil {
		return handle{}, meaning(err)
	}
	h := handle{fd: fd}
	if err := unix.Fstat(fd, &h.st); err != nil {
		unix.Close(fd)
		return handle{}, meaning(err)
	}
	return h, nil
}

// fileName is what an os.File of ours is called in its errors. It is not the
// object's name: of a file mount that is a name the agent never sees.
const fileName = "file"

func (h *handle) close() { unix.Close(h.fd) }

func (h *handle) info() backend.Info { return infoOf(&h.st) }

// regular says why the object cannot be opened as a file, if so.
func (h *handle) regular() error {
	switch h.st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return nil
	case unix.S_IFDIR:
		return backend.ErrIsDir
	case unix.S_IFLNK:
		return backend.ErrSwapped
	}
	return backend.ErrSpecial
}

// reopen opens the held regular file itself, by its descriptor.
func (t *Tree) reopen(h *handle, flags int) (*os.File, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(t.proc, itoa(h.fd), flags|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		return err
	})
	if err != nil {
		return nil, meaning(err)
	}
	return os.NewFile(uintptr(fd), fileName), nil
}

// release closes a handle that may be missing.
func (h *handle) release() {
	if h != nil {
		h.close()
	}
}
