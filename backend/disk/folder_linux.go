//go:build !osroot

package disk

import (
	"errors"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// folder is an open folder in which a change happens.
type folder struct {
	fd       int
	readable bool // opened for reading, so that it can be synced itself
}

// openFolder opens the folder around a name of the top descriptor and gives the
// last part. A folder that may be changed but not read is only held.
func (t *Tree) openFolder(at string) (folder, string, error) {
	dir, base := backend.Split(at)
	fd, err := openat2(t.top, dir, unix.O_RDONLY|unix.O_DIRECTORY, below)
	if err == nil {
		return folder{fd: fd, readable: true}, base, nil
	}
	if !errors.Is(err, unix.EACCES) {
		return folder{}, "", meaning(err)
	}
	fd, err = openat2(t.top, dir, unix.O_PATH|unix.O_DIRECTORY, below)
	if err != nil {
		return folder{}, "", meaning(err)
	}
	return folder{fd: fd}, base, nil
}

func (d folder) close() { unix.Close(d.fd) }

// sync makes the folder's names last. One that cannot be read cannot be synced
// alone; then the whole file system is, by the given file in it.
func (d folder) sync(fileInIt int) error {
	err := retry(func() error {
		if d.readable {
			return unix.Fsync(d.fd)
		}
		return unix.Syncfs(fileInIt)
	})
	// Some file systems sync their folders at once and have no call for it.
	if err == unix.EINVAL || err == unix.EOPNOTSUPP {
		return nil
	}
	return err
}

// rename moves a name within or between folders. supported is false where the
// file system does not know the flags; then nothing happened.
func rename(from folder, old string, to folder, new string, flags uint) (supported bool, err error) {
	err = retry(func() error { return unix.Renameat2(from.fd, old, to.fd, new, flags) })
	if flags != 0 && (err == unix.EINVAL || err == unix.ENOSYS || err == unix.EOPNOTSUPP) {
		return false, err
	}
	return true, err
}
