//go:build !osroot

package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// inPlace copies the staged content into the very file that was looked at.
func (w *writing) inPlace(old *handle) (backend.WriteResult, error) {
	var none backend.WriteResult
	f, err := w.t.reopen(old, unix.O_WRONLY)
	if err != nil {
		return none, err
	}
	defer f.Close()
	if err := w.save(old); err != nil {
		return none, err
	}
	unlock := lockObject(old.info().ID)
	defer unlock()
	// Save took its time, and what it saved must be what goes.
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return none, err
	}
	if !unchanged(old.info(), infoOf(&st)) {
		if w.o.Judged != nil {
			return none, backend.ErrSwapped
		}
		return none, errAgain
	}
	if err := w.ctx.Err(); err != nil {
		return none, err
	}
	// A full disk shall say so while the old content is still there.
	if err := reserve(f, w.stage.size); err != nil {
		return none, err
	}
	// The kernel takes these bits away for everybody but root.
	if st.Mode&(unix.S_ISUID|unix.S_ISGID) != 0 {
		if err := unix.Fchmod(int(f.Fd()), keptMode(old)); err != nil {
			return none, err
		}
	}
	return w.copyInto(f, backend.WriteResult{InPlace: true})
}

// save hands the old content to the caller.
func (w *writing) save(old *handle) error {
	if w.o.Save == nil {
		return nil
	}
	r, err := w.t.reopen(old, unix.O_RDONLY)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := w.o.Save(cancelable{w.ctx, r}); err != nil {
		return foreign{fmt.Errorf("the old content could not be saved: %w", err)}
	}
	return nil
}

// createInPlace makes the file of a file mount again. Nothing may be put beside
// it, because the folder around it is not part of the tree.
func (w *writing) createInPlace() (backend.WriteResult, error) {
	var none backend.WriteResult
	fd, err := openMode(w.dir.fd, w.base, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, below,
		uint64(permissions(w.o.Mode, 0o644)))
	if err == unix.EEXIST {
		if w.o.Replace {
			return none, errAgain
		}
		return none, fs.ErrExist
	}
	if err != nil {
		return none, err
	}
	f := os.NewFile(uintptr(fd), fileName)
	defer f.Close()
	res, err := w.copyInto(f, backend.WriteResult{Created: true, InPlace: true})
	if err != nil {
		w.forget(f)
		return backend.WriteResult{}, err
	}
	return res, w.dir.sync(fd)
}

// forget takes a half-written new file away again, if the name is still its.
func (w *writing) forget(f *os.File) {
	var ours, there unix.Stat_t
	if unix.Fstat(int(f.Fd()), &ours) == nil && statAt(w.dir.fd, w.base, &there) == nil &&
		ours.Dev == there.Dev && ours.Ino == there.Ino {
		unix.Unlinkat(w.dir.fd, w.base, 0)
	}
}

// copyInto is the part after which there is no way back.
func (w *writing) copyInto(f *os.File, res backend.WriteResult) (backend.WriteResult, error) {
	if _, err := io.Copy(f, io.NewSectionReader(w.stage.f, 0, w.stage.size)); err != nil {
		return res, err
	}
	if err := f.Truncate(w.stage.size); err != nil {
		return res, err
	}
	if err := f.Sync(); err != nil {
		return res, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return res, err
	}
	res.Info = infoOf(&st)
	return res, nil
}

// reserve asks for the room without changing the file's size. Where the file
// system cannot promise it, the write has to find out.
func reserve(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	err := retry(func() error { return unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size) })
	if err == unix.ENOSPC || err == unix.EDQUOT || err == unix.EFBIG {
		return err
	}
	return nil
}
