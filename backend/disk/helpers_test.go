package disk

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/backend"
)

var bg = context.Background()

func open(t *testing.T, path string) *Tree {
	t.Helper()
	tree, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

func content(t *testing.T, b backend.Backend, name string) string {
	t.Helper()
	r, err := b.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func noTemporaries(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), backend.TempPrefix) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// quickDir is a folder in memory where there is one: without waits for the disk
// a race meets its moments far more often.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "paddock-test")
	if err != nil {
		t.Logf("the race runs on the disk: %v", err)
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
