//go:build !osroot

package disk

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// stage is a file that takes in the whole new content before the old one is
// touched.
type stage struct {
	f    *os.File
	dir  folder
	name string // in dir; empty when it has no name or has it no longer
	size int64
	// public says that it was made with the mode of a new file, not for the
	// eyes of its owner alone.
	public bool
}

// tempName cannot be guessed, so nobody can sit on it beforehand.
func tempName() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return backend.TempPrefix + hex.EncodeToString(b[:])
}

// newStage makes a stage in the folder, from where it can take a name.
func newStage(dir folder, mode uint32) (*stage, error) {
	name := tempName()
	fd, err := openMode(dir.fd, name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, below, uint64(mode))
	if err != nil {
		return nil, err
	}
	return &stage{f: os.NewFile(uintptr(fd), fileName), dir: dir, name: name}, nil
}

// newSpool makes a stage without a name, for content that will be copied in
// place: on the disk for temporary files if that has such, else in memory.
func newSpool() (*stage, error) {
	fd, err := unix.Open(os.TempDir(), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		fd, err = unix.MemfdCreate("paddock", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("no place to keep the new content: %w", err)
	}
	return &stage{f: os.NewFile(uintptr(fd), fileName)}, nil
}

// fill reads content to its end.
func (s *stage) fill(ctx context.Context, content io.Reader) (err error) {
	s.size, err = io.Copy(s.f, cancelable{ctx, content})
	return err
}

func (s *stage) fd() int { return int(s.f.Fd()) }

// close takes the temporary name away, unless it was given up, and the file.
func (s *stage) close() {
	s.unname()
	s.f.Close()
}

// unname deletes what has the temporary name.
func (s *stage) unname() error {
	if s.name == "" {
		return nil
	}
	name := s.name
	s.name = ""
	return retry(func() error { return unix.Unlinkat(s.dir.fd, name, 0) })
}

// restage makes the stage anew for a file that does not exist: it takes the mode
// of a new file, which the kernel gives only when a file is made.
func (s *stage) restage(dir folder, mode uint32) (*stage, error) {
	fresh, err := newStage(dir, mode)
	if err != nil {
		return nil, err
	}
	fresh.public = true
	if fresh.size, err = io.Copy(fresh.f, io.NewSectionReader(s.f, 0, s.size)); err != nil {
		fresh.close()
		return nil, err
	}
	s.close()
	return fresh, nil
}

// cancelable ends a copy when its context does.
type cancelable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		err = foreign{err}
	}
	return n, err
}
