//go:build unix && (!linux || osroot)

package disk

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"paddock/backend"
	"paddock/backend/backendtest"
)

func TestSuite(t *testing.T) { suite(t, false) }

func TestSuiteWhereNamesFold(t *testing.T) { suite(t, true) }

func suite(t *testing.T, folds bool) {
	path := func(b backend.Backend, name string) string { return filepath.Join(b.(*Tree).Root(), name) }
	backendtest.Run(t, func(t *testing.T) backend.Backend {
		tree, err := Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		tree.folds = tree.folds || folds
		return tree
	}, backendtest.Options{
		Link: func(t *testing.T, b backend.Backend, name, target string) {
			t.Helper()
			if err := os.Symlink(target, path(b, name)); err != nil {
				t.Fatal(err)
			}
		},
		Special: func(t *testing.T, b backend.Backend, name string) {
			t.Helper()
			if err := syscall.Mkfifo(path(b, name), 0o666); err != nil {
				t.Fatal(err)
			}
		},
	})
}
