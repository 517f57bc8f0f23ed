package backendtest

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"paddock/backend"
)

// use does everything once with a name and finds it under exactly that name.
func use(t *testing.T, b backend.Backend, folder, part string) {
	t.Helper()
	name := join(folder, part)
	put(t, b, name, "content of "+part)
	holds(t, b, name, "content of "+part)
	if names := namesIn(t, b, folder); !slices.Contains(names, part) {
		t.Errorf("%q is not in the list %q", part, names)
	}
	info := stat(t, b, name)
	is(t, "rename away", b.Rename(ctx, name, join(folder, "away"), info, false), nil)
	is(t, "rename back", b.Rename(ctx, join(folder, "away"), name, info, false), nil)
	is(t, "remove", b.Remove(ctx, name, info), nil)
	absent(t, b, name)
	is(t, "make folder", b.Mkdir(ctx, name, 0), nil)
	is(t, "remove folder", b.Remove(ctx, name, stat(t, b, name)), nil)
}

func (s suite) names(t *testing.T, b backend.Backend) {
	for _, part := range []string{
		"a", "a b", ".hidden", "...", "..a", "a..b", "~", "-rf", "*", "é", "e\u0301", "名前", "a.txt", "[x]", "$HOME",
		strings.Repeat("n", 255),
	} {
		use(t, b, ".", part)
	}
	// 20 folders of 200 bytes: a name close to what is possible.
	folder := "."
	for range 20 {
		folder = join(folder, strings.Repeat("d", 200))
		mkdir(t, b, folder)
	}
	use(t, b, folder, "deep")
}

func (s suite) rawNames(t *testing.T, b backend.Backend) {
	for _, part := range []string{"line\nbreak", "\xff\xfe", "tab\t", "back\\slash", "\x01\x7f", "\u202etxt.exe", " ", "a:b", "end.", "end "} {
		use(t, b, ".", part)
	}
}

func (s suite) impossibleNames(t *testing.T, b backend.Backend) {
	mkdir(t, b, "d")
	info := put(t, b, "f", "kept")
	for _, name := range []string{
		"", "/", "/f", "f/", "d//f", "./f", "d/.", "d/./f", "..", "../f", "d/..", "d/../f", "f\x00", "\x00", "d/\x00/f",
		strings.Repeat("n", 256), "d/" + strings.Repeat("n", 256), strings.Repeat("d/", 2048) + "f",
	} {
		what := name
		if len(what) > 20 {
			what = what[:20] + "…"
		}
		_, err := b.Stat(ctx, name)
		is(t, "stat "+what, err, backend.ErrName)
		_, err = b.Open(ctx, name)
		is(t, "open "+what, err, backend.ErrName)
		_, err = b.ReadDir(ctx, name)
		is(t, "list "+what, err, backend.ErrName)
		_, err = b.Write(ctx, name, strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
		is(t, "write "+what, err, backend.ErrName)
		is(t, "make folder "+what, b.Mkdir(ctx, name, 0), backend.ErrName)
		is(t, "remove "+what, b.Remove(ctx, name, info), backend.ErrName)
		is(t, "rename from "+what, b.Rename(ctx, name, "g", info, false), backend.ErrName)
		is(t, "rename to "+what, b.Rename(ctx, "f", name, info, true), backend.ErrName)
	}
	holds(t, b, "f", "kept")
	if names := namesIn(t, b, "."); !slices.Equal(names, []string{"d", "f"}) {
		t.Errorf("the tree holds %q, want d and f", names)
	}
}

func (s suite) throughFile(t *testing.T, b backend.Backend) {
	info := put(t, b, "f", "a file")
	_, err := b.Stat(ctx, "f/x")
	is(t, "stat", err, backend.ErrNotDir)
	_, err = b.Open(ctx, "f/x")
	is(t, "open", err, backend.ErrNotDir)
	_, err = b.ReadDir(ctx, "f/x")
	is(t, "list", err, backend.ErrNotDir)
	_, err = b.Write(ctx, "f/x", strings.NewReader("x"), backend.WriteOptions{Create: true})
	is(t, "write", err, backend.ErrNotDir)
	is(t, "make folder", b.Mkdir(ctx, "f/x", 0), backend.ErrNotDir)
	is(t, "remove", b.Remove(ctx, "f/x", info), backend.ErrNotDir)
	is(t, "rename from", b.Rename(ctx, "f/x", "g", info, false), backend.ErrNotDir)
	is(t, "rename to", b.Rename(ctx, "f", "f/x", info, false), backend.ErrNotDir)
}

func (s suite) missing(t *testing.T, b backend.Backend) {
	info := put(t, b, "f", "a file")
	for _, name := range []string{"no", "no/such"} {
		absent(t, b, name)
		_, err := b.Open(ctx, name)
		is(t, "open", err, fs.ErrNotExist)
		_, err = b.ReadDir(ctx, name)
		is(t, "list", err, fs.ErrNotExist)
		_, err = b.Write(ctx, name, strings.NewReader("x"), backend.WriteOptions{Replace: true})
		is(t, "replace", err, fs.ErrNotExist)
		is(t, "remove", b.Remove(ctx, name, info), fs.ErrNotExist)
		is(t, "rename", b.Rename(ctx, name, "g", info, false), fs.ErrNotExist)
	}
	_, err := b.Write(ctx, "no/such", strings.NewReader("x"), backend.WriteOptions{Create: true})
	is(t, "create in a missing folder", err, fs.ErrNotExist)
	is(t, "make folder in a missing folder", b.Mkdir(ctx, "no/such", 0), fs.ErrNotExist)
	is(t, "rename into a missing folder", b.Rename(ctx, "f", "no/such", info, false), fs.ErrNotExist)
}

func (s suite) mount(t *testing.T, b backend.Backend) {
	info := stat(t, b, ".")
	if info.Kind != backend.Dir {
		t.Errorf("the mount is of kind %d, want a folder", info.Kind)
	}
	if names := namesIn(t, b, "."); len(names) != 0 {
		t.Errorf("an empty backend holds %q", names)
	}
	f := put(t, b, "f", "x")
	_, err := b.Open(ctx, ".")
	is(t, "open", err, backend.ErrIsDir)
	_, err = b.Write(ctx, ".", strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
	is(t, "write", err, backend.ErrIsDir)
	is(t, "make folder", b.Mkdir(ctx, ".", 0), fs.ErrExist)
	is(t, "remove", b.Remove(ctx, ".", info), backend.ErrUnsupported)
	is(t, "rename", b.Rename(ctx, ".", "g", info, false), backend.ErrUnsupported)
	is(t, "rename to", b.Rename(ctx, "f", ".", f, true), backend.ErrUnsupported)
}
