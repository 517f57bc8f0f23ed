//go:build !osroot

package disk

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/backend/backendtest"
)

func hostPath(b backend.Backend, name string) string {
	return filepath.Join(b.(*Tree).Root(), name)
}

// suiteOptions act on the tree from outside, as another program would.
var suiteOptions = backendtest.Options{
	Link: func(t *testing.T, b backend.Backend, name, target string) {
		t.Helper()
		if err := os.Symlink(target, hostPath(b, name)); err != nil {
			t.Fatal(err)
		}
	},
	Special: func(t *testing.T, b backend.Backend, name string) {
		t.Helper()
		if err := unix.Mkfifo(hostPath(b, name), 0o666); err != nil {
			t.Fatal(err)
		}
	},
	Append: func(t *testing.T, b backend.Backend, name, more string) {
		t.Helper()
		f, err := os.OpenFile(hostPath(b, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(more); err != nil {
			t.Fatal(err)
		}
	},
}

func TestSuite(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) backend.Backend {
		tree, err := Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}, suiteOptions)
}

// TestSuiteWhereNamesFold does the same with the look at each spelling.
func TestSuiteWhereNamesFold(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) backend.Backend {
		tree, err := Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		tree.folds = true
		return tree
	}, suiteOptions)
}
