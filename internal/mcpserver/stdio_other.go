//go:build !linux

package mcpserver

import "os"

// takeStdio takes over what this program itself can reach. A child that
// inherits descriptor 1 could still write there.
func takeStdio() (in, out *os.File, err error) {
	in, out = os.Stdin, os.Stdout
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	os.Stdin, os.Stdout = null, os.Stderr
	return in, out, nil
}
