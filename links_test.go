package paddock_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

const twoMounts = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: all}
  - {slug: ref, path: ref, allowed_permission: read}
allowed_commands: ["*"]
`

// Links are followed within the mounts, by the rights of where they lead, and
// never out of them.
func TestLinks(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/a.txt", "inside")
	put(t, base+"/ws/d/b.txt", "below")
	put(t, base+"/ref/r.txt", "ref")
	put(t, base+"/out/o.txt", "OUTSIDE")
	put(t, base+"/ws-evil/e.txt", "OUTSIDE")
	for name, target := range map[string]string{
		"rel": "a.txt", "up": "d/../a.txt", "d/back": "../a.txt", "abs": base + "/ws/a.txt", "to-ref": base + "/ref/r.txt", "to-ref-rel": "../ref/r.txt", "dir": "d", "dir/chain": "",
		"out": base + "/out/o.txt", "out-rel": "../out/o.txt", "out-dir": "../out", "sibling": "../ws-evil/e.txt", "prefix": base + "/ws-evil/e.txt",
		"dangling": "nothing", "dangling-out": base + "/out/new", "loop": "loop", "loop-a": "loop-b", "loop-b": "loop-a",
		"proc": "/proc/self/root", "fd": "/proc/self/fd/0", "through": "out-dir/../ws/a.txt", "slash": "a.txt/", "chain": "rel", "top": "/", "long": strings.Repeat("d/../", 200) + "a.txt",
	} {
		if target != "" {
			link(t, target, base+"/ws/"+name)
		}
	}
	for _, c := range []struct {
		path, text string
		kind       policy.Kind
		err        error
	}{
		{path: "rel", text: "inside"}, {path: "up", text: "inside"}, {path: "d/back", text: "inside"}, {path: "abs", text: "inside"}, {path: "chain", text: "inside"},
		{path: "dir/b.txt", text: "below"}, {path: "dir/../a.txt", text: "inside"}, {path: "to-ref", text: "ref"}, {path: "to-ref-rel", text: "ref"}, {path: "long", text: "inside"},
		{path: "out", kind: paddock.PathAccessDenied}, {path: "out-rel", kind: paddock.PathAccessDenied}, {path: "out-dir/o.txt", kind: paddock.PathAccessDenied},
		{path: "out-dir/../ws/a.txt", kind: paddock.PathAccessDenied}, {path: "sibling", kind: paddock.PathAccessDenied}, {path: "prefix", kind: paddock.PathAccessDenied},
		{path: "through", kind: paddock.PathAccessDenied}, {path: "top/etc/hostname", kind: paddock.PathAccessDenied}, {path: "proc/etc/hostname", kind: paddock.PathAccessDenied}, {path: "fd", kind: paddock.PathAccessDenied},
		{path: "dangling", err: fs.ErrNotExist}, {path: "dangling-out", kind: paddock.PathAccessDenied}, {path: "dangling/x", err: fs.ErrNotExist},
		{path: "loop", err: policy.ErrLinkLoop}, {path: "loop-a/x", err: policy.ErrLinkLoop}, {path: "slash", err: paddock.ErrNotDir},
		{path: "rel/", err: policy.ErrNotDir}, {path: "rel/x", err: policy.ErrNotDir}, {path: "a.txt/..", err: policy.ErrNotDir}, {path: "nosuch/../a.txt", err: fs.ErrNotExist},
	} {
		text, err := read(t, g, c.path)
		switch {
		case c.err == nil && c.kind == "" && (err != nil || text != c.text):
			t.Errorf("%s: %q %v", c.path, text, err)
		case c.kind != "" && kind(err) != c.kind:
			t.Errorf("%s: %q %v, want %s", c.path, text, err, c.kind)
		case c.err != nil && !errors.Is(err, c.err) && !(c.err == paddock.ErrNotDir && errors.Is(err, policy.ErrNotDir)):
			t.Errorf("%s: %q %v, want %v", c.path, text, err, c.err)
		}
		if err != nil && strings.Contains(err.Error(), base) {
			t.Errorf("%s: the error names the host: %v", c.path, err)
		}
	}
	if err := write(g, "to-ref", "changed"); kind(err) != paddock.PermissionDenied {
		t.Errorf("a write through a link into a mount without WRITE: %v", err)
	}
	if err := write(g, "dangling-out", "x"); kind(err) != paddock.PathAccessDenied {
		t.Errorf("a write through a dangling link outwards: %v", err)
	}
	if err := write(g, "dangling", "made"); err != nil || content(t, base+"/ws/nothing") != "made" {
		t.Errorf("a write through a dangling link: %v", err)
	}
	if got := tree(t, base+"/out") + tree(t, base+"/ref"); got != "o.txt=OUTSIDEr.txt=ref" {
		t.Errorf("outside became %s", got)
	}
}

// Links are listed with where they lead, as far as that is for the agent to
// know.
func TestLinkTargets(t *testing.T) {
	g, base := guard(t, `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}
  - {slug: ref, path: ref, allowed_permission: read}
