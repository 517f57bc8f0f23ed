//go:build !linux || osroot

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"paddock/backend"
)

// inPlace copies the staged content into the file that was looked at, or into a
// new one where a file mount has lost its file.
func (s *stage) inPlace(base string, found os.FileInfo, o backend.WriteOptions) (backend.WriteResult, error) {
	res := backend.WriteResult{InPlace: true, Created: found == nil}
	if err := s.save(base, found, o); err != nil {
		return backend.WriteResult{}, err
	}
	commits.Lock()
	defer commits.Unlock()
	f, err := s.openTarget(base, found, o)
	if err != nil {
		return backend.WriteResult{}, err
	}
	defer f.Close()
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return backend.WriteResult{}, meaning(err)
	}
	size, err := io.Copy(f, s.f)
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return res, meaning(err)
	}
	now, err := f.Stat()
	if err != nil {
		return res, meaning(err)
	}
	res.Info = infoOf(now)
	return res, nil
}

// save hands the old content to the caller.
func (s *stage) save(base string, found os.FileInfo, o backend.WriteOptions) error {
	if o.Save == nil || found == nil {
		return nil
	}
	old, err := s.d.openSame(base, found, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer old.Close()
	if err := o.Save(old); err != nil {
		return fmt.Errorf("the old content could not be saved: %w", err)
	}
	return nil
}

func (s *stage) openTarget(base string, found os.FileInfo, o backend.WriteOptions) (*os.File, error) {
	if found == nil {
		mode := o.Mode.Perm()
		if mode == 0 {
			mode = 0o644
		}
		f, err := s.d.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && o.Replace {
			return nil, errAgain
		}
		return f, meaning(err)
	}
	f, err := s.d.openSame(base, found, os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	// Save took its time, and what it saved must be what goes.
	now, err := f.Stat()
	if err == nil && unchanged(infoOf(found), infoOf(now)) {
		return f, nil
	}
	f.Close()
	if o.Judged != nil || err != nil {
		return nil, backend.ErrSwapped
	}
	return nil, errAgain
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

// foreign is an error of the caller's reader. It goes back as it came.
type foreign struct{ error }

// meaning turns the system's answer into the contract's errors and leaves out
// the path that os puts in: of a file mount it is not the agent's to know.
func meaning(err error) error {
	var caller foreign
	if errors.As(err, &caller) {
		return caller.error
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	switch {
	case errors.Is(err, syscall.ENOTEMPTY):
		return backend.ErrNotEmpty
	case errors.Is(err, syscall.ENOTDIR):
		return backend.ErrNotDir
	case errors.Is(err, syscall.EISDIR):
		return backend.ErrIsDir
	case errors.Is(err, syscall.ELOOP):
		return backend.ErrSwapped
	case errors.Is(err, syscall.ENAMETOOLONG):
		return backend.ErrName
	case errors.Is(err, syscall.ENOSPC):
		return backend.ErrFull
	case errors.Is(err, syscall.EXDEV):
		return fmt.Errorf("%w: the two places are on different file systems", backend.ErrUnsupported)
	}
	return err
}
