//go:build !linux || osroot

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"paddock/backend"
)

// Tree is a backend on one folder, or on one file, of this machine, by os.Root.
// It is safe for any number of goroutines; Close must be the last call.
//
// Without openat2 a name is walked part by part, which is slower. Owner and
// extended attributes of a replaced file are not kept, and the look at a judged
// object and the change are two steps: what comes in between is not noticed.
type Tree struct {
	root string
	top  *os.Root // of a file mount, the folder around the file
	base string   // of a file mount: the file's name in top
	// folds says that names have several spellings here, see fold.go.
	folds bool
}

var _ backend.Backend = (*Tree)(nil)

// Open holds the existing folder or regular file at an absolute path. Links in
// path itself are followed once, now; Root tells where they led.
func Open(path string) (*Tree, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("open tree %q: the path must be absolute", path)
	}
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	info, err := os.Lstat(root)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	// The usual file systems of the other systems do.
	t := &Tree{root: root, folds: runtime.GOOS != "linux"}
	folder := root
	switch infoOf(info).Kind {
	case backend.Dir:
	case backend.File:
		folder, t.base = filepath.Dir(root), filepath.Base(root)
	default:
		return nil, fmt.Errorf("open tree %q: %w", path, backend.ErrSpecial)
	}
	if t.top, err = os.OpenRoot(folder); err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	return t, nil
}

// Root is the real path of the tree, links resolved.
func (t *Tree) Root() string { return t.root }

// IsFile says that the tree is a single file; then "." is the file.
func (t *Tree) IsFile() bool { return t.base != "" }

// Close lets go of the tree. No other call may follow.
func (t *Tree) Close() error { return t.top.Close() }

// folder is the open folder around an object.
type folder struct {
	*os.Root
	mine bool // opened for this call
}

func (d folder) close() {
	if d.mine {
		d.Close()
	}
}

// walk checks a name and opens the folder around the object; base is the
// object's last part, "." for the mount itself. Each folder on the way is
// compared with what it was before it was opened, so a link is never passed.
func (t *Tree) walk(name string) (d folder, base string, err error) {
	if err := backend.CheckName(name); err != nil {
		return folder{}, "", err
	}
	d = folder{Root: t.top}
	switch {
	case t.base != "" && name != ".":
		return folder{}, "", backend.ErrNotDir
	case t.base != "":
		return d, t.base, nil
	case name == ".":
		return d, name, nil
	}
	// A system that has other separators, or names beside names, must not see
	// more parts than were judged: `a\b`, `file:stream`, `NUL`.
	if !filepath.IsLocal(filepath.FromSlash(name)) || hasOwnMeaning(name) {
		return folder{}, "", backend.ErrName
	}
	parts := strings.Split(name, "/")
	for _, part := range parts[:len(parts)-1] {
		if err := t.spelled(d, part); err != nil {
			d.close()
			return folder{}, "", err
		}
		next, err := enter(d.Root, part)
		d.close()
		if err != nil {
			return folder{}, "", err
		}
		d = folder{Root: next, mine: true}
	}
	base = parts[len(parts)-1]
	if err := t.spelled(d, base); err != nil {
		d.close()
		return folder{}, "", err
	}
	return d, base, nil
}

// spelled refuses a part that is there under another spelling. A name that comes
// or goes between the two questions gets a second and a third look.
func (t *Tree) spelled(d folder, part string) (err error) {
	for range 3 {
		if !t.folds {
			return nil
		}
		if _, err := d.Lstat(part); err != nil {
			return nil // not there: the call itself says it better
		}
		if err = d.listed(part); !errors.Is(err, errSpelling) {
			return err
		}
	}
	return err
}

func (d folder) listed(part string) error {
	f, err := d.Open(".")
	if err != nil {
		return meaning(err)
	}
	defer f.Close()
	there, err := listed(f, part)
	if err == nil && !there {
		return errSpelling
	}
	return meaning(err)
}

// enter opens a folder that is no link.
func enter(d *os.Root, part string) (*os.Root, error) {
	before, err := d.Lstat(part)
	if err != nil {
		return nil, meaning(err)
	}
	switch infoOf(before).Kind {
	case backend.Link:
		return nil, backend.ErrSwapped
	case backend.Dir:
	default:
		return nil, backend.ErrNotDir
	}
	next, err := d.OpenRoot(part)
	if err != nil {
		return nil, meaning(err)
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(before, now) {
		next.Close()
		return nil, backend.ErrSwapped
	}
	return next, nil
}

// hasOwnMeaning says that the system reads more in a name than its text.
func hasOwnMeaning(name string) bool {
	return filepath.Separator != '/' && strings.ContainsAny(name, `\:`)
}

// lstat describes a part of a folder, a link itself.
func (d folder) lstat(part string) (backend.Info, os.FileInfo, error) {
	found, err := d.Lstat(part)
	if err != nil {
		return backend.Info{}, nil, meaning(err)
	}
	info := infoOf(found)
	if info.Kind == backend.Link {
		if info.Target, err = d.Readlink(part); err != nil {
			return backend.Info{}, nil, meaning(err)
		}
	}
	return info, found, nil
}

func infoOf(found os.FileInfo) backend.Info {
	kind := backend.Special
	switch found.Mode().Type() {
	case 0:
		kind = backend.File
	case fs.ModeDir:
		kind = backend.Dir
	case fs.ModeSymlink:
		kind = backend.Link
	}
	info := backend.Info{Kind: kind, Size: found.Size(), ModTime: found.ModTime(), Mode: found.Mode().Perm()}
	info.ID, info.Links = identity(found)
	return info
}
