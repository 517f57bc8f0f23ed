//go:build !osroot

package disk

import (
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Tree is a backend on one folder, or on one file, of this machine. It is safe
// for any number of goroutines; Close must be the last call.
type Tree struct {
	root string
	top  int    // O_PATH descriptor of the folder; of a file mount, of the folder around the file
	base string // of a file mount: the file's name in top
	proc int    // O_PATH descriptor of /proc/self/fd
	// folds says that names have several spellings here, see fold.go.
	folds bool
}

var (
	_ backend.Backend = (*Tree)(nil)
	_ backend.Holder  = (*Tree)(nil)
)

// Open holds the existing folder or regular file at an absolute path. Links in
// path itself are followed once, now; Root tells where they led. A kernel
// without openat2 (before Linux 5.6, or a container that forbids the call) is
// an error, because nothing else keeps a name inside the tree; so is a machine
// without /proc, by which a held object is opened without its name.
func Open(path string) (*Tree, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("open tree %q: the path must be absolute", path)
	}
	if err := probe(); err != nil {
		return nil, fmt.Errorf("open tree %q: %w", path, err)
	}
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	// The path has no link left. One that appears meanwhile is an error.
	fd, err := openat2(unix.AT_FDCWD, root, unix.O_PATH|unix.O_NOFOLLOW, absolute)
	if err != nil {
		return nil, fmt.Errorf("open tree %q: %w", path, err)
	}
	t := &Tree{root: root, top: fd}
	err = t.settle()
	if err == nil {
		t.proc, err = openProc()
	}
	if err != nil {
		unix.Close(t.top)
		return nil, fmt.Errorf("open tree %q: %w", path, err)
	}
	return t, nil
}

// settle looks at what the top is and, for a file, exchanges it for the folder
// around it: an editor that replaces the file must not leave us with the old one.
func (t *Tree) settle() error {
	var st unix.Stat_t
	if err := unix.Fstat(t.top, &st); err != nil {
		return err
	}
	switch infoOf(&st).Kind {
	case backend.Dir:
		t.folds = foldsNames(t.top)
		return nil
	case backend.File:
		around, err := openat2(unix.AT_FDCWD, filepath.Dir(t.root), unix.O_PATH|unix.O_DIRECTORY, absolute)
		if err != nil {
			return err
		}
		unix.Close(t.top)
		t.top, t.base = around, filepath.Base(t.root)
		return nil
	case backend.Link:
		return backend.ErrSwapped
	default:
		return backend.ErrSpecial
	}
}

// probe finds out whether the kernel lets us call openat2 at all.
func probe() error {
	fd, err := openat2(unix.AT_FDCWD, "/", unix.O_PATH|unix.O_DIRECTORY, absolute)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return errors.New("this kernel has no openat2 or forbids it; Linux 5.6 or later is needed")
	}
	if err != nil {
		return fmt.Errorf("openat2 does not work here: %w", err)
	}
	return unix.Close(fd)
}

// openProc holds /proc/self/fd. Something else mounted on /proc could answer
// with any file it likes, so the file system itself is asked what it is.
func openProc() (int, error) {
	fd, err := openat2(unix.AT_FDCWD, "/proc/self/fd", unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		return -1, fmt.Errorf("/proc must be mounted: %w", err)
	}
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil || fs.Type != unix.PROC_SUPER_MAGIC {
		unix.Close(fd)
		return -1, errors.New("/proc is not the kernel's")
	}
	return fd, nil
}

// Root is the real path of the tree, links resolved.
func (t *Tree) Root() string { return t.root }

// IsFile says that the tree is a single file; then "." is the file.
func (t *Tree) IsFile() bool { return t.base != "" }

// Close lets go of the tree. No other call may follow.
func (t *Tree) Close() error {
	unix.Close(t.proc)
	return unix.Close(t.top)
}

// inTop checks a name and gives it as seen from the top descriptor.
func (t *Tree) inTop(name string) (string, error) {
	if err := backend.CheckName(name); err != nil {
		return "", err
	}
	if t.base == "" {
		return name, t.spelled(name)
	}
	if name != "." {
		return "", backend.ErrNotDir
	}
	return t.base, nil
}
