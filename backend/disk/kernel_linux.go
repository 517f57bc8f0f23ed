//go:build !osroot

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

const (
	// absolute is for the path of a mount: no link may be left in it.
	absolute = unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS
	// below is for every name of a tree.
	below = absolute | unix.RESOLVE_BENEATH
)

// openat2 opens name without ever passing a link that resolve forbids. With
// O_PATH and O_NOFOLLOW a link as last part is itself what is opened.
func openat2(dir int, name string, flags, resolve uint64) (int, error) {
	return openMode(dir, name, flags, resolve, 0)
}

func openMode(dir int, name string, flags, resolve, mode uint64) (int, error) {
	how := unix.OpenHow{Flags: flags | unix.O_CLOEXEC, Resolve: resolve, Mode: mode}
	for range 100 {
		fd, err := unix.Openat2(dir, name, &how)
		// EINTR: a signal while a network file system answered. EAGAIN: the
		// kernel saw a rename it could not rule out as an escape.
		if err != unix.EINTR && err != unix.EAGAIN {
			return fd, err
		}
	}
	return -1, backend.ErrSwapped
}

// retry repeats a call that a signal broke off.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// meaning turns the kernel's answer into the contract's errors. What has no
// name there (fs.ErrNotExist, fs.ErrPermission ...) is told apart by errno.
func meaning(err error) error {
	var caller foreign
	if errors.As(err, &caller) {
		return caller.error
	}
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return err
	}
	switch errno {
	case unix.ELOOP, unix.EXDEV, unix.ESTALE:
		return backend.ErrSwapped
	case unix.ENOTDIR:
		return backend.ErrNotDir
	case unix.EISDIR:
		return backend.ErrIsDir
	case unix.ENOTEMPTY:
		return backend.ErrNotEmpty
	case unix.ENAMETOOLONG, unix.EILSEQ:
		return backend.ErrName
	case unix.ENOSPC, unix.EDQUOT:
		return backend.ErrFull
	case unix.ENXIO, unix.ENODEV:
		return backend.ErrSpecial
	case unix.EOPNOTSUPP, unix.ENOSYS:
		return backend.ErrUnsupported
	case unix.EROFS:
		return fmt.Errorf("%w: the file system is read-only", fs.ErrPermission)
	case unix.EEXIST:
		return fs.ErrExist
	}
	return err
}

// foreign is an error of the caller's reader or Save. It goes back as it came,
// whatever errno is in it: a full state folder is not a full tree.
type foreign struct{ error }

func (f foreign) Unwrap() error { return f.error }

func infoOf(st *unix.Stat_t) backend.Info {
	kind := backend.Special
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		kind = backend.File
	case unix.S_IFDIR:
		kind = backend.Dir
	case unix.S_IFLNK:
		kind = backend.Link
	}
	return backend.Info{
		Kind:    kind,
		ID:      backend.ID{Dev: uint64(st.Dev), Ino: st.Ino},
		Size:    st.Size,
		ModTime: time.Unix(int64(st.Mtim.Sec), int64(st.Mtim.Nsec)),
		Mode:    fs.FileMode(st.Mode & 0o777),
		Links:   uint64(st.Nlink),
	}
}

// statAt describes one part of a folder, a link itself. It takes no more than
// one part: fstatat would follow links in the others.
func statAt(dir int, part string, st *unix.Stat_t) error {
	return retry(func() error {
		return unix.Fstatat(dir, part, st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT)
	})
}

// linkText reads a link: one that is held when part is empty, else the one of
// that name in the folder.
func linkText(fd int, part string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := unix.Readlinkat(fd, part, buf)
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

func itoa(fd int) string { return strconv.Itoa(fd) }
