//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

func (r *root) place(b bindSpec, tree int) error {
	if !b.Inside {
		make := r.mkdirAll
		if b.File {
			make = func(p string) error { return r.file(p, "") }
		}
		if err := make(b.Target); err != nil {
			return err
		}
	}
	return r.attach(tree, b.Target)
}

// alias shows a tree that is there already under a second name.
func (r *root) alias(name, place string) error {
	at, err := r.open(place)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	var st unix.Stat_t
	if err := unix.Fstat(at, &st); err != nil {
		return err
	}
	tree, err := unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	file := st.Mode&unix.S_IFMT != unix.S_IFDIR
	return r.place(bindSpec{Target: name, File: file}, tree)
}

// open opens a place for use as a handle.
func (r *root) open(p string) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: resolveInside}
	return unix.Openat2(r.fd, p, &how)
}

func (r *root) attach(tree int, p string) error {
	at, err := r.open(p)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	return unix.MoveMount(tree, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// mkdirAll makes a folder and those above it. Only our own file system is
// writable at this point in places the spec does not mark as Inside.
func (r *root) mkdirAll(p string) error {
	made := ""
	if p == "/" {
		return nil
	}
	for part := range strings.SplitSeq(strings.Trim(p, "/"), "/") {
		parent, err := r.open("/" + made)
		if err != nil {
			return err
		}
		err = unix.Mkdirat(parent, part, 0o755)
		unix.Close(parent)
		if err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
		made += "/" + part
	}
	return nil
}

func (r *root) file(p, content string) error {
	if err := r.mkdirAll(path.Dir(p)); err != nil {
		return err
	}
	how := unix.OpenHow{Flags: unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_CLOEXEC, Mode: 0o644, Resolve: resolveInside}
	fd, err := unix.Openat2(r.fd, p, &how)
	if errors.Is(err, unix.EEXIST) && content == "" {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for b := []byte(content); len(b) > 0; {
		n, err := unix.Write(fd, b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

func (r *root) link(p, target string) error {
	if err := r.mkdirAll(path.Dir(p)); err != nil {
		return err
	}
	parent, err := r.open(path.Dir(p))
	if err != nil {
		return err
	}
	defer unix.Close(parent)
	return unix.Symlinkat(target, parent, path.Base(p))
}
