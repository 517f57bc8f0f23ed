package paddock_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

const hardPolicy = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}
  - {slug: ref, path: ref, allowed_permission: read}
rules:
  - {operations: [write], paths: ["/fixed/**"], mode: deny}
  - {operations: [read], paths: ["/ask/**"], mode: interrupt}
allowed_commands: ["*"]
`

// A hard link gives a file another name, and no name may open what another
// shuts.
func TestHardLinks(t *testing.T) {
	kept := map[string]string{}
	save := func(virtual string, old io.Reader) error {
		b, err := io.ReadAll(old)
		kept[virtual] = string(b)
		return err
	}
	base := tempDir(t)
	for name, other := range map[string]string{
		"ws/x.env": "ws/open.txt", "ws/plain1": "ws/plain2", "ws/fixed/f": "ws/free.txt", "ref/r": "ws/from-ref", "out/o": "ws/from-out", "ws/ask/q": "ws/quiet", "ws/ask/1": "ws/ask/2",
	} {
		put(t, base+"/"+name, "old "+name)
		hardLink(t, base+"/"+name, base+"/"+other)
	}
	who := always(yes, nil)
	g := guardAt(t, base, hardPolicy, paddock.Options{Save: save, Approver: who})
	for _, c := range []struct {
		act, path string
		allowed   bool
	}{
		{"open", "open.txt", false}, {"open", "x.env", false}, {"edit", "open.txt", false}, {"write", "open.txt", false}, {"copy from", "open.txt", false},
		{"authorize read", "open.txt", false}, {"authorize write", "open.txt", false}, {"redirect from", "open.txt", false}, {"redirect to", "open.txt", false},
		{"stat", "open.txt", true}, {"list", "/", true},
		{"open", "plain1", true}, {"write", "plain1", true}, {"edit", "plain2", true}, {"copy from", "plain2", true},
		{"open", "free.txt", true}, {"write", "free.txt", false}, {"edit", "free.txt", false}, {"copy to", "free.txt", false}, {"redirect to", "free.txt", false},
		{"open", "from-ref", true}, {"write", "from-ref", false}, {"edit", "from-ref", false},
		{"open", "from-out", true}, {"write", "from-out", false}, {"edit", "from-out", false}, {"copy to", "from-out", false},
		{"open", "quiet", false}, {"open", "ask/q", true}, {"open", "ask/1", true},
	} {
		if c.act == "copy to" {
			put(t, base+"/ws/movable", "m")
		}
		removeAll(t, base+"/ws/copied")
		out, err := find(t, g, c.act).run(g, c.path)
		if allowed := err == nil; allowed != c.allowed {
			t.Errorf("%s %s: %q %v", c.act, c.path, out, err)
		}
		if !c.allowed && kind(err) != paddock.PathAccessDenied {
			t.Errorf("%s %s: %v, want a refusal", c.act, c.path, err)
		}
	}
	if kept["/plain1"] != "old ws/plain1" {
		t.Errorf("kept aside: %v", kept)
	}
	if got := content(t, base+"/ws/plain2"); got != "x+" {
		t.Errorf("the other name holds %q", got)
	}
	for _, name := range []string{"ws/x.env", "ws/fixed/f", "ref/r", "out/o"} {
		if got := content(t, base+"/"+name); got != "old "+name {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

// Names that come and go while the Guard lives are noticed at once.
func TestHardLinksThatCome(t *testing.T) {
	g, base := guard(t, hardPolicy, paddock.Options{})
	put(t, base+"/ws/x.env", "SECRET")
	put(t, base+"/ws/a", "fine")
	hardLink(t, base+"/ws/a", base+"/ws/b")
	if _, err := read(t, g, "a"); err != nil { // the index is built
		t.Fatal(err)
	}
	hardLink(t, base+"/ws/x.env", base+"/ws/c")
	if text, err := read(t, g, "c"); err == nil {
		t.Errorf("a new name of a denied file: %q", text)
	}
	// A known file gets a denied name in the place of another.
	if err := os.Rename(base+"/ws/b", base+"/ws/b.env"); err != nil {
		t.Fatal(err)
	}
	hardLink(t, base+"/ws/a", base+"/ws/d")
	if text, err := read(t, g, "a"); err == nil {
		t.Errorf("a file with a denied name now: %q", text)
	}
	removeAll(t, base+"/ws/b.env")
	removeAll(t, base+"/ws/d")
	if _, err := read(t, g, "a"); err != nil {
		t.Errorf("a file with one name left: %v", err)
	}
}

// Own files stay what they are through hard links.
func TestHardLinkToOwnFile(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/paddock.yaml", "policy")
	put(t, base+"/elsewhere.yaml", "policy")
	put(t, base+"/ws/state/key", "KEY")
	hardLink(t, base+"/ws/paddock.yaml", base+"/ws/p")
	hardLink(t, base+"/elsewhere.yaml", base+"/ws/q")
	hardLink(t, base+"/ws/state/key", base+"/ws/k")
	g := guardAt(t, base, twoMounts, paddock.Options{Own: policy.Own{
		Files: []string{base + "/ws/paddock.yaml", base + "/elsewhere.yaml"}, Private: []string{base + "/ws/state"},
	}})
	for _, name := range []string{"paddock.yaml", "p", "q", "k"} {
		if err := write(g, name, "mine"); kind(err) != paddock.PathAccessDenied {
			t.Errorf("write %s: %v", name, err)
		}
	}
	if text, err := read(t, g, "k"); kind(err) != paddock.PathAccessDenied {
		t.Errorf("the state by another name: %q %v", text, err)
	}
	if text, err := read(t, g, "p"); text != "policy" || err != nil {
		t.Errorf("reading the policy: %q %v", text, err)
	}
	for _, name := range []string{"paddock.yaml", "state", "state/key"} {
		if _, err := remove(g, name, true); kind(err) != paddock.PathAccessDenied {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	c := g.Begin("move", nil)
	put(t, base+"/ws/fresh", "evil")
	if err := c.Move(context.Background(), "fresh", "paddock.yaml", true); kind(err) != paddock.PathAccessDenied {
		t.Errorf("replacing the policy: %v", err)
	}
	if got := content(t, base+"/ws/paddock.yaml") + content(t, base+"/elsewhere.yaml") + content(t, base+"/ws/state/key"); got != "policypolicyKEY" {
		t.Errorf("own files hold %q", got)
	}
	names, err := list(g, "/")
	if err != nil || strings.Contains(strings.Join(names, " "), "state") {
		t.Errorf("listed %v %v", names, err)
	}
}

// A worker's narrower view does not forget what its parents deny, and a name
// beside its view is like one outside every mount.
func TestHardLinksOfWorkers(t *testing.T) {
	g, base := guard(t, `
