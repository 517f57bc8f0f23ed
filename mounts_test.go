package paddock_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

const manyMounts = `
version: 1
permissions: read
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete}
  - {slug: locked, path: ws/sub/locked, allowed_permission: none}
  - {slug: more, path: ws/ro/more, allowed_permission: read|write}
  - {slug: ro, path: ws/ro, allowed_permission: read}
  - {slug: ref, path: ref}
  - {slug: one, path: single.txt, allowed_permission: read|write}
  - {slug: again, path: ref, allowed_permission: read|write, denied_path_regex: ["*.key"]}
  - {slug: mem, backend: memory, allowed_permission: all}
  - {slug: dark, path: dark, allowed_permission: none}
`

func mountTree(t testing.TB, base string) {
	for name, text := range map[string]string{
		"ws/a.txt": "a", "ws/sub/b.txt": "b", "ws/sub/locked/l.txt": "SECRET", "ws/ro/r.txt": "r", "ws/ro/more/m.txt": "m", "ref/f.txt": "f", "ref/f.key": "SECRET",
		"single.txt": "single", "beside.txt": "OUTSIDE", "dark/d.txt": "SECRET",
	} {
		put(t, base+"/"+name, text)
	}
}

func mountGuard(t testing.TB) (*paddock.Guard, string) {
	base := tempDir(t)
	mountTree(t, base)
	g := guardAt(t, base, manyMounts, paddock.Options{})
	if err := write(g, "/mem/x.txt", "memory"); err != nil {
		t.Fatal(err)
	}
	return g, base
}

// Each mount has its own rights: a nested one may have fewer or more than what
// is around it, and two entries on one folder grant what both do.
func TestRightsOfMounts(t *testing.T) {
	g, base := mountGuard(t)
	for _, c := range []struct {
		act, path string
		kind      policy.Kind
		err       error
	}{
		{act: "open", path: "/a.txt"}, {act: "open", path: "root/a.txt"}, {act: "open", path: base + "/ws/a.txt"}, {act: "write", path: "a.txt"},
		{act: "open", path: "/locked/l.txt", kind: paddock.PermissionDenied}, {act: "open", path: "/sub/locked/l.txt", kind: paddock.PermissionDenied}, {act: "stat", path: "/locked", kind: paddock.PermissionDenied},
		{act: "write", path: "/ro/r.txt", kind: paddock.PermissionDenied}, {act: "write", path: "/ro/more/m.txt"}, {act: "write", path: "/more/m.txt"}, {act: "delete", path: "/more/m.txt", kind: paddock.PermissionDenied},
		{act: "open", path: "/ref/f.txt"}, {act: "write", path: "/ref/f.txt", kind: paddock.PermissionDenied}, {act: "write", path: "/again/f.txt", kind: paddock.PermissionDenied},
		{act: "open", path: "/ref/f.key", kind: paddock.PathAccessDenied}, {act: "open", path: "/again/f.key", kind: paddock.PathAccessDenied},
		{act: "open", path: "/one"}, {act: "open", path: "one"}, {act: "stat", path: base + "/single.txt"}, {act: "open", path: "/one/", err: policy.ErrNotDir}, {act: "open", path: "/one/x", err: policy.ErrNotDir},
		{act: "open", path: "/one/../beside.txt", err: policy.ErrNotDir}, {act: "open", path: base + "/beside.txt", err: fs.ErrNotExist}, {act: "list", path: "/one", err: paddock.ErrNotDir},
		{act: "open", path: "/mem/x.txt"}, {act: "write", path: "/mem/n/e/w"}, {act: "open", path: "/mem/../a.txt", kind: paddock.PathAccessDenied}, {act: "open", path: "/mem/nosuch", err: fs.ErrNotExist},
		{act: "open", path: "/nosuch/x", err: fs.ErrNotExist}, {act: "open", path: "/ref/../ws/a.txt"}, {act: "open", path: "/ref/../beside.txt", kind: paddock.PathAccessDenied},
		{act: "open", path: "/sub/../a.txt"}, {act: "open", path: "/../a.txt", kind: paddock.PathAccessDenied}, {act: "list", path: "/", kind: ""},
	} {
		out, err := find(t, g, c.act).run(g, c.path)
		if kind(err) != c.kind || c.err != nil && !errors.Is(err, c.err) || c.kind == "" && c.err == nil && err != nil {
			t.Errorf("%s %s: %q %v, want %q %v", c.act, c.path, out, err, c.kind, c.err)
		}
		if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), c.path, ""), base) {
			t.Errorf("%s %s: the error names the host: %v", c.act, c.path, err)
		}
	}
}

