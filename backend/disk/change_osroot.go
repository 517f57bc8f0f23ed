//go:build !linux || osroot

package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"paddock/backend"
)

var errTop = fmt.Errorf("%w: this is the mount itself", backend.ErrUnsupported)

// change calls do with the folder around a name and its last part.
func (t *Tree) change(ctx context.Context, name string, do func(d folder, base string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d, base, err := t.walk(name)
	if err != nil {
		return err
	}
	defer d.close()
	if name == "." {
		return errTop
	}
	return do(d, base)
}

// Mkdir makes one folder.
func (t *Tree) Mkdir(ctx context.Context, name string, mode fs.FileMode) error {
	if mode = mode.Perm(); mode == 0 {
		mode = 0o755
	}
	err := t.change(ctx, name, func(d folder, base string) error {
		return meaning(d.Mkdir(base, mode))
	})
	if errors.Is(err, errTop) || errors.Is(err, fs.ErrExist) {
		err = fs.ErrExist
	}
	if err != nil {
		return failed("make folder", name, err)
	}
	return nil
}

// Remove takes one name away, if it is the judged object's.
func (t *Tree) Remove(ctx context.Context, name string, judged backend.Info) error {
	err := t.change(ctx, name, func(d folder, base string) error {
		commits.Lock()
		defer commits.Unlock()
		info, _, err := d.lstat(base)
		if err != nil {
			return err
		}
		if !sameObject(judged, info) {
			return backend.ErrSwapped
		}
		return meaning(d.Remove(base))
	})
	if err != nil {
		return failed("remove", name, err)
	}
	return nil
}

// Rename moves an object, if it is the judged one.
func (t *Tree) Rename(ctx context.Context, from, to string, judged backend.Info, replace bool) error {
	err := t.change(ctx, from, func(d folder, base string) error {
		info, found, err := d.lstat(base)
		if err != nil {
			return err
		}
		if !sameObject(judged, info) {
			return backend.ErrSwapped
		}
		if info.Kind == backend.Dir && strings.HasPrefix(to, from+"/") {
			return fmt.Errorf("%w: a folder cannot be moved into itself", fs.ErrInvalid)
		}
		return t.change(ctx, to, func(toDir folder, toBase string) error {
			commits.Lock()
			defer commits.Unlock()
			there, taken, err := toDir.lstat(toBase)
			if err == nil {
				err = fits(info, there, replace && !os.SameFile(found, taken))
			} else if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			if err != nil {
				return err
			}
			return t.move(from, to, info.Kind, replace)
		})
	})
	if err != nil {
		return fmt.Errorf("rename %q to %q: %w", from, to, err)
	}
	return nil
}

func fits(moved, there backend.Info, replace bool) error {
	switch {
	case !replace:
		return fs.ErrExist
	case moved.Kind == backend.Dir && there.Kind != backend.Dir:
		return backend.ErrNotDir
	case moved.Kind != backend.Dir && there.Kind == backend.Dir:
		return backend.ErrIsDir
	}
	return nil
}

// move gives the object its new name. os.Root moves only below one root, so the
// names are used again here. A file takes a free name by a hard link, which
// fails on a taken one; a folder's free name was only looked at.
func (t *Tree) move(from, to string, kind backend.Kind, replace bool) error {
	if kind == backend.File && !replace {
		if err := t.top.Link(from, to); !errors.Is(err, errors.ErrUnsupported) {
			if err != nil {
				return meaning(err)
			}
			return meaning(t.top.Remove(from))
		}
	}
	if kind == backend.Dir && replace {
		// os.Root renames over no folder. Only an empty one can be removed.
		if err := t.top.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return meaning(err)
		}
	}
	return meaning(t.top.Rename(from, to))
}
