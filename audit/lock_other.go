//go:build !unix

package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lockFile takes a lock that other processes heed: a file that only one can
// make. One that a dead process left is taken away after a minute.
func lockFile(name string) (release func(), err error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { _ = f.Close(); _ = os.Remove(name) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("make %s: %w", name, err)
		}
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(name)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// syncDir does nothing: folders cannot be synced here.
func syncDir(string) error { return nil }
