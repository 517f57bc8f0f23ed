package paddock_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/policy"
)

// both runs a test of changes on a real folder and in memory; see reads a
// file past the Guard.
func both(t *testing.T, text string, files map[string]string, test func(t *testing.T, g *paddock.Guard, see func(string) string)) {
	t.Run("disk", func(t *testing.T) {
		base := tempDir(t)
		for name, text := range files {
			put(t, base+"/ws/"+name, text)
		}
		g := guardAt(t, base, text, paddock.Options{})
		test(t, g, func(name string) string { return content(t, base+"/ws/"+name) })
	})
	t.Run("memory", func(t *testing.T) {
		m := backend.NewMemory(256 << 20)
		for name, text := range files {
			fill(t, m, name, text)
		}
		g := guardAt(t, tempDir(t), strings.Replace(text, "path: ws", "backend: memory", 1), paddock.Options{Mounts: map[string]backend.Backend{"root": m}})
		test(t, g, func(name string) string {
			r, err := m.Open(context.Background(), name)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, backend.ErrNotDir) {
				return "absent"
			}
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			_, _ = b.ReadFrom(r) // from memory
			return b.String()
		})
	})
}

const changePolicy = `
version: 1
paths: [{slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}]
rules: [{operations: [write], paths: ["/fixed/**"], mode: deny}, {operations: [read], paths: ["/blind/**"], mode: deny}]
`

var changeFiles = map[string]string{"a.txt": "a", "b.txt": "b", "d/one": "1", "d/e/two": "2", "h/f": "f", "h/x.env": "S", "fixed/f": "f", "blind/b": "B", "blind/sub/c": "C"}

func TestWrite(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		c := g.Begin("write_file", nil)
		defer c.End(nil)
		for _, s := range []struct {
			path string
			o    paddock.WriteOptions
			err  error
		}{
			{"a.txt", paddock.WriteOptions{}, fs.ErrExist}, {"a.txt", paddock.WriteOptions{Create: true}, fs.ErrExist}, {"new", paddock.WriteOptions{}, fs.ErrNotExist}, {"new", paddock.WriteOptions{Replace: true}, fs.ErrNotExist},
			{"n/e/w", paddock.WriteOptions{Create: true}, policy.ErrNoFolder}, {"d", paddock.WriteOptions{Create: true, Replace: true}, paddock.ErrIsDir}, {"new/", paddock.WriteOptions{Create: true}, paddock.ErrIsDir},
			{"/", paddock.WriteOptions{Create: true, Replace: true}, paddock.ErrIsDir}, {"a.txt/x", paddock.WriteOptions{Create: true, Parents: true}, policy.ErrNotDir}, {"nosuch/../z", paddock.WriteOptions{Create: true}, fs.ErrNotExist},
		} {
			if r, err := c.Write(context.Background(), s.path, []byte("x"), s.o); !errors.Is(err, s.err) {
				t.Errorf("%s %+v: %+v %v, want %v", s.path, s.o, r, err, s.err)
			}
		}
		if _, err := c.Write(context.Background(), "big", make([]byte, paddock.MaxFile+1), paddock.WriteOptions{Create: true}); err == nil || see("big") != "absent" {
			t.Error("a file that is too large was written")
		}
		for _, path := range []string{"fixed/f", "fixed/new", "x.env", "n/x.env", "x.env/f", "fixed/n/e/w"} {
			if _, err := c.Write(context.Background(), path, nil, paddock.WriteOptions{Create: true, Replace: true, Parents: true}); kind(err) != paddock.PathAccessDenied || see(path) == "" {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, path := range []string{"a.txt", "new", "/p/q/r", "d/../c"} {
			r, err := c.Write(context.Background(), path, []byte("text"), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
			name := map[string]string{"/p/q/r": "p/q/r", "d/../c": "c"}[path]
			if name == "" {
				name = path
			}
			if err != nil || r.Created == (path == "a.txt") || r.Path != "/"+name || r.Size != 4 || see(name) != "text" {
				t.Errorf("%s: %+v %v", path, r, err)
			}
		}
		if see("n") != "absent" {
			t.Error("a folder was made for a file that is refused")
		}
	})
}

func TestEdit(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		c := g.Begin("edit_file", nil)
		defer c.End(nil)
		add := func(old []byte) ([]byte, error) { return append(old, '!'), nil }
		own := errors.New("no such text in it")
		if r, err := c.Edit(context.Background(), "a.txt", add); err != nil || see("a.txt") != "a!" || r.Created || r.Size != 2 {
			t.Errorf("%+v %v", r, err)
		}
		if _, err := c.Edit(context.Background(), "a.txt", func([]byte) ([]byte, error) { return nil, own }); err != own || see("a.txt") != "a!" {
			t.Errorf("the caller's own error: %v", err)
		}
		if _, err := c.Edit(context.Background(), "a.txt", func([]byte) ([]byte, error) { return make([]byte, paddock.MaxFile+1), nil }); err == nil || see("a.txt") != "a!" {
			t.Errorf("a result that is too large: %v", err)
		}
		for path, want := range map[string]error{"new": fs.ErrNotExist, "d": paddock.ErrIsDir, "a.txt/": policy.ErrNotDir} {
			if _, err := c.Edit(context.Background(), path, add); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
		for _, path := range []string{"x.env", "h/x.env", "fixed/f", "blind/b"} {
			called := false
			_, err := c.Edit(context.Background(), path, func(old []byte) ([]byte, error) { called = true; return old, nil })
			if kind(err) != paddock.PathAccessDenied || called {
				t.Errorf("%s: %v; the content was shown: %v", path, err, called)
			}
		}
	})
}

