//go:build unix

package trust

import (
	"io/fs"
	"syscall"
)

// owner is the user that a file belongs to.
func owner(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
