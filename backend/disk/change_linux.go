//go:build !osroot

package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Mkdir makes one folder.
func (t *Tree) Mkdir(ctx context.Context, name string, mode fs.FileMode) error {
	err := t.change(ctx, name, func(dir folder, base string) error {
		return unix.Mkdirat(dir.fd, base, permissions(mode, 0o755))
	})
	if errors.Is(err, errTop) {
		err = fs.ErrExist
	}
	if err != nil {
		return failed("make folder", name, err)
	}
	return nil
}

// errTop says that the name is the mount itself.
var errTop = fmt.Errorf("%w: this is the mount itself", backend.ErrUnsupported)

var errIntoItself = fmt.Errorf("%w: a folder cannot be moved into itself", fs.ErrInvalid)

// change calls do with the folder around a name and its last part.
func (t *Tree) change(ctx context.Context, name string, do func(folder, string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at, err := t.inTop(name)
	if err != nil {
		return err
	}
	if name == "." {
		return errTop
	}
	dir, base, err := t.openFolder(at)
	if err != nil {
		return err
	}
	defer dir.close()
	return meaning(do(dir, base))
}

// Remove takes one name away. A file is moved to a private name, compared with
// the judged one and only then unlinked; see the package comment.
func (t *Tree) Remove(ctx context.Context, name string, judged backend.Info) error {
	err := t.change(ctx, name, func(dir folder, base string) error {
		h, err := judgedHandle(dir, base, judged)
		if err != nil {
			return err
		}
		defer h.close()
		unlock := lockFolders(dir)
		defer unlock()
		if h.info().Kind == backend.Dir {
			// The kernel takes empty folders only, so a folder that came in
			// between loses nothing.
			return retry(func() error { return unix.Unlinkat(dir.fd, base, unix.AT_REMOVEDIR) })
		}
		return removeHeld(dir, base, &h)
	})
	if err != nil {
		return failed("remove", name, err)
	}
	return nil
}

// judgedHandle holds what has the name if it is the judged object.
func judgedHandle(dir folder, base string, judged backend.Info) (handle, error) {
	h, err := look(dir.fd, base)
	if err != nil {
		return handle{}, err
	}
	if !sameObject(judged, h.info()) {
		h.close()
		return handle{}, backend.ErrSwapped
	}
	return h, nil
}

// removeHeld unlinks the held object and nothing else.
func removeHeld(dir folder, base string, h *handle) error {
	aside := tempName()
	supported, err := rename(dir, base, dir, aside, unix.RENAME_NOREPLACE)
	if !supported {
		return retry(func() error { return unix.Unlinkat(dir.fd, base, 0) })
	}
	if err == unix.ENOENT {
		return backend.ErrSwapped
	}
	if err != nil {
		return err
	}
	var st unix.Stat_t
	err = statAt(dir.fd, aside, &st)
	if err == nil && sameObject(h.info(), infoOf(&st)) {
		err = retry(func() error { return unix.Unlinkat(dir.fd, aside, 0) })
		if err == nil {
			return nil
		}
	} else {
		err = backend.ErrSwapped
	}
	if _, back := rename(dir, aside, dir, base, unix.RENAME_NOREPLACE); back != nil {
		return fmt.Errorf("%w (what stood there is kept as %s: %v)", backend.ErrSwapped, aside, back)
	}
	return err
}

// Rename moves an object. It is compared with the judged one before and after
// the move, and moved back if it is another; what was replaced under to is gone
// then, as the caller had agreed to.
func (t *Tree) Rename(ctx context.Context, from, to string, judged backend.Info, replace bool) error {
	if err := t.rename(ctx, from, to, judged, replace); err != nil {
		return fmt.Errorf("rename %q to %q: %w", from, to, err)
	}
	return nil
}

func (t *Tree) rename(ctx context.Context, from, to string, judged backend.Info, replace bool) error {
	return t.change(ctx, from, func(dir folder, base string) error {
		h, err := judgedHandle(dir, base, judged)
		if err != nil {
			return err
		}
		defer h.close()
		if h.info().Kind == backend.Dir && strings.HasPrefix(to, from+"/") {
			return errIntoItself
		}
		return t.change(ctx, to, func(toDir folder, toBase string) error {
			unlock := lockFolders(dir, toDir)
			defer unlock()
			return moveHeld(dir, base, toDir, toBase, &h, replace)
		})
	})
}

func moveHeld(dir folder, base string, toDir folder, toBase string, h *handle, replace bool) error {
	if err := fits(toDir, toBase, h, replace); err != nil {
		return err
	}
	var flags uint = unix.RENAME_NOREPLACE
	if replace {
		flags = 0
	}
	supported, err := rename(dir, base, toDir, toBase, flags)
	if !supported {
		return fmt.Errorf("%w: this file system cannot move a name without the risk of replacing another", backend.ErrUnsupported)
	}
	switch err {
	case nil:
	case unix.EXDEV:
		return fmt.Errorf("%w: the two places are on different file systems", backend.ErrUnsupported)
	case unix.EINVAL:
		return errIntoItself
	default:
		return err
	}
	var st unix.Stat_t
	if err := statAt(toDir.fd, toBase, &st); err == nil && !sameObject(h.info(), infoOf(&st)) {
		// If the right object was moved and somebody has put his own over it
		// since, this moves his. It cannot be told, and nothing is lost.
		rename(toDir, toBase, dir, base, unix.RENAME_NOREPLACE)
		return backend.ErrSwapped
	}
	return nil
}

// fits answers for the object under to what the kernel would answer less
// clearly, or not at all: renaming one name of a file to another of its names
// does nothing and calls it a success.
func fits(toDir folder, toBase string, h *handle, replace bool) error {
	var st unix.Stat_t
	err := statAt(toDir.fd, toBase, &st)
	if err == unix.ENOENT {
		return nil
	}
	if err != nil {
		return err
	}
	there, moved := infoOf(&st), h.info()
	switch {
	case !replace:
		return fs.ErrExist
	case sameObject(moved, there):
		return fmt.Errorf("%w: both names are the same object already", fs.ErrExist)
	case moved.Kind == backend.Dir && there.Kind != backend.Dir:
		return backend.ErrNotDir
	case moved.Kind != backend.Dir && there.Kind == backend.Dir:
		return backend.ErrIsDir
	}
	return nil
}
