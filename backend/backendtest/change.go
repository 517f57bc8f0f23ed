package backendtest

import (
	"io/fs"
	"strings"
	"testing"

	"paddock/backend"
)

func (s suite) mkdir(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	if d := stat(t, b, "d"); d.Kind != backend.Dir || d.Mode&^0o755 != 0 || d.Mode&0o700 != 0o700 {
		t.Errorf("new folder: %+v; want mode 755 less the umask", d)
	}
	is(t, "one more", b.Mkdir(ctx, "d", 0), fs.ErrExist)
	put(t, b, "f", "x")
	is(t, "over a file", b.Mkdir(ctx, "f", 0), fs.ErrExist)
	holds(t, b, "f", "x")
	is(t, "private", b.Mkdir(ctx, "p", 0o700), nil)
	if p := stat(t, b, "p"); p.Mode != 0o700 {
		t.Errorf("private folder: mode %o", p.Mode)
	}
	is(t, "two at once", b.Mkdir(ctx, "x/y", 0), fs.ErrNotExist)
	absent(t, b, "x")
}

func (s suite) remove(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	put(t, b, "d/f", "x")
	is(t, "folder in use", b.Remove(ctx, "d", stat(t, b, "d")), backend.ErrNotEmpty)
	holds(t, b, "d/f", "x")
	is(t, "file", b.Remove(ctx, "d/f", stat(t, b, "d/f")), nil)
	absent(t, b, "d/f")
	is(t, "empty folder", b.Remove(ctx, "d", stat(t, b, "d")), nil)
	absent(t, b, "d")
	// A file that has grown since is still the judged one.
	info := put(t, b, "f", "x")
	if s.o.Append != nil {
		s.o.Append(t, b, "f", "more")
	}
	is(t, "changed file", b.Remove(ctx, "f", info), nil)
	absent(t, b, "f")
}

func (s suite) rename(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	a := put(t, b, "a", "A")
	is(t, "to a free name", b.Rename(ctx, "a", "d/b", a, false), nil)
	absent(t, b, "a")
	holds(t, b, "d/b", "A")
	if got := stat(t, b, "d/b"); got.Size != 1 || got.ID != a.ID {
		t.Errorf("the moved file is %+v, was %+v", got, a)
	}
	c := put(t, b, "c", "C")
	is(t, "to a taken name", b.Rename(ctx, "c", "d/b", c, false), fs.ErrExist)
	holds(t, b, "c", "C")
	holds(t, b, "d/b", "A")
	is(t, "in place of another", b.Rename(ctx, "c", "d/b", c, true), nil)
	absent(t, b, "c")
	holds(t, b, "d/b", "C")
	is(t, "to itself", b.Rename(ctx, "d/b", "d/b", c, false), fs.ErrExist)
	is(t, "to itself, replacing", b.Rename(ctx, "d/b", "d/b", c, true), fs.ErrExist)
	holds(t, b, "d/b", "C")
	is(t, "file over a folder", b.Rename(ctx, "d/b", "d", c, false), fs.ErrExist)
	mkdir(t, b, "e")
	is(t, "file over a folder, replacing", b.Rename(ctx, "d/b", "e", c, true), backend.ErrIsDir)
	holds(t, b, "d/b", "C")
}

func (s suite) renameFolder(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	mkdir(t, b, "d/sub")
	put(t, b, "d/sub/f", "deep")
	d := stat(t, b, "d")
	is(t, "into itself", b.Rename(ctx, "d", "d/sub/d", d, false), fs.ErrInvalid)
	is(t, "right into itself", b.Rename(ctx, "d", "d/d", d, true), fs.ErrInvalid)
	holds(t, b, "d/sub/f", "deep")
	is(t, "folder", b.Rename(ctx, "d", "e", d, false), nil)
	absent(t, b, "d")
	holds(t, b, "e/sub/f", "deep")
	put(t, b, "f", "x")
	is(t, "over a file", b.Rename(ctx, "e", "f", d, true), backend.ErrNotDir)
	holds(t, b, "f", "x")
	mkdir(t, b, "used")
	put(t, b, "used/x", "kept")
	is(t, "over a folder in use", b.Rename(ctx, "e", "used", d, true), backend.ErrNotEmpty)
	holds(t, b, "used/x", "kept")
	mkdir(t, b, "empty")
	is(t, "over an empty folder", b.Rename(ctx, "e", "empty", d, false), fs.ErrExist)
	is(t, "over an empty folder, replacing", b.Rename(ctx, "e", "empty", d, true), nil)
	holds(t, b, "empty/sub/f", "deep")
	absent(t, b, "e")
	// A name that only begins the same is another place.
	is(t, "beside itself", b.Rename(ctx, "empty", "empty2", d, false), nil)
	holds(t, b, "empty2/sub/f", "deep")
}

// identity hands in the judgement of another object each time.
func (s suite) identity(t *testing.T, b backend.Backend) {
	a, other := put(t, b, "a", "A"), put(t, b, "other", "O")
	mkdir(t, b, "d")
	mkdir(t, b, "d2")
	d, d2 := stat(t, b, "d"), stat(t, b, "d2")
	ids := map[backend.ID]bool{a.ID: true, other.ID: true, d.ID: true, d2.ID: true}
	if len(ids) != 4 || ids[backend.ID{}] {
		t.Errorf("four objects have the identities %v", ids)
	}
	for _, wrong := range []backend.Info{other, d, {Kind: backend.Link, ID: a.ID}} {
		is(t, "remove", b.Remove(ctx, "a", wrong), backend.ErrSwapped)
		is(t, "rename", b.Rename(ctx, "a", "free", wrong, false), backend.ErrSwapped)
		is(t, "rename", b.Rename(ctx, "a", "other", wrong, true), backend.ErrSwapped)
		_, err := b.Write(ctx, "a", strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true, Judged: &wrong})
		is(t, "write", err, backend.ErrSwapped)
	}
	is(t, "remove folder", b.Remove(ctx, "d", d2), backend.ErrSwapped)
	is(t, "rename folder", b.Rename(ctx, "d", "free", d2, false), backend.ErrSwapped)
	absent(t, b, "free")
	holds(t, b, "a", "A")
	holds(t, b, "other", "O")
	if stat(t, b, "d") != d || stat(t, b, "d2") != d2 {
		t.Error("a folder changed")
	}
}