version: 1
permissions: all
paths: [{slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}]
workers: {helper: {paths: [{slug: root, path: ws/sub, allowed_permission: all}]}}
`, paddock.Options{})
	put(t, base+"/ws/x.env", "SECRET")
	put(t, base+"/ws/beside", "beside")
	mkdir(t, base+"/ws/sub")
	hardLink(t, base+"/ws/x.env", base+"/ws/sub/hid")
	hardLink(t, base+"/ws/beside", base+"/ws/sub/b")
	w, err := g.Worker("helper", nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := read(t, w, "hid"); kind(err) != paddock.PathAccessDenied {
		t.Errorf("%q %v", text, err)
	}
	if text, err := read(t, w, "b"); text != "beside" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if err := write(w, "b", "changed"); kind(err) != paddock.PathAccessDenied || content(t, base+"/ws/beside") != "beside" {
		t.Errorf("write: %v", err)
	}
}

// A file that must be written in place is not, when there is no place to keep
// what it held.
func TestInPlaceNeedsSave(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/a", "old")
	hardLink(t, base+"/ws/a", base+"/ws/b")
	if err := write(g, "a", "new"); err == nil || !strings.Contains(err.Error(), "no place to keep the old content") || content(t, base+"/ws/a") != "old" {
		t.Errorf("%v; it holds %q", err, content(t, base+"/ws/a"))
	}
}

// A worker sees a part of the mounts, and no name in the rest of them opens to
// it what it shuts to the Guard that the worker narrows.
func TestHardLinksOfAWorker(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/secret/key", "KEY")
	hardLink(t, base+"/ws/secret/key", base+"/ws/sub/key")
	put(t, base+"/ws/sub/plain", "plain")
	g := guardAt(t, base, `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read}
  - {slug: secret, path: ws/secret, allowed_permission: none}
workers:
  w: {paths: [{slug: root, path: ws/sub, allowed_permission: read}]}
`, paddock.Options{})
	w, err := g.Worker("w", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := read(t, w, "key"); kind(err) != paddock.PathAccessDenied {
		t.Errorf("the worker read %q, %v", got, err)
	}
	if got, err := read(t, w, "plain"); got != "plain" || err != nil {
		t.Errorf("the worker read %q, %v", got, err)
	}
}

// A name by which a file may not be read cannot be taken away to read the file
// by another one.
func TestHardLinksStayShut(t *testing.T) {
	base := tempDir(t)
	for _, name := range []string{"a", "b", "c"} {
		put(t, base+"/ws/blind/"+name, "SECRET")
	}
	hardLink(t, base+"/ws/blind/a", base+"/ws/open/a")
	hardLink(t, base+"/ws/blind/b", base+"/ws/blind/other")
	put(t, base+"/ws/movable", "m")
	g := guardAt(t, base, `
version: 1
paths: [{slug: root, path: ws, allowed_permission: read|write|delete}]
rules: [{operations: [read], paths: ["/blind/*"], mode: deny}]
`, paddock.Options{})
	c := g.Begin("delete", nil)
	defer c.End(nil)
	ctx := context.Background()
	if _, err := c.Delete(ctx, "blind/a", paddock.DeleteOptions{}); kind(err) != paddock.PathAccessDenied {
		t.Errorf("delete: %v", err)
	}
	if _, err := c.Delete(ctx, "blind", paddock.DeleteOptions{Recursive: true}); kind(err) != paddock.PathAccessDenied {
		t.Errorf("delete the folder: %v", err)
	}
	if err := c.Move(ctx, "movable", "blind/a", true); kind(err) != paddock.PathAccessDenied {
		t.Errorf("replace: %v", err)
	}
	if got, err := read(t, g, "open/a"); err == nil {
		t.Errorf("it was read: %q", got)
	}
	for _, name := range []string{"blind/b", "blind/c", "open/a"} {
		if _, err := c.Delete(ctx, name, paddock.DeleteOptions{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
