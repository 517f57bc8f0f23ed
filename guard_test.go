package paddock_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// guard makes a Guard of a policy text over folders below a temporary one.
func guard(t testing.TB, text string, o paddock.Options) (*paddock.Guard, string) {
	t.Helper()
	base := tempDir(t)
	return guardAt(t, base, text, o), base
}

func tempDir(t testing.TB) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// guardAt makes a Guard over folders below base; those that are missing are
// made. BASE in the text stands for base.
func guardAt(t testing.TB, base, text string, o paddock.Options) *paddock.Guard {
	t.Helper()
	ctx, err := policy.Parse("paddock.yaml", []byte(strings.ReplaceAll(text, "BASE", base)))
	if err != nil {
		t.Fatal(err)
	}
	o.Context, o.Dir = ctx, base
	if o.Mounts == nil {
		o.Mounts = map[string]backend.Backend{}
	}
	for _, e := range ctx.Paths {
		if !e.OnDisk() {
			if o.Mounts[e.Slug] == nil {
				o.Mounts[e.Slug] = backend.NewMemory(1 << 20)
			}
			continue
		}
		path := filepath.Join(base, e.Path)
		if _, err := os.Stat(path); err != nil {
			mkdir(t, path)
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

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// put writes a file of the real tree, and the folders above it.
func put(t testing.TB, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// link makes a symbolic link, and the folders above it.
func link(t testing.TB, target, path string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func hardLink(t testing.TB, from, to string) {
	t.Helper()
	mkdir(t, filepath.Dir(to))
	if err := os.Link(from, to); err != nil {
		t.Fatal(err)
	}
}

// content is what a file of the real tree holds, "absent" when it is missing.
func content(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "absent"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// read reads a file through the Guard, as a tool does.
func read(t testing.TB, g *paddock.Guard, path string) (string, error) {
	t.Helper()
	c := g.Begin("read_file", nil)
	f, err := c.Open(context.Background(), path)
	defer func() { c.End(err) }()
	if err != nil {
		return "", err
	}
	defer f.Close() // only read
	b, err := io.ReadAll(f)
	return string(b), err
}

// write replaces or makes a file through the Guard.
func write(g *paddock.Guard, path, text string) error {
	c := g.Begin("write_file", nil)
	_, err := c.Write(context.Background(), path, []byte(text), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
	c.End(err)
	return err
}

func list(g *paddock.Guard, path string) ([]string, error) {
	c := g.Begin("ls", nil)
	all, err := c.List(context.Background(), path)
	c.End(err)
	names := make([]string, 0, len(all))
	for _, i := range all {
		names = append(names, i.Name)
	}
	return names, err
}

// walk gives the Rel of each visit, with "!" after a folder that could not be
// listed.
func walk(g *paddock.Guard, path string, o paddock.WalkOptions) ([]string, error) {
	c := g.Begin("glob", nil)
	var all []string
	err := c.Walk(context.Background(), path, o, func(v *paddock.Visit) error {
		mark := ""
		if v.Err() != nil {
			mark = "!"
		}
		all = append(all, v.Rel+mark)
		return nil
	})
	c.End(err)
	return all, err
}

func remove(g *paddock.Guard, path string, recursive bool) (int, error) {
	c := g.Begin("delete", nil)
	n, err := c.Delete(context.Background(), path, paddock.DeleteOptions{Recursive: recursive})
	c.End(err)
	return n, err
}

// kind is the kind of a refusal, "" for another error or none.
func kind(err error) policy.Kind {
	var denial *paddock.Denial
	if errors.As(err, &denial) {
		return denial.Kind
	}
	return ""
}

// tree lists the names below a real folder, links with their text.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		switch {
		case d.IsDir():
			rel += "/"
		case d.Type()&os.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			rel += " -> " + target
		case d.Type().IsRegular():
			rel += "=" + content(t, path)
		}
		all = append(all, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

func removeAll(t testing.TB, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// entries are the names of a real folder.
func entries(t testing.TB, dir string) []string {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

func keepNothing(string, io.Reader) error { return nil }

// The tries build what fits into a tree that is there already.
func tryLink(target, ws, name string) {
	_ = os.MkdirAll(filepath.Dir(ws+"/"+name), 0o755)
	_ = os.Symlink(target, ws+"/"+name)
}

func tryHardLink(ws, from, to string) {
	_ = os.MkdirAll(filepath.Dir(ws+"/"+to), 0o755)
	_ = os.Link(ws+"/"+from, ws+"/"+to)
}

func tryMkdir(ws, name string) { _ = os.MkdirAll(ws+"/"+name, 0o755) }

func tryPut(ws, name string) {
	_ = os.MkdirAll(filepath.Dir(ws+"/"+name), 0o755)
	_ = os.WriteFile(ws+"/"+name, []byte(name), 0o644)
}
