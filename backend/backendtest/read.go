package backendtest

import (
	"io"
	"slices"
	"strconv"
	"testing"
	"time"

	"paddock/backend"
)

func (s suite) describe(t *testing.T, b backend.Backend) {
	before := time.Now().Add(-time.Minute)
	put(t, b, "f", "12345")
	mkdir(t, b, "d")
	f, d := stat(t, b, "f"), stat(t, b, "d")
	if f.Kind != backend.File || f.Size != 5 || f.Links > 1 || f.Target != "" {
		t.Errorf("file: %+v; want a file of 5 bytes with one name", f)
	}
	if f.ModTime.Before(before) || f.ModTime.After(time.Now().Add(time.Minute)) {
		t.Errorf("file: modified at %v", f.ModTime)
	}
	if f.Mode&^0o777 != 0 || f.Mode&0o400 == 0 {
		t.Errorf("file: mode %o; want permission bits that let its owner read", f.Mode)
	}
	if d.Kind != backend.Dir {
		t.Errorf("folder: %+v", d)
	}
	r, err := b.Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if info, err := r.Info(); err != nil || info != f {
		t.Errorf("open file: %+v, %v; want %+v", info, err, f)
	}
	put(t, b, "empty", "")
	if info := stat(t, b, "empty"); info.Size != 0 || info.Kind != backend.File {
		t.Errorf("empty file: %+v", info)
	}
}

func (s suite) list(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	var want []string
	for i := range 300 {
		name := strconv.Itoa(i)
		put(t, b, "d/"+name, name)
		want = append(want, name)
	}
	mkdir(t, b, "d/sub")
	want = append(want, "sub")
	put(t, b, "d/sub/x", "not in the list")
	slices.Sort(want)
	entries, err := b.ReadDir(ctx, "d")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name)
		if info := stat(t, b, "d/"+e.Name); info != e.Info {
			t.Errorf("%q is %+v in the list, %+v alone", e.Name, e.Info, info)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the list is %q, want %q", got, want)
	}
	_, err = b.ReadDir(ctx, "d/1")
	is(t, "list of a file", err, backend.ErrNotDir)
}

func (s suite) read(t *testing.T, b backend.Backend) {
	put(t, b, "f", "0123456789")
	r, err := b.Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	buf := make([]byte, 4)
	if n, err := r.ReadAt(buf, 8); n != 2 || err != io.EOF {
		t.Errorf("read at 8: %d, %v; want 2, EOF", n, err)
	}
	if n, err := r.ReadAt(buf, 3); n != 4 || err != nil || string(buf) != "3456" {
		t.Errorf("read at 3: %q, %v", buf[:n], err)
	}
	if data, err := io.ReadAll(r); err != nil || string(data) != "0123456789" {
		t.Errorf("read: %q, %v", data, err)
	}
	mkdir(t, b, "d")
	_, err = b.Open(ctx, "d")
	is(t, "open a folder", err, backend.ErrIsDir)
	put(t, b, "big", big('x'))
	holds(t, b, "big", big('x'))
}

// openFileStays reads on in a file while its name goes through everything.
func (s suite) openFileStays(t *testing.T, b backend.Backend) {
	info := put(t, b, "f", big('1'))
	r, err := b.Open(ctx, "f")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	half := make([]byte, 100_000)
	if _, err := io.ReadFull(r, half); err != nil {
		t.Fatal(err)
	}
	put(t, b, "f", "short")
	is(t, "remove", b.Remove(ctx, "f", stat(t, b, "f")), nil)
	mkdir(t, b, "f")
	rest, err := io.ReadAll(r)
	if err != nil || string(half)+string(rest) != big('1') {
		t.Errorf("the open file gave %d other bytes, %v", len(half)+len(rest), err)
	}
	if now, err := r.Info(); err != nil || now.ID != info.ID || now.Size != info.Size {
		t.Errorf("the open file is %+v, %v; want %+v", now, err, info)
	}
}

// hold compares the optional quick way with the usual one.
func (s suite) hold(t *testing.T, b backend.Backend) {
	h, can := b.(backend.Holder)
	if !can {
		t.Skip("this backend is no Holder")
	}
	mkdir(t, b, "d")
	put(t, b, "d/f", "held")
	put(t, b, "f", "short name")
	if s.o.Link != nil {
		s.o.Link(t, b, "d/link", "f")
		s.o.Link(t, b, "link", "f")
		s.o.Link(t, b, "dirlink", "d")
	}
	for _, name := range []string{"no", "d/no", "no/no", "f/no", "", "d/../f", "..", "link", "d/link", "dirlink", "dirlink/f"} {
		if info, ok := h.Plain(name); ok {
			t.Errorf("Plain(%q) = %+v", name, info)
		}
		if held, ok := h.Hold(name); ok {
			t.Errorf("Hold(%q) = %+v", name, held.Info())
			held.Close()
		}
	}
	for _, name := range []string{".", "d", "f", "d/f"} {
		want := stat(t, b, name)
		if info, ok := h.Plain(name); !ok || info != want {
			t.Errorf("Plain(%q) = %+v, %v; want %+v", name, info, ok, want)
		}
		held, ok := h.Hold(name)
		if !ok || held.Info() != want {
			t.Fatalf("Hold(%q) = %+v, %v; want %+v", name, held, ok, want)
		}
		defer held.Close()
	}
	held, _ := h.Hold("d/f")
	defer held.Close()
	put(t, b, "d/f", "another")
	r, err := held.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	is(t, "close", held.Close(), nil)
	if data, err := io.ReadAll(r); err != nil || string(data) != "held" {
		t.Errorf("the held file gave %q, %v; want the one that was held", data, err)
	}
	folder, _ := h.Hold("d")
	defer folder.Close()
	_, err = folder.Open()
	is(t, "open a held folder", err, backend.ErrIsDir)
}
