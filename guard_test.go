package paddock_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// guard makes a Guard of a policy text over folders below a temporary one.
func guard(t *testing.T, text string, o paddock.Options) (*paddock.Guard, string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return guardAt(t, base, text, o), base
}

func guardAt(t *testing.T, base, text string, o paddock.Options) *paddock.Guard {
	t.Helper()
	ctx, err := policy.Parse("paddock.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o.Context, o.Dir = ctx, base
	if o.Mounts == nil {
		o.Mounts = map[string]backend.Backend{}
	}
	for _, e := range ctx.Paths {
		if !e.OnDisk() {
			o.Mounts[e.Slug] = backend.NewMemory(1 << 20)
			continue
		}
		path := filepath.Join(base, e.Path)
		if _, err := os.Stat(path); err != nil {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		tree, err := disk.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		o.Mounts[e.Slug] = tree
	}
	g, err := paddock.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, g *paddock.Guard, path string) (string, error) {
	t.Helper()
	c := g.Begin("read_file", nil)
	f, err := c.Open(context.Background(), path)
	c.End(err)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	b, err := io.ReadAll(f)
	return string(b), err
}

func BenchmarkOpenRead(b *testing.B) {
	dir, _ := filepath.EvalSymlinks(b.TempDir())
	name := filepath.Join(dir, "a/b/notes.txt")
	_ = os.MkdirAll(filepath.Dir(name), 0o755)
	_ = os.WriteFile(name, make([]byte, 4096), 0o644)
	tree, err := disk.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	g, err := paddock.NewUnrestricted(tree)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if _, err := os.ReadFile(name); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("guarded", func(b *testing.B) {
		for b.Loop() {
			c := g.Begin("read_file", nil)
			f, err := c.Open(context.Background(), "/a/b/notes.txt")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadAll(f); err != nil {
				b.Fatal(err)
			}
			_ = f.Close()
			c.End(nil)
		}
	})
}

func TestSmoke(t *testing.T) {
	g, base := guard(t, `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: ["*.env"]}
  - {slug: ref, path: ref, allowed_permission: read}
`, paddock.Options{})
	put(t, base+"/ws/a.txt", "hello")
	put(t, base+"/ws/x.env", "secret")
	for _, p := range []string{"a.txt", "/a.txt", "/root/a.txt", "./a.txt", base + "/ws/a.txt"} {
		if s, err := read(t, g, p); err != nil || s != "hello" {
			t.Errorf("%s: %q %v", p, s, err)
		}
	}
	_, err := read(t, g, "x.env")
	t.Log(err)
	_, err = read(t, g, "../ref/zap")
	t.Log(err)
	c := g.Begin("ls", nil)
	l, err := c.List(context.Background(), "/")
	t.Log(l, err)
	r, err := c.Write(context.Background(), "/n/e/w.txt", []byte("x"), paddock.WriteOptions{Create: true, Parents: true})
	t.Log(r, err)
	_, err = c.Write(context.Background(), "/ref/w.txt", []byte("x"), paddock.WriteOptions{Create: true, Parents: true})
	t.Log(r, err)
	n, err := c.Delete(context.Background(), "/n", paddock.DeleteOptions{Recursive: true})
	t.Log(n, err)
	n, err = c.Delete(context.Background(), "/", paddock.DeleteOptions{Recursive: true})
	t.Log(n, err)
	if err == nil {
		t.Error("deleted the root")
	}
}
