package main

import (
	"os"
)

// isTerminal tells whether a stream is a character device that a person may
// look at. It errs for /dev/null, where it does no harm.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
