//go:build !osroot

package disk

import (
	"io"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Folder takes hold of a folder. A tree that folds names has none: there the
// spelling of each name must be looked at.
func (t *Tree) Folder(name string) (backend.Folder, bool) {
	if t.folds || t.IsFile() {
		return nil, false
	}
	at, err := t.inTop(name)
	if err != nil {
		return nil, false
	}
	fd, err := openat2(t.top, at, unix.O_PATH|unix.O_DIRECTORY, below)
	if err != nil {
		return nil, false
	}
	return &near{fd}, true
}

// near is a held folder.
type near struct{ fd int }

// Open opens a file in one step, and looks at it before a byte is read. Its
// name stood for a regular file in the listing. Who makes it another object in
// between gets little: a link is not followed, a FIFO does not make us wait, a
// terminal does not become ours. That a device node is exchanged for the file
// in that moment is the one case in which a driver sees an open, and nothing
// more: who can do that has a device node in the tree and may write there.
func (n *near) Open(part string) (backend.Reader, backend.Info, bool) {
	if part == "." || strings.IndexByte(part, '/') >= 0 || backend.CheckName(part) != nil {
		return nil, backend.Info{}, false
	}
	fd, err := openat2(n.fd, part, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, below)
	if err != nil {
		return nil, backend.Info{}, false
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return nil, backend.Info{}, false
	}
	return &rawReader{fd: fd}, infoOf(&st), true
}

// Close lets go once; after that it does nothing.
func (n *near) Close() error {
	if n.fd < 0 {
		return nil
	}
	fd := n.fd
	n.fd = -1
	return unix.Close(fd)
}

// rawReader is a reader without what an os.File does for files that wait: a
// regular file never does, and of thousands it costs more than their reading.
type rawReader struct {
	mu sync.RWMutex // Close waits for the others: the number would be another file's
	fd int          // -1 when closed
}

func (r *rawReader) Read(p []byte) (int, error) {
	return r.read(p, func(fd int) (int, error) { return unix.Read(fd, p) })
}

func (r *rawReader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	done := 0
	for done < len(p) {
		rest := p[done:]
		n, err := r.read(rest, func(fd int) (int, error) { return unix.Pread(fd, rest, off+int64(done)) })
		done += n
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func (r *rawReader) read(p []byte, call func(fd int) (int, error)) (n int, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.fd < 0 {
		return 0, fs.ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	err = retry(func() (err error) { n, err = call(r.fd); return err })
	switch {
	case err != nil:
		return 0, meaning(err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Info describes the open file as it is now.
func (r *rawReader) Info() (backend.Info, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.fd < 0 {
		return backend.Info{}, fs.ErrClosed
	}
	var st unix.Stat_t
	if err := unix.Fstat(r.fd, &st); err != nil {
		return backend.Info{}, meaning(err)
	}
	return infoOf(&st), nil
}

func (r *rawReader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return fs.ErrClosed
	}
	fd := r.fd
	r.fd = -1
	return unix.Close(fd)
}
