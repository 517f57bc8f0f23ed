//go:build !linux

package main

import (
	"errors"
	"os"

	"paddock/sandbox"
)

// isTTY is false: commands run on Linux only.
func isTTY(*os.File) bool { return false }

func passedSignals() []os.Signal { return []os.Signal{os.Interrupt} }

func (*app) relay(*sandbox.Process) (func(), error) {
	return nil, errors.New("terminals are relayed on Linux only")
}