// A file mount is written in place, and what it held is kept.
func TestWriteFileMount(t *testing.T) {
	base := tempDir(t)
	mountTree(t, base)
	var kept string
	g := guardAt(t, base, manyMounts, paddock.Options{Save: func(virtual string, _ io.Reader) error { kept = virtual; return nil }})
	c := g.Begin("write_file", nil)
	r, err := c.Write(context.Background(), "/one", []byte("new"), paddock.WriteOptions{Replace: true})
	c.End(err)
	if err != nil || !r.InPlace || r.Created || r.Path != "/one" || r.Name != "one" || kept != "/one" || content(t, base+"/single.txt") != "new" {
		t.Errorf("%+v %v; kept %q", r, err, kept)
	}
	if _, err := remove(g, "/one", false); err == nil {
		t.Error("a mount was deleted")
	}
}

// The top shows the mounts beside the root entry's own names; no name tells
// what a folder is called outside.
func TestListTop(t *testing.T) {
	g, base := mountGuard(t)
	c := g.Begin("ls", nil)
	defer c.End(nil)
	all, err := c.List(context.Background(), "/")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range all {
		got = append(got, i.Name+"="+i.Path)
	}
	want := "a.txt=/a.txt again=/again mem=/mem more=/more one=/one ref=/ref ro=/ro sub=/sub"
	if strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	for _, i := range all {
		back, err := c.Stat(context.Background(), i.Path)
		if err != nil || back.Kind != i.Kind {
			t.Errorf("%s: %+v %v", i.Path, back, err)
		}
		if strings.Contains(i.Path+i.Name, base) || strings.Contains(i.Name, "\x00") {
			t.Errorf("%+v", i)
		}
	}
	for path, name := range map[string]string{"/": "/", "/mem": "mem", "/ref": "ref", "/one": "one", "/ro": "ro"} {
		if i, err := c.Stat(context.Background(), path); err != nil || i.Name != name {
			t.Errorf("%s is called %q: %v", path, i.Name, err)
		}
	}
}

// A walk of everything meets each object once, nested mounts under their own
// rights, and nothing that is shut.
func TestWalkMounts(t *testing.T) {
	g, _ := mountGuard(t)
	for _, c := range []struct {
		path   string
		mounts bool
		want   string
	}{
		{"/", false, ". a.txt ro ro/more ro/more/m.txt ro/r.txt sub sub/b.txt"},
		{"/", true, ". a.txt ro ro/more ro/more/m.txt ro/r.txt sub sub/b.txt ref ref/f.txt one mem mem/x.txt"},
		{"/ref", true, ". f.txt"},
		{"/one", false, "."},
		{"/mem", false, ". x.txt"},
		{"/ro/more", false, ". m.txt"},
	} {
		got, err := walk(g, c.path, paddock.WalkOptions{Mounts: c.mounts})
		set := map[string]bool{}
		for _, name := range got {
			if set[name] {
				t.Errorf("%s: %s twice", c.path, name)
			}
			set[name] = true
		}
		for _, name := range strings.Fields(c.want) {
			if !set[name] {
				t.Errorf("%s: no %s in %v", c.path, name, got)
			}
			delete(set, name)
		}
		if err != nil || len(set) > 0 {
			t.Errorf("%s: %v besides %s, %v", c.path, set, c.want, err)
		}
	}
}

