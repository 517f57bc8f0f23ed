package paddock_test

import (
	"context"
	"os"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// Options that do not fit the policy are refused.
func TestNewRefuses(t *testing.T) {
	base := tempDir(t)
	d, err := disk.Open(base)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() // only read
	entry := policy.PathEntry{Slug: "root", Path: "."}
	mem := policy.PathEntry{Slug: "root", Backend: "memory"}
	for name, o := range map[string]paddock.Options{
		"no policy":       {},
		"no backend":      {Context: &policy.SecurityContext{Paths: []policy.PathEntry{entry}}},
		"memory for disk": {Context: &policy.SecurityContext{Paths: []policy.PathEntry{entry}}, Mounts: map[string]backend.Backend{"root": backend.NewMemory(1)}},
		"disk for memory": {Context: &policy.SecurityContext{Paths: []policy.PathEntry{mem}}, Mounts: map[string]backend.Backend{"root": d}},
	} {
		if g, err := paddock.New(o); err == nil {
			t.Errorf("%s: %v", name, g)
		}
	}
}

// A policy without paths has every path, from its directory, and only by the
// name that says so.
func TestUnrestrictedPaths(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/d/a.txt", "a")
	put(t, base+"/d/x.env", "SECRET")
	whole, err := disk.Open("/")
	if err != nil {
		t.Fatal(err)
	}
	all := policy.All
	g, err := paddock.New(paddock.Options{
		Context: &policy.SecurityContext{Permissions: &all, UnrestrictedPaths: true, DeniedPathRegex: []string{"*.env"}, AllowedCommands: []string{"*"}},
		Mounts:  map[string]backend.Backend{"": whole}, Dir: base + "/d",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close() // only read
	for _, path := range []string{"a.txt", base + "/d/a.txt", "../d/a.txt"} {
		if text, err := read(t, g, path); text != "a" || err != nil {
			t.Errorf("%s: %q %v", path, text, err)
		}
	}
	if _, err := read(t, g, "x.env"); kind(err) != paddock.PathAccessDenied {
		t.Error(err)
	}
	c := g.Begin("execute", nil)
	if dir, err := c.AuthorizeCommand(context.Background(), "true", nil, ""); dir != base+"/d" || err != nil {
		t.Errorf("a command runs in %q: %v", dir, err)
	}
	if _, err := c.AuthorizeCommand(context.Background(), "cat < x.env", nil, ""); kind(err) != paddock.PathAccessDenied {
		t.Errorf("a redirection: %v", err)
	}
	if err := write(g, "new.txt", "n"); err != nil || content(t, base+"/d/new.txt") != "n" {
		t.Error(err)
	}
	if _, err := os.Stat(base + "/new.txt"); err == nil {
		t.Error("written elsewhere")
	}
}
