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
	unlock := lockFolders(w.dir)
	defer unlock()
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
	if err := w.stage.keep(old); err != nil {
		return err
	}
	if err := w.sync(); err != nil {
		return err
	}
	unlock := lockFolders(w.dir)
	defer unlock()
	if w.o.Judged != nil {
		// The sync took its time.
		again, err := w.look()
		if err != nil {
			return err
		}
		again.release()
		// Without an exchange that look is the best there is.
		if supported, err := w.exchange(); supported {
			return err
		}
	}
	_, err := rename(w.dir, w.stage.name, w.dir, w.base, 0)
	if err == nil {
		w.stage.name = ""
	}
	return err
}

// exchange swaps the stage with whatever has the name, sees whether that was
// the judged file, and swaps back if not. So nothing that was not judged is
// overwritten, however exactly another program hits the moment.
func (w *writing) exchange() (supported bool, err error) {
	supported, err = w.swap()
	if !supported {
		return false, err
	}
	if err == unix.ENOENT {
		return true, backend.ErrSwapped
	}
	if err != nil {
		return true, err
	}
	var found unix.Stat_t
	if err := statAt(w.dir.fd, w.stage.name, &found); err != nil {
		return true, w.leave(err)
	}
	if unchanged(*w.o.Judged, infoOf(&found)) {
		return true, w.stage.unname() // the old file
	}
	if _, err := w.swap(); err != nil {
		return true, w.leave(err)
	}
	return true, w.undone(&found)
}

// undone ends an exchange that was taken back. Usually our file is under the
// temporary name again. If yet another one is, its writer saw ours and put his
// in its place: his is the newest and gets the name, and what he believes to
// have replaced by it goes.
func (w *writing) undone(found *unix.Stat_t) error {
	var ours, now unix.Stat_t
	if err := unix.Fstat(w.stage.fd(), &ours); err != nil {
		return w.leave(err)
	}
	if err := statAt(w.dir.fd, w.stage.name, &now); err != nil {
		return w.leave(err)
	}
	if now.Ino == ours.Ino && now.Dev == ours.Dev {
		return backend.ErrSwapped
	}
	if _, err := w.swap(); err != nil {
		return w.leave(err)
	}
	if err := statAt(w.dir.fd, w.stage.name, &now); err != nil || now.Ino != found.Ino || now.Dev != found.Dev {
		return w.leave(errors.New("several writers at once"))
	}
	return backend.ErrSwapped
}

func (w *writing) swap() (supported bool, err error) {
	return rename(w.dir, w.stage.name, w.dir, w.base, unix.RENAME_EXCHANGE)
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
