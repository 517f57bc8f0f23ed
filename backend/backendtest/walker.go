package backendtest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"paddock/backend"
)

// listNames compares Names with ReadDir, in folders of every size and with
// every kind of object.
func (s suite) listNames(t *testing.T, b backend.Backend) {
	w, can := b.(backend.Walker)
	if !can {
		t.Skip("this backend is no Walker")
	}
	mkdir(t, b, "d")
	mkdir(t, b, "empty")
	mkdir(t, b, "many")
	for i := range 700 { // more than one read of the system gives
		put(t, b, "many/"+strings.Repeat("n", 1+i%200)+string(rune('a'+i/200)), "")
	}
	put(t, b, "d/f", "x")
	put(t, b, "d/"+strings.Repeat("l", 255), "x")
	put(t, b, "d/é.txt", "x")
	mkdir(t, b, "d/sub")
	if s.o.Link != nil {
		s.o.Link(t, b, "d/link", "f")
		s.o.Link(t, b, "d/dangling", strings.Repeat("no/", 300))
		s.o.Link(t, b, "dirlink", "d")
	}
	if s.o.Special != nil {
		s.o.Special(t, b, "d/fifo")
	}
	for _, name := range []string{".", "d", "empty", "many", "d/sub"} {
		want, err := b.ReadDir(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.Names(ctx, name)
		if err != nil || len(got) != len(want) {
			t.Fatalf("Names(%q) gives %d entries, %v; want %d", name, len(got), err, len(want))
		}
		for i := range want {
			if got[i].Name != want[i].Name || got[i].Kind != want[i].Kind || got[i].Target != want[i].Target {
				t.Errorf("Names(%q): %+v; want %+v", name, got[i], want[i])
			}
		}
	}
	for _, name := range []string{"no", "no/no", "d/f", "d/f/x", "", "..", "d/../d", "dirlink", "dirlink/sub", "d/link"} {
		_, want := b.ReadDir(ctx, name)
		_, err := w.Names(ctx, name)
		for _, kind := range []error{fs.ErrNotExist, backend.ErrNotDir, backend.ErrName, backend.ErrSwapped} {
			if err == nil || errors.Is(err, kind) != errors.Is(want, kind) {
				t.Errorf("Names(%q): %v; want %v", name, err, want)
			}
		}
	}
	done, stop := context.WithCancel(ctx)
	stop()
	_, err := w.Names(done, "many")
	is(t, "names of a canceled call", err, context.Canceled)
}

// folder holds a folder and opens what is in it.
func (s suite) folder(t *testing.T, b backend.Backend) {
	w, can := b.(backend.Walker)
	if !can {
		t.Skip("this backend is no Walker")
	}
	mkdir(t, b, "d")
	mkdir(t, b, "d/sub")
	put(t, b, "d/f", "content")
	put(t, b, "d/sub/g", "deeper")
	put(t, b, "f", "outside")
	if s.o.Link != nil {
		s.o.Link(t, b, "d/link", "f")
		s.o.Link(t, b, "d/up", "../f")
		s.o.Link(t, b, "dirlink", "d")
	}
	if s.o.Special != nil {
		s.o.Special(t, b, "d/fifo")
	}
	for _, name := range []string{"no", "no/no", "f", "d/f", "", "..", "d/../d", "dirlink", "dirlink/sub"} {
		if f, ok := w.Folder(name); ok {
			t.Errorf("Folder(%q) is held", name)
			f.Close()
		}
	}
	f, ok := w.Folder("d")
	if !ok {
		t.Skip("this backend holds no folder here")
	}
	for _, part := range []string{"no", "sub", "sub/g", "f/x", "", ".", "..", "../f", "/f", "f\x00", "link", "up", "fifo", strings.Repeat("l", 256)} {
		if r, info, ok := f.Open(part); ok {
			t.Errorf("Open(%q) = %+v", part, info)
			r.Close()
		}
	}
	r, info, ok := f.Open("f")
	if !ok || info != stat(t, b, "d/f") {
		t.Fatalf("Open gives %+v, %v; want %+v", info, ok, stat(t, b, "d/f"))
	}
	// The folder and the file stay what they are.
	is(t, "rename", b.Rename(ctx, "d", "moved", stat(t, b, "d"), false), nil)
	mkdir(t, b, "d")
	put(t, b, "d/f", "another")
	again, _, ok := f.Open("f")
	if !ok {
		t.Fatal("the held folder no longer opens its file")
	}
	is(t, "close the folder", f.Close(), nil)
	is(t, "close it again", f.Close(), nil)
	for _, r := range []backend.Reader{r, again} {
		var part [3]byte
		if n, err := r.ReadAt(part[:], 2); n != 3 || err != nil || string(part[:]) != "nte" {
			t.Errorf("ReadAt gives %q, %v", part[:n], err)
		}
		if n, err := r.ReadAt(part[:], 5); n != 2 || err != io.EOF {
			t.Errorf("ReadAt near the end gives %d, %v", n, err)
		}
		if _, err := r.ReadAt(part[:], -1); err == nil {
			t.Error("ReadAt before the beginning gives no error")
		}
		if n, err := r.Read(nil); n != 0 || err != nil {
			t.Errorf("an empty Read gives %d, %v", n, err)
		}
		if data, err := io.ReadAll(r); err != nil || string(data) != "content" {
			t.Errorf("the file gives %q, %v", data, err)
		}
		if now, err := r.Info(); err != nil || now.ID != info.ID || now.Size != info.Size {
			t.Errorf("Info gives %+v, %v; want %+v", now, err, info)
		}
		is(t, "close", r.Close(), nil)
		if _, err := r.Read(part[:]); err == nil {
			t.Error("a closed file is read")
		}
		if _, err := r.Info(); err == nil {
			t.Error("a closed file is described")
		}
	}
}