// A folder that is a mount, or holds one, stays.
func TestMountsCannotBeDeletedOrMoved(t *testing.T) {
	g, base := mountGuard(t)
	before := tree(t, base)
	for _, path := range []string{"/", "sub", "/sub/locked", "ro", "/ro/more", "/more", "/ref", "/one", "/mem", "."} {
		if _, err := remove(g, path, true); err == nil {
			t.Errorf("%s was deleted", path)
		}
		c := g.Begin("move", nil)
		if err := c.Move(context.Background(), path, "/elsewhere", false); err == nil {
			t.Errorf("%s was moved", path)
		}
		if err := c.Move(context.Background(), "/a.txt", path, true); err == nil {
			t.Errorf("%s was replaced", path)
		}
	}
	if got := tree(t, base); got != before {
		t.Errorf("the tree became\n%s", got)
	}
	all := strings.NewReplacer("permission: read|write|delete", "permission: all", "permission: none", "permission: all", "permission: read}", "permission: all}", "permission: read|write}", "permission: all}").Replace(manyMounts)
	free := guardAt(t, base, all, paddock.Options{})
	for _, path := range []string{"/", "sub", "/sub/locked", "ro", "/ro/more", "/mem"} {
		if _, err := remove(free, path, true); kind(err) != paddock.PathAccessDenied {
			t.Errorf("%s with every right: %v", path, err)
		}
	}
	if err := free.Begin("move", nil).Move(context.Background(), "/a.txt", "/one", true); kind(err) != paddock.PathAccessDenied {
		t.Errorf("a mount of one file was replaced: %v", err)
	}
}

// Under a folder that READ denies a nested mount can be reached by name, and
// the folder is not listed.
func TestSearchOnlyFolders(t *testing.T) {
	g, base := guard(t, `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: none}
  - {slug: open, path: ws/a/b/open, allowed_permission: read|write}
`, paddock.Options{})
	put(t, base+"/ws/a/b/open/f.txt", "f")
	put(t, base+"/ws/a/secret.txt", "SECRET")
	for _, path := range []string{"/a/b/open/f.txt", "/open/f.txt", "/a/../a/b/open/f.txt"} {
		if text, err := read(t, g, path); text != "f" || err != nil {
			t.Errorf("%s: %q %v", path, text, err)
		}
	}
	for _, path := range []string{"/a", "/a/b", "/root"} {
		c := g.Begin("ls", nil)
		if _, err := c.Stat(context.Background(), path); err != nil {
			t.Errorf("stat %s: %v", path, err)
		}
		if all, err := c.List(context.Background(), path); path != "/root" && kind(err) != paddock.PermissionDenied {
			t.Errorf("list %s: %v %v", path, all, err)
		}
	}
	names, err := list(g, "/")
	if err != nil || strings.Join(names, " ") != "open" {
		t.Errorf("list /: %v %v", names, err)
	}
	names, err = walk(g, "/", paddock.WalkOptions{Mounts: true})
	if err != nil || strings.Join(names, " ") != "open open/f.txt" {
		t.Errorf("walk /: %v %v", names, err)
	}
	if _, err := read(t, g, "/a/secret.txt"); kind(err) != paddock.PermissionDenied {
		t.Error(err)
	}
}

// denied_names: locked shows the names, and nothing opens them.
func TestLockedNames(t *testing.T) {
	g, base := guard(t, `
version: 1
denied_names: locked
paths: [{slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env", "private"]}]
`, paddock.Options{})
	put(t, base+"/ws/a.txt", "a")
	put(t, base+"/ws/x.env", "SECRET")
	put(t, base+"/ws/private/p", "SECRET")
	c := g.Begin("ls", nil)
	defer c.End(nil)
	all, err := c.List(context.Background(), "/")
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	for _, i := range all {
		if locked := i.Name != "a.txt"; i.Locked != locked || locked && i.Mode != 0 || i.Kind == paddock.KindFile && i.Name == "x.env" && i.Size != 6 {
			t.Errorf("%+v", i)
		}
	}
	names, err := walk(g, "/", paddock.WalkOptions{})
	if err != nil || strings.Join(names, " ") != ". a.txt private x.env" {
		t.Errorf("%v %v", names, err)
	}
	put(t, base+"/ws/movable", "m")
	for _, a := range acts(g) {
		if strings.HasPrefix(a.name, "redirect") || a.name == "run in" {
			continue // no command may run here at all
		}
		if out, err := a.run(g, "x.env"); kind(err) != paddock.PathAccessDenied {
			if a.name != "walk" {
				t.Errorf("%s: %q %v", a.name, out, err)
			}
		}
	}
}
