// Package backendtest is the suite that every backend passes. It holds a test
// for each sentence of the contract in package backend.
package backendtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"paddock/backend"
)

// Options tell the suite what a backend can have that the contract alone has no
// way to make. A missing one leaves out the tests that need it; the suite logs
// which.
type Options struct {
	// Link makes a symbolic link, as somebody else would.
	Link func(t *testing.T, b backend.Backend, name, target string)
	// Special makes a FIFO.
	Special func(t *testing.T, b backend.Backend, name string)
	// Append adds bytes to a file, as somebody else would.
	Append func(t *testing.T, b backend.Backend, name, more string)
	// PlainNames says that names are text and not any bytes.
	PlainNames bool
	// NoIDs says that the backend cannot tell objects apart.
	NoIDs bool
}

// Run runs the suite. open gives an empty backend; the suite closes it.
func Run(t *testing.T, open func(t *testing.T) backend.Backend, o Options) {
	s := suite{open: open, o: o}
	for _, test := range []struct {
		name string
		run  func(t *testing.T, b backend.Backend)
		can  bool
	}{
		{"names", s.names, true},
		{"raw names", s.rawNames, !o.PlainNames},
		{"impossible names", s.impossibleNames, true},
		{"through a file", s.throughFile, true},
		{"missing", s.missing, true},
		{"the mount itself", s.mount, true},
		{"describe", s.describe, true},
		{"list", s.list, true},
		{"read", s.read, true},
		{"open file stays", s.openFileStays, true},
		{"write table", s.writeTable, true},
		{"judged", s.judged, true},
		{"judged has changed", s.judgedChanged, o.Append != nil},
		{"failing content", s.failingContent, true},
		{"canceled", s.canceled, true},
		{"kept mode", s.keptMode, true},
		{"make folder", s.mkdir, true},
		{"remove", s.remove, true},
		{"rename", s.rename, true},
		{"rename folder", s.renameFolder, true},
		{"identity", s.identity, !o.NoIDs},
		{"links", s.links, o.Link != nil},
		{"link as last part", s.lastLinks, o.Link != nil},
		{"special", s.special, o.Special != nil},
		{"hold", s.hold, true},
		{"list names", s.listNames, true},
		{"folder", s.folder, true},
		{"writers", s.writers, true},
		{"creators", s.creators, true},
		{"careful writers", s.carefulWriters, !o.NoIDs},
		{"movers", s.movers, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !test.can {
				t.Skip("this backend has no such thing")
			}
			b := open(t)
			defer func() {
				noTemporaries(t, b, ".")
				if err := b.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			test.run(t, b)
		})
	}
}

type suite struct {
	open func(t *testing.T) backend.Backend
	o    Options
}

var ctx = context.Background()

func put(t *testing.T, b backend.Backend, name, content string) backend.Info {
	t.Helper()
	res, err := b.Write(ctx, name, strings.NewReader(content), backend.WriteOptions{Create: true, Replace: true})
	if err != nil {
		t.Fatalf("write %q: %v", name, err)
	}
	return res.Info
}

func mkdir(t *testing.T, b backend.Backend, name string) {
	t.Helper()
	if err := b.Mkdir(ctx, name, 0); err != nil {
		t.Fatalf("mkdir %q: %v", name, err)
	}
}

func stat(t *testing.T, b backend.Backend, name string) backend.Info {
	t.Helper()
	info, err := b.Stat(ctx, name)
	if err != nil {
		t.Fatalf("stat %q: %v", name, err)
	}
	return info
}

func get(t *testing.T, b backend.Backend, name string) string {
	t.Helper()
	r, err := b.Open(ctx, name)
	if err != nil {
		t.Fatalf("open %q: %v", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("read %q: %v", name, err)
	}
	return string(data)
}

func holds(t *testing.T, b backend.Backend, name, want string) {
	t.Helper()
	if got := get(t, b, name); got != want {
		t.Errorf("%q holds %.40q, want %.40q", name, got, want)
	}
}

func absent(t *testing.T, b backend.Backend, name string) {
	t.Helper()
	if info, err := b.Stat(ctx, name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat %q = %+v, %v; want fs.ErrNotExist", name, info, err)
	}
}

// is checks an error against a wanted one, nil included.
func is(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v; want %v", what, err, want)
	}
}

// names gives the names of a folder.
func namesIn(t *testing.T, b backend.Backend, folder string) []string {
	t.Helper()
	entries, err := b.ReadDir(ctx, folder)
	if err != nil {
		t.Fatalf("list %q: %v", folder, err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

func noTemporaries(t *testing.T, b backend.Backend, folder string) {
	t.Helper()
	entries, err := b.ReadDir(ctx, folder)
	if err != nil {
		t.Fatalf("list %q: %v", folder, err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name, backend.TempPrefix) {
			t.Errorf("%q was left behind in %q", e.Name, folder)
		}
		if e.Kind == backend.Dir {
			noTemporaries(t, b, join(folder, e.Name))
		}
	}
}

func join(folder, name string) string {
	if folder == "." {
		return name
	}
	return folder + "/" + name
}

// big is content of several buffers that tells its writer in every byte.
func big(writer byte) string { return string(bytes.Repeat([]byte{writer}, 300_000)) }
