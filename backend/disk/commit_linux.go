//go:build !osroot

package disk

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// commit looks at the name once more and puts the staged content under it.
func (w *writing) commit() (backend.WriteResult, error) {
	var none backend.WriteResult
	if err := w.ctx.Err(); err != nil {
		return none, err
	}
	old, err := w.look()
	if err != nil {
		return none, err
	}
	defer old.release()
	switch {
	case old == nil && w.t.IsFile():
		return w.createInPlace()
	case old == nil:
		return w.create()
	case w.stage.name == "" || old.st.Nlink > 1:
		return w.inPlace(old)
	}
	err = w.replace(old)
	if errors.Is(err, errCannotKeep) || inPlaceInstead(err) {
		return w.inPlace(old)
	}
	if err != nil {
		return none, err
	}
	return w.finish(backend.WriteResult{})
}

// create gives the stage a name that must be free.
func (w *writing) create() (backend.WriteResult, error) {
	var none backend.WriteResult
	if !w.stage.public { // made for a file that went meanwhile
		fresh, err := w.stage.restage(w.dir, permissions(w.o.Mode, 0o644))
		if err != nil {
			return none, err
		}
		w.stage = fresh
	}
	if err := w.sync(); err != nil {
		return none, err
	}
	supported, err := rename(w.dir, w.stage.name, w.dir, w.base, unix.RENAME_NOREPLACE)
	if !supported {
		// A hard link takes only a free name as well.
		if err = unix.Linkat(w.dir.fd, w.stage.name, w.dir.fd, w.base, 0); err == nil {
			err = w.stage.unname()
		}
	} else if err == nil {
		w.stage.name = ""
	}
	if err == unix.EEXIST {
		if w.o.Replace {
			return none, errAgain
		}
		return none, fs.ErrExist
	}
	if err != nil {
		return none, err
	}
	return w.finish(backend.WriteResult{Created: true})
}

// replace puts the stage in the place of the old file.
func (w *writing) replace(old *handle) error {
	if err := w.stage.keep(w.t, old); err != nil {
		return err
	}
	if err := w.sync(); err != nil {
		return err
	}
	if w.o.Judged != nil {
		supported, err := w.exchange()
		if supported {
			return err
		}
		// Without an exchange the look just now is the best there is.
		again, err := w.look()
		if err != nil {
			return err
		}
		again.release()
	}
	_, err := rename(w.dir, w.stage.name, w.dir, w.base, 0)
	if err == nil {
		w.stage.name = ""
	}
	return err
}

// exchange swaps the stage with whatever has the name, sees whether that was
// the judged file, and swaps back if not. So no file that nobody judged is ever
// lost, however exactly a second writer hits the moment.
func (w *writing) exchange() (supported bool, err error) {
	supported, err = rename(w.dir, w.stage.name, w.dir, w.base, unix.RENAME_EXCHANGE)
	if !supported {
		return false, err
	}
	if err == unix.ENOENT {
		return true, backend.ErrSwapped
	}
	if err != nil {
		return true, err
	}
	var st unix.Stat_t
	if err := statAt(w.dir.fd, w.stage.name, &st); err == nil && unchanged(*w.o.Judged, infoOf(&st)) {
		return true, w.stage.unname() // the old file
	}
	if _, err := rename(w.dir, w.stage.name, w.dir, w.base, unix.RENAME_EXCHANGE); err != nil {
		return true, w.leave(err)
	}
	var ours unix.Stat_t
	if err := unix.Fstat(w.stage.fd(), &ours); err != nil {
		return true, w.leave(err)
	}
	if err := statAt(w.dir.fd, w.stage.name, &st); err != nil || st.Ino != ours.Ino || st.Dev != ours.Dev {
		return true, w.leave(errors.New("a third writer came in between"))
	}
	return true, backend.ErrSwapped
}

// leave keeps what has the temporary name, because it is not ours to delete.
func (w *writing) leave(err error) error {
	kept := w.stage.name
	w.stage.name = ""
	return fmt.Errorf("%w (%v; what stood there is kept as %s)", backend.ErrSwapped, err, kept)
}

func (w *writing) sync() error {
	return retry(func() error { return unix.Fsync(w.stage.fd()) })
}

// finish makes the new name last and describes the file.
func (w *writing) finish(res backend.WriteResult) (backend.WriteResult, error) {
	var st unix.Stat_t
	if err := unix.Fstat(w.stage.fd(), &st); err != nil {
		return res, err
	}
	res.Info = infoOf(&st)
	return res, w.dir.sync(w.stage.fd())
}