`, paddock.Options{})
	put(t, base+"/ws/a.txt", "a")
	put(t, base+"/ws/x.env", "secret")
	for name, target := range map[string]string{
		"l": "a.txt", "r": "../ref", "out": "/etc/passwd", "hid": "x.env", "hid-new": "y.env", "hid-2": "hid", "dangling": "new", "loop": "loop",
	} {
		link(t, target, base+"/ws/"+name)
	}
	c := g.Begin("ls", nil)
	defer c.End(nil)
	all, err := c.List(context.Background(), "/root")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, i := range all {
		if i.Kind == paddock.KindLink {
			got[i.Name] = i.Target
		}
	}
	want := map[string]string{"l": "/a.txt", "r": "/ref", "out": "", "dangling": "/new", "loop": ""}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
	for name, target := range want {
		if seen, there := got[name]; !there || seen != target {
			t.Errorf("%s -> %q %v, want %q", name, seen, there, target)
		}
	}
}

// A link is deleted and moved itself, never its target.
func TestLinkItself(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/out/o.txt", "OUTSIDE")
	put(t, base+"/ws/d/b.txt", "b")
	for name, target := range map[string]string{"out": base + "/out", "dir": "d", "dangling": "nothing", "loop": "loop", "to-ref": "../ref"} {
		link(t, target, base+"/ws/"+name)
	}
	if err := g.Begin("move", nil).Move(context.Background(), "dir", "dir2", false); err != nil {
		t.Error(err)
	}
	if target, err := os.Readlink(base + "/ws/dir2"); target != "d" {
		t.Errorf("moved link: %q %v", target, err)
	}
	if _, err := remove(g, "dir2/", true); !errors.Is(err, policy.ErrLinkSlash) {
		t.Errorf("a link with a slash: %v", err)
	}
	for _, name := range []string{"out", "dir2", "dangling", "loop", "to-ref"} {
		if n, err := remove(g, name, true); n != 1 || err != nil {
			t.Errorf("%s: removed %d: %v", name, n, err)
		}
	}
	if got := tree(t, base); got != "out/\nout/o.txt=OUTSIDE\nref/\nws/\nws/d/\nws/d/b.txt=b" {
		t.Errorf("the tree became\n%s", got)
	}
}

// Deleting a folder takes the links in it and not what they lead to.
func TestDeleteFolderWithLinks(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/out/o.txt", "OUTSIDE")
	put(t, base+"/ws/keep", "k")
	link(t, base+"/out", base+"/ws/d/out")
	link(t, "../keep", base+"/ws/d/e/keep")
	if n, err := remove(g, "d", true); n != 4 || err != nil {
		t.Errorf("removed %d: %v", n, err)
	}
	if got := tree(t, base); got != "out/\nout/o.txt=OUTSIDE\nref/\nws/\nws/keep=k" {
		t.Errorf("the tree became\n%s", got)
	}
}

// When the folder of a mount is replaced by a link the mount stays where it
// was.
func TestMountReplacedByLink(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/a.txt", "inside")
	put(t, base+"/out/a.txt", "OUTSIDE")
	if err := os.Rename(base+"/ws", base+"/old"); err != nil {
		t.Fatal(err)
	}
	link(t, "out", base+"/ws")
	if text, err := read(t, g, "a.txt"); text != "inside" || err != nil {
		t.Errorf("%q %v", text, err)
	}
}
