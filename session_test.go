package paddock_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

const sessionPolicy = `version: 1
paths:
  - {slug: root, path: ., allowed_permission: read|write}
  - {slug: notes, backend: memory, allowed_permission: read|write}
workers:
  reader: {paths: [{slug: notes, backend: memory, allowed_permission: read}, {slug: root, path: ., allowed_permission: read}]}
`

// sessionGuard is a Guard with a mount on disk and one in memory.
func sessionGuard(t *testing.T) (*paddock.Guard, string) {
	t.Helper()
	dir := t.TempDir()
	c, err := policy.Parse("paddock.yaml", []byte(sessionPolicy))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := paddock.New(paddock.Options{
		Context: c, Mounts: map[string]backend.Backend{"root": tree, "notes": backend.NewMemory(1 << 20)}, Dir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g, dir
}

func sessionWrite(t *testing.T, g *paddock.Guard, path, text string) {
	t.Helper()
	c := g.Begin("write_file", nil)
	_, err := c.Write(t.Context(), path, []byte(text), paddock.WriteOptions{Create: true, Replace: true})
	c.End(err)
	if err != nil {
		t.Fatalf("writing %s: %v", path, err)
	}
}

func sessionRead(t *testing.T, g *paddock.Guard, path string) (string, error) {
	t.Helper()
	c := g.Begin("read_file", nil)
	f, err := c.Open(t.Context(), path)
	defer func() { c.End(err) }()
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return string(text), err
}

func TestSessionsShareTheDiskAndNothingElse(t *testing.T) {
	g, dir := sessionGuard(t)
	open := func() *paddock.Guard {
		s, err := g.Session(map[string]backend.Backend{"notes": backend.NewMemory(1 << 20)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, two := open(), open()
	sessionWrite(t, one, "/notes/a.txt", "of one")
	sessionWrite(t, one, "/shared.txt", "of all")
	for name, other := range map[string]*paddock.Guard{"the other session": two, "the first Guard": g} {
		if text, err := sessionRead(t, other, "/notes/a.txt"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s reads the session's memory: %q, %v", name, text, err)
		}
		if text, err := sessionRead(t, other, "/shared.txt"); text != "of all" {
			t.Errorf("%s does not see the disk: %q, %v", name, text, err)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "late.txt"), []byte("late"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := sessionRead(t, two, "/late.txt"); text != "late" {
		t.Errorf("after one session was closed the other reads %q, %v", text, err)
	}
}

func TestSessionOfAWorkerIsNoWider(t *testing.T) {
	g, _ := sessionGuard(t)
	s, err := g.Session(map[string]backend.Backend{"notes": backend.NewMemory(1 << 20)})
	if err != nil {
		t.Fatal(err)
	}
	sessionWrite(t, s, "/notes/a.txt", "mine")
	w, err := s.Worker("reader", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := sessionRead(t, w, "/notes/a.txt"); text != "mine" {
		t.Errorf("the session's worker reads %q, %v", text, err)
	}
	c := w.Begin("write_file", nil)
	_, err = c.Write(t.Context(), "/notes/a.txt", []byte("more"), paddock.WriteOptions{Replace: true})
	c.End(err)
	var denial *policy.Denial
	if !errors.As(err, &denial) {
		t.Errorf("the session's worker may write: %v", err)
	}
}

func TestSessionReplacesOnlyWhatItMay(t *testing.T) {
	g, _ := sessionGuard(t)
	for name, own := range map[string]map[string]backend.Backend{
		"a mount on disk": {"root": backend.NewMemory(1)},
		"no mount":        {"other": backend.NewMemory(1)},
	} {
		if _, err := g.Session(own); err == nil {
			t.Errorf("%s was replaced", name)
		}
	}
}
