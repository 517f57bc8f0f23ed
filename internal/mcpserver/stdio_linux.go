package mcpserver

import (
	"os"
	"syscall"
)

// takeStdio moves the streams to descriptors of their own, which no child
// inherits, and puts harmless ones in their place.
func takeStdio() (in, out *os.File, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer null.Close()
	if in, err = moved(os.Stdin, int(null.Fd())); err != nil {
		return nil, nil, err
	}
	if out, err = moved(os.Stdout, int(os.Stderr.Fd())); err != nil {
		return nil, nil, err
	}
	os.Stdout = os.Stderr
	return in, out, nil
}

// moved duplicates a stream and replaces it by another.
func moved(f *os.File, instead int) (*os.File, error) {
	was := int(f.Fd())
	// Held while the copy could be inherited.
	syscall.ForkLock.RLock()
	own, err := syscall.Dup(was)
	if err == nil {
		syscall.CloseOnExec(own)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	if err := syscall.Dup3(instead, was, 0); err != nil {
		syscall.Close(own)
		return nil, err
	}
	return os.NewFile(uintptr(own), f.Name()), nil
}
