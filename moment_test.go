//go:build linux && !osroot

package paddock_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// hooked is a real folder in which something happens at the worst moment.
type hooked struct {
	*disk.Tree
	opened  func(name string) // a file was opened, nothing was asked of it yet
	writing func(name string) // a write was decided, and nothing is written yet
}

func (h *hooked) Hold(name string) (backend.Held, bool) {
	held, ok := h.Tree.Hold(name)
	return &hookedHeld{held, h, name}, ok
}

type hookedHeld struct {
	backend.Held
	h    *hooked
	name string
}

func (d *hookedHeld) Open() (backend.Reader, error) {
	r, err := d.Held.Open()
	if err == nil && d.h.opened != nil {
		d.h.opened(d.name)
	}
	return r, err
}

func (h *hooked) Write(ctx context.Context, name string, content io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
	if h.writing != nil {
		h.writing(name)
	}
	return h.Tree.Write(ctx, name, content, o)
}

func hookedGuard(t *testing.T, base string, h *hooked) *paddock.Guard {
	t.Helper()
	ctx, err := policy.Parse("paddock.yaml", []byte(hardPolicy))
	if err != nil {
		t.Fatal(err)
	}
	mkdir(t, base+"/ref")
	if h.Tree, err = disk.Open(base + "/ws"); err != nil {
		t.Fatal(err)
	}
	ref, err := disk.Open(base + "/ref")
	if err != nil {
		t.Fatal(err)
	}
	g, err := paddock.New(paddock.Options{Context: ctx, Mounts: map[string]backend.Backend{"root": h, "ref": ref}, Dir: base, Save: keepNothing})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// A hard link to a denied file that is gone again before its names are counted
// opens nothing.
func TestHardLinkOfAMoment(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/x.env", "SECRET")
	hardLink(t, base+"/ws/x.env", base+"/ws/h")
	h := &hooked{}
	g := hookedGuard(t, base, h)
	h.opened = func(name string) {
		if name == "h" {
			removeAll(t, base+"/ws/h")
		}
	}
	if text, err := read(t, g, "h"); err == nil {
		t.Errorf("read %q", text)
	}
	// And one that is there again under another content.
	hardLink(t, base+"/ws/x.env", base+"/ws/h")
	h.opened = func(name string) {
		if name == "h" {
			removeAll(t, base+"/ws/h")
			put(t, base+"/ws/h", "fine")
		}
	}
	if text, err := read(t, g, "h"); text == "SECRET" {
		t.Errorf("read %q %v", text, err)
	}
}

// A name that a file gets between the decision and the write is asked for its
// rights too.
func TestNewNameBeforeTheWrite(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/free.txt", "old")
	mkdir(t, base+"/ws/fixed")
	h := &hooked{}
	g := hookedGuard(t, base, h)
	h.writing = func(name string) {
		if _, err := os.Lstat(base + "/ws/fixed/f"); err != nil && name == "free.txt" {
			hardLink(t, base+"/ws/free.txt", base+"/ws/fixed/f")
		}
	}
	if err := write(g, "free.txt", "new"); kind(err) != paddock.PathAccessDenied {
		t.Errorf("%v, want a refusal", err)
	}
	if got := content(t, base+"/ws/fixed/f"); got != "old" {
		t.Errorf("the other name holds %q", got)
	}
}

// What stands under a name changes between the decision and the effect.
func TestReplacedBeforeTheEffect(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/a", "old")
	put(t, base+"/out/o", "OUTSIDE")
	h := &hooked{}
	g := hookedGuard(t, base, h)
	times := 0
	h.writing = func(string) {
		times++
		removeAll(t, base+"/ws/a")
		link(t, "../out/o", base+"/ws/a")
	}
	if err := write(g, "a", "new"); kind(err) != paddock.PathAccessDenied || times != 1 {
		t.Errorf("%d times, %v", times, err)
	}
	h.writing = func(string) { // whoever does it each time is not outrun
		times++
		put(t, base+"/new", strings.Repeat("x", times))
		if err := os.Rename(base+"/new", base+"/ws/b"); err != nil {
			t.Fatal(err)
		}
	}
	put(t, base+"/ws/b", "")
	if err := write(g, "b", "mine"); !errors.Is(err, paddock.ErrSwapped) || times < 3 || content(t, base+"/ws/b") == "mine" {
		t.Errorf("%d times, %v", times, err)
	}
	if got := content(t, base+"/out/o"); got != "OUTSIDE" {
		t.Errorf("outside holds %q", got)
	}
}

// The names that a write makes for a moment are nobody's business.
func TestTemporaryNames(t *testing.T) {
	for _, text := range []string{plainPolicy, strings.Replace(plainPolicy, `denied_path_regex: ["*.env"]`, "denied_path_regex: []", 1), "denied_names: locked\n" + strings.TrimPrefix(plainPolicy, "\n")} {
		g, base := guard(t, text, paddock.Options{})
		name := backend.TempPrefix + "0123"
		put(t, base+"/ws/d/"+name, "half")
		put(t, base+"/ws/d/a"+name, "whole")
		for _, a := range acts(g) {
			if strings.HasPrefix(a.name, "redirect") || a.name == "walk" {
				continue
			}
			put(t, base+"/ws/movable", "m")
			if out, err := a.run(g, "d/"+name); kind(err) != paddock.PathAccessDenied && a.name != "run in" {
				t.Errorf("%s: %q %v", a.name, out, err)
			}
		}
		if names, err := list(g, "d"); err != nil || strings.Join(names, " ") != "a"+name {
			t.Errorf("%v %v", names, err)
		}
		if names, err := walk(g, "d", paddock.WalkOptions{}); err != nil || strings.Join(names, " ") != ". a"+name {
			t.Errorf("%v %v", names, err)
		}
		if n, err := g.Begin("copy", nil).Copy(context.Background(), "d", "e", false); n != 1 || err != nil {
			t.Errorf("copied %d: %v", n, err)
		}
		if n, err := remove(g, "d", true); n != 3 || err != nil {
			t.Errorf("removed %d: %v", n, err)
		}
	}
}
