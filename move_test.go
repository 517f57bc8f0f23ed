package paddock_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

func TestMove(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		c := g.Begin("move", nil)
		defer c.End(nil)
		for _, s := range []struct {
			from, to string
			replace  bool
			err      error
		}{
			{"a.txt", "b.txt", false, fs.ErrExist}, {"nosuch", "c", false, fs.ErrNotExist}, {"a.txt", "nosuch/c", false, policy.ErrNoFolder}, {"a.txt", "d", true, fs.ErrExist}, {"a.txt", "new/", false, paddock.ErrNotDir},
			{"d", "d/e/f", false, nil}, {"d", "d", true, fs.ErrExist}, {"a.txt", "a.txt", true, nil}, {"d", "b.txt", true, paddock.ErrNotDir},
			{"x.env", "c", false, paddock.PathAccessDenied}, {"h/x.env", "c", false, paddock.PathAccessDenied}, {"a.txt", "x.env", false, paddock.PathAccessDenied}, {"a.txt", "fixed/a", false, paddock.PathAccessDenied},
			{"fixed/f", "c", false, paddock.PathAccessDenied}, {"h", "g", false, paddock.PathAccessDenied}, {"a.txt", "fixed/f", true, paddock.PathAccessDenied},
			// What could not be read must not become readable.
			{"blind/b", "seen", false, paddock.PathAccessDenied}, {"blind/sub", "seen", false, paddock.PathAccessDenied}, {"blind", "seen", false, paddock.PathAccessDenied},
		} {
			err := c.Move(context.Background(), s.from, s.to, s.replace)
			if err == nil || s.err != nil && !errors.Is(err, s.err) {
				t.Errorf("%s to %s: %v, want %v", s.from, s.to, err, s.err)
			}
		}
		for name, text := range changeFiles {
			if see(name) != text {
				t.Errorf("%s holds %q", name, see(name))
			}
		}
		for from, to := range map[string]string{"a.txt": "b.txt", "d": "blind/d"} {
			if err := c.Move(context.Background(), from, to, true); err != nil {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
		if see("b.txt") != "a" || see("a.txt") != "absent" || see("blind/d/e/two") != "2" || see("d/one") != "absent" {
			t.Error("not moved")
		}
	})
}

func TestCopy(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		c := g.Begin("copy", nil)
		defer c.End(nil)
		for _, s := range []struct {
			from, to string
			replace  bool
			err      error
		}{
			{"a.txt", "b.txt", false, fs.ErrExist}, {"nosuch", "c", false, fs.ErrNotExist}, {"a.txt", "nosuch/c", false, policy.ErrNoFolder}, {"a.txt", "d", true, fs.ErrExist}, {"d", "d/copy", false, nil}, {"d", "d", true, nil}, {"a.txt", "a.txt", true, nil},
			{"d", "b.txt", true, fs.ErrExist}, {"x.env", "c", false, paddock.PathAccessDenied}, {"a.txt", "c.env", false, paddock.PathAccessDenied}, {"blind/b", "c", false, paddock.PathAccessDenied}, {"blind", "c", false, paddock.PathAccessDenied},
			{"a.txt", "fixed/a", false, paddock.PathAccessDenied}, {"d", "fixed/d", false, paddock.PathAccessDenied}, {"a.txt", "fixed/f", true, paddock.PathAccessDenied},
		} {
			if n, err := c.Copy(context.Background(), s.from, s.to, s.replace); n != 0 || err == nil || s.err != nil && !errors.Is(err, s.err) {
				t.Errorf("%s to %s: %d %v, want %v", s.from, s.to, n, err, s.err)
			}
		}
		if see("d/copy/one") != "absent" || see("c") != "absent" {
			t.Error("something was copied of a refused folder")
		}
		for _, s := range []struct {
			from, to string
			n        int
		}{{"a.txt", "b.txt", 1}, {"d", "d2", 2}, {"h", "h2", 1}, {"a.txt", "blind/a", 1}, {"/", "/d/all", 0}} {
			n, err := c.Copy(context.Background(), s.from, s.to, true)
			if n != s.n || (err == nil) != (n > 0) {
				t.Errorf("%s to %s: %d %v", s.from, s.to, n, err)
			}
		}
		if see("b.txt") != "a" || see("d2/e/two") != "2" || see("h2/f") != "f" || see("h2/x.env") != "absent" || see("blind/a") != "a" || see("a.txt") != "a" {
			t.Error("not copied right")
		}
	})
}

// A new name of a folder must not be one under which anything in it may do
// more, or do it unasked; and what is to be written must be allowed there.
func TestMoveGainsNothing(t *testing.T) {
	const text = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: ["/in/*.key", "/in/deep/"]}
  - {slug: run, path: ws/run, allowed_permission: all}
rules: [{operations: [read], paths: ["/ask/**"], mode: interrupt}, {operations: [write], paths: ["/keep/k"], mode: interrupt}]
`
	for _, c := range []struct {
		from, to string
		gains    bool
	}{
		{"in", "out", true}, {"ask/f", "out", true}, {"ask", "out", true}, {"f", "run/f", true}, {"d", "run/d", true}, {"f", "ask/g", false}, {"d", "ask/d", false}, {"run/r", "r", false}, {"keep", "out", true}, {"f", "g", false},
	} {
		base := tempDir(t)
		for _, name := range []string{"in/f", "in/a.key", "ask/f", "f", "d/f", "run/r", "keep/k", "keep/f"} {
			put(t, base+"/ws/"+name, name)
		}
		g := guardAt(t, base, text, paddock.Options{Approver: always(yes, nil)})
		before := tree(t, base)
		err := g.Begin("move", nil).Move(context.Background(), c.from, c.to, false)
		if c.gains != (kind(err) == paddock.PathAccessDenied) || !c.gains && err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
		if c.gains && tree(t, base) != before {
			t.Errorf("%s to %s: the tree became\n%s", c.from, c.to, tree(t, base))
		}
	}
}

// From one mount to another a file can be copied, not moved, and each side's
// rights count.
func TestAcrossMounts(t *testing.T) {
	g, base := mountGuard(t)
	c := g.Begin("tool", nil)
	defer c.End(nil)
	for _, s := range []struct {
		from, to string
		ok       bool
	}{
		{"/a.txt", "/ref/a", false}, {"/ref/f.txt", "/f", true}, {"/a.txt", "/mem/a", true}, {"/mem/x.txt", "/x", true}, {"/mem/x.txt", "/ro/x", false}, {"/ro/r.txt", "/more/r", true}, {"/locked/l.txt", "/l", false}, {"/a.txt", "/dark/a", false}, {"/ref", "/sub/ref", true},
	} {
		if _, err := c.Copy(context.Background(), s.from, s.to, false); (err == nil) != s.ok {
			t.Errorf("copy %s %s: %v", s.from, s.to, err)
		}
	}
	if content(t, base+"/ws/x") != "memory" || content(t, base+"/ws/sub/ref/f.txt") != "f" || content(t, base+"/ws/sub/ref/f.key") != "absent" {
		t.Errorf("the tree became\n%s", tree(t, base+"/ws"))
	}
	if err := c.Move(context.Background(), "/mem/x.txt", "/y", false); err == nil || !strings.Contains(err.Error(), "different mounts") {
		t.Errorf("a move between mounts: %v", err)
	}
	if err := c.Move(context.Background(), "/a.txt", "/more/a", false); err != nil {
		t.Errorf("a move into a nested mount: %v", err)
	}
	if got := content(t, base+"/ws/ro/more/a"); got != "a" {
		t.Errorf("moved: %q", got)
	}
}
