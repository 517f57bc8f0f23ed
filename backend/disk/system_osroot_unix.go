//go:build unix && (!linux || osroot)

package disk

import (
	"os"
	"syscall"

	"paddock/backend"
)

const (
	nonblock   = syscall.O_NONBLOCK
	folderSync = true
)

func identity(found os.FileInfo) (backend.ID, uint64) {
	st, ok := found.Sys().(*syscall.Stat_t)
	if !ok {
		return backend.ID{}, 0
	}
	return backend.ID{Dev: uint64(st.Dev), Ino: st.Ino}, uint64(st.Nlink)
}
