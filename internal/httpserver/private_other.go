//go:build !unix

package httpserver

import (
	"errors"
	"fmt"
	"os"
)

// private cannot tell who may read a file here: that is up to its access list.
func private(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("cannot be looked at: %w", err)
	}
	if info.IsDir() {
		return errors.New("is a folder")
	}
	return nil
}
