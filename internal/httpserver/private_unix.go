//go:build unix

package httpserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// private refuses a file that somebody else could read or change: its tokens
// would be theirs too.
func private(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("cannot be looked at: %w", err)
	}
	if info.IsDir() {
		return errors.New("is a folder")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("may be used by others (its mode is %#o); make it yours alone: chmod 600", uint32(mode&fs.ModePerm))
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return fmt.Errorf("belongs to another user (id %d)", s.Uid)
	}
	return nil
}
