package backendtest

import (
	"io/fs"
	"strings"
	"testing"

	"paddock/backend"
)

// links meets a link in the middle and at the end of a name, where the contract
// has an error for it. Each leads to a place where the call would succeed.
func (s suite) links(t *testing.T, b backend.Backend) {
	mkdir(t, b, "real")
	mkdir(t, b, "real/sub")
	put(t, b, "real/f", "kept")
	f := stat(t, b, "real/f")
	s.o.Link(t, b, "dirlink", "real")
	s.o.Link(t, b, "filelink", "real/f")
	s.o.Link(t, b, "dangling", "real/new")
	s.o.Link(t, b, "up", "..")
	s.o.Link(t, b, "proc", "/proc/self/root")

	for _, through := range []string{"dirlink/f", "proc/etc", "up/x"} {
		_, err := b.Stat(ctx, through)
		is(t, "stat "+through, err, backend.ErrSwapped)
		_, err = b.Open(ctx, through)
		is(t, "open "+through, err, backend.ErrSwapped)
		_, err = b.ReadDir(ctx, through)
		is(t, "list "+through, err, backend.ErrSwapped)
		_, err = b.Write(ctx, through, strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
		is(t, "write "+through, err, backend.ErrSwapped)
		is(t, "remove "+through, b.Remove(ctx, through, f), backend.ErrSwapped)
		is(t, "make folder "+through, b.Mkdir(ctx, through, 0), backend.ErrSwapped)
		is(t, "rename from "+through, b.Rename(ctx, through, "x", f, false), backend.ErrSwapped)
		is(t, "rename to "+through, b.Rename(ctx, "real/f", through, f, true), backend.ErrSwapped)
	}
	_, err := b.ReadDir(ctx, "dirlink")
	is(t, "list a link", err, backend.ErrSwapped)
	for _, link := range []string{"filelink", "dirlink", "dangling"} {
		_, err := b.Open(ctx, link)
		is(t, "open "+link, err, backend.ErrSwapped)
		for _, o := range []backend.WriteOptions{{Create: true}, {Replace: true}, {Create: true, Replace: true}} {
			_, err = b.Write(ctx, link, strings.NewReader("x"), o)
			is(t, "write "+link, err, backend.ErrSwapped)
		}
	}
	absent(t, b, "real/new")
	holds(t, b, "real/f", "kept")
	if stat(t, b, "real/f") != f {
		t.Error("the file behind the links was touched")
	}
}

// lastLinks takes links as objects of their own.
func (s suite) lastLinks(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	put(t, b, "d/f", "kept")
	long := strings.Repeat("long/", 700) + "x"
	for name, target := range map[string]string{
		"link": "d/f", "d/link": "f", "dirlink": "d", "dangling": "no/such", "odd": "a\nb\xff", "long": long,
	} {
		s.o.Link(t, b, name, target)
		info := stat(t, b, name)
		if info.Kind != backend.Link || info.Target != target {
			t.Errorf("%q is of kind %d to %.40q, want a link to %.40q", name, info.Kind, info.Target, target)
		}
	}
	entries, err := b.ReadDir(ctx, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Info != stat(t, b, e.Name) {
			t.Errorf("%q is %+v in the list", e.Name, e.Info)
		}
	}
	is(t, "move a link", b.Rename(ctx, "link", "moved", stat(t, b, "link"), false), nil)
	if info := stat(t, b, "moved"); info.Kind != backend.Link || info.Target != "d/f" {
		t.Errorf("the moved link is %+v", info)
	}
	x := put(t, b, "x", "X")
	is(t, "replace a link", b.Rename(ctx, "x", "moved", x, true), nil)
	holds(t, b, "moved", "X")
	holds(t, b, "d/f", "kept")
	is(t, "remove a link to a folder", b.Remove(ctx, "dirlink", stat(t, b, "dirlink")), nil)
	is(t, "remove a link to nothing", b.Remove(ctx, "dangling", stat(t, b, "dangling")), nil)
	is(t, "remove a link to a file", b.Remove(ctx, "d/link", stat(t, b, "d/link")), nil)
	holds(t, b, "d/f", "kept")
	is(t, "make a folder over a link", b.Mkdir(ctx, "odd", 0), fs.ErrExist)
}

func (s suite) special(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	s.o.Special(t, b, "d/fifo")
	info := stat(t, b, "d/fifo")
	if info.Kind != backend.Special {
		t.Fatalf("the FIFO is %+v", info)
	}
	// Each of these would block for ever on an opened FIFO.
	_, err := b.Open(ctx, "d/fifo")
	is(t, "open", err, backend.ErrSpecial)
	_, err = b.Write(ctx, "d/fifo", strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
	is(t, "write", err, backend.ErrSpecial)
	_, err = b.ReadDir(ctx, "d/fifo")
	is(t, "list", err, backend.ErrNotDir)
	if h, can := b.(backend.Holder); can {
		held, ok := h.Hold("d/fifo")
		if !ok || held.Info() != info {
			t.Fatalf("hold: %v, %v", held, ok)
		}
		defer held.Close()
		_, err := held.Open()
		is(t, "open a held FIFO", err, backend.ErrSpecial)
	}
	is(t, "rename", b.Rename(ctx, "d/fifo", "fifo", info, false), nil)
	is(t, "remove", b.Remove(ctx, "fifo", info), nil)
	absent(t, b, "fifo")
}
