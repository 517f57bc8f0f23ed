//go:build amd64 || arm64

package sandbox_test

import (
	"os"
	"testing"

	"paddock/sandbox"
)

// TestMain lets the test binary be the stages of its own sandboxes, and the
// programs that tests run in them.
func TestMain(m *testing.M) {
	sandbox.MaybeInit()
	if len(os.Args) == 3 && os.Args[1] == "attack" {
		os.Exit(attackMain(os.Args[2]))
	}
	if len(os.Args) == 3 && os.Args[1] == "parent" {
		os.Exit(parentMain(os.Args[2]))
	}
	if len(os.Args) == 2 && os.Args[1] == "operations" {
		os.Exit(operationsMain())
	}
	os.Exit(m.Run())
}