func TestMkdir(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		c := g.Begin("mkdir", nil)
		defer c.End(nil)
		for _, s := range []struct {
			path    string
			parents bool
			err     error
		}{
			{"new", false, nil}, {"new", false, fs.ErrExist}, {"new", true, fs.ErrExist}, {"p/q", false, policy.ErrNoFolder}, {"p/q", true, nil}, {"p/r/", true, nil}, {"a.txt", true, fs.ErrExist}, {"a.txt/x", true, policy.ErrNotDir}, {"/", true, fs.ErrExist},
		} {
			i, err := c.Mkdir(context.Background(), s.path, s.parents)
			if !errors.Is(err, s.err) || err == nil && (i.Kind != paddock.KindDir || i.Path != "/"+strings.TrimSuffix(s.path, "/")) {
				t.Errorf("%s %v: %+v %v, want %v", s.path, s.parents, i, err, s.err)
			}
		}
		for _, path := range []string{"x.env", "fixed/new", "q/x.env/y"} {
			if _, err := c.Mkdir(context.Background(), path, true); kind(err) != paddock.PathAccessDenied {
				t.Errorf("%s: %v", path, err)
			}
		}
		if _, err := c.Stat(context.Background(), "q"); !errors.Is(err, fs.ErrNotExist) {
			t.Error("a folder was made on the way to one that is refused")
		}
	})
}

func TestDelete(t *testing.T) {
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		for _, s := range []struct {
			path      string
			recursive bool
			n         int
			err       error
		}{
			{"a.txt", false, 1, nil}, {"a.txt", false, 0, fs.ErrNotExist}, {"d", false, 0, paddock.ErrNotEmpty}, {"d/one/", false, 0, policy.ErrNotDir}, {"d/one/x", true, 0, policy.ErrNotDir}, {"d/e/", true, 2, nil}, {"d", true, 2, nil}, {"nosuch/x", true, 0, fs.ErrNotExist},
			// Something hidden is in it, something fixed: nothing is removed.
			{"h", true, 0, paddock.PathAccessDenied}, {"h", false, 0, paddock.PathAccessDenied}, {"fixed", true, 0, paddock.PathAccessDenied}, {"h/x.env", false, 0, paddock.PathAccessDenied}, {"blind", true, 4, nil},
		} {
			n, err := remove(g, s.path, s.recursive)
			if n != s.n || !errors.Is(err, s.err) {
				t.Errorf("%s %v: %d %v, want %d %v", s.path, s.recursive, n, err, s.n, s.err)
			}
			if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), s.path, ""), ".env") {
				t.Errorf("%s: %v", s.path, err)
			}
		}
		if see("h/f") != "f" || see("h/x.env") != "S" || see("fixed/f") != "f" {
			t.Error("something was removed of a refused folder")
		}
	})
}

// A delete that fails half way says how far it came.
func TestHalfway(t *testing.T) {
	m := &failing{Memory: backend.NewMemory(1 << 20), name: "d/a"}
	for _, name := range []string{"d/a", "d/b", "d/c"} {
		fill(t, m.Memory, name, name)
	}
	g, err := paddock.NewUnrestricted(m)
	if err != nil {
		t.Fatal(err)
	}
	n, err := remove(g, "d", true)
	if n != 2 || err == nil || err.Error() != "d: 2 of 4 objects were removed, then: input/output error" {
		t.Errorf("%d: %v", n, err)
	}
}

// failing is a backend in which one name cannot be removed.
type failing struct {
	*backend.Memory
	name string
}

func (f *failing) Remove(ctx context.Context, name string, judged backend.Info) error {
	if name == f.name {
		return &os.PathError{Op: "remove", Path: "/host/" + name, Err: syscall.EIO}
	}
	return f.Memory.Remove(ctx, name, judged)
}
