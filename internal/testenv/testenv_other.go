//go:build !linux

package testenv

import (
	"errors"
	"os"
	"testing"
)

var errLinux = errors.New("only Linux has it")

// IsRoot says whether the process has root's rights on files.
func IsRoot() bool { return os.Geteuid() == 0 }

// HaveMountNS says why there are no private mounts.
func HaveMountNS() error { return errLinux }

// AsNobody is true for an ordinary user and skips the test for root.
func AsNobody(t *testing.T) bool {
	t.Helper()
	if IsRoot() {
		t.Skip("to become an ordinary user for one test only Linux is supported")
	}
	return true
}

// Sealed skips the test: there are no private mounts.
func Sealed(t *testing.T) bool {
	t.Helper()
	t.Skipf("cannot seal: %v", errLinux)
	return false
}
