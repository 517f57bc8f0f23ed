package sandbox_test

import (
	"os"
	"testing"

	"paddock/sandbox"
)

// TestMain lets the test binary be the stages of its own sandboxes.
func TestMain(m *testing.M) {
	sandbox.MaybeInit()
	os.Exit(m.Run())
}
