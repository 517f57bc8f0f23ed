package paddock_test

import (
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

// A policy that nobody vouched for is kept within a cap, and each refusal by
// the cap says how to lift it.
func TestCap(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/a", "a")
	readOnly := policy.Read
	cap, err := policy.Compile(
		&policy.SecurityContext{Paths: []policy.PathEntry{{Slug: "root", Path: base + "/ws", AllowedPermission: &readOnly}}},
		policy.Facts{Places: []policy.Place{{Real: base + "/ws"}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	g := guardAt(t, base, "version: 1\npaths: [{slug: root, path: ws, allowed_permission: all}]\n", paddock.Options{Cap: cap, CapNotice: "trust it first"})
	if text, err := read(t, g, "a"); text != "a" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if err := write(g, "a", "b"); kind(err) != paddock.PermissionDenied || !strings.Contains(err.Error(), "trust it first") {
		t.Error(err)
	}
}

// A worker's paths lie in its parent's mounts.
func TestWorkerPaths(t *testing.T) {
	const text = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: read|write, denied_path_regex: ["*.env"]}
  - {slug: mem, backend: memory, allowed_permission: all}
workers:
  sub: {paths: [{slug: root, path: ws/sub, allowed_permission: read}, {slug: mem, backend: memory, allowed_permission: read}]}
  outside: {paths: [{slug: root, path: out, allowed_permission: read}]}
  missing: {paths: [{slug: root, path: ws/nosuch, allowed_permission: read}]}
  wider: {paths: [{slug: root, path: ws/sub, allowed_permission: delete}]}
`
	base := tempDir(t)
	put(t, base+"/ws/sub/a", "a")
	put(t, base+"/ws/sub/x.env", "SECRET")
	put(t, base+"/ws/up", "up")
	put(t, base+"/out/o", "OUTSIDE")
	g := guardAt(t, base, text, paddock.Options{})
	if err := write(g, "/mem/m", "m"); err != nil {
		t.Fatal(err)
	}
	w, err := g.Worker("sub", nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a": "a", "/mem/m": "m", "x.env": "", "../up": "", "/up": "", base + "/ws/up": ""} {
		if got, err := read(t, w, path); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", path, got, err)
		}
	}
	if err := write(w, "a", "b"); kind(err) != paddock.PermissionDenied {
		t.Error(err)
	}
	if names, err := list(w, "/"); err != nil || strings.Join(names, " ") != "a mem" {
		t.Errorf("%v %v", names, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, g, "/up"); err != nil {
		t.Errorf("a worker closed its parent's mounts: %v", err)
	}
	for _, name := range []string{"outside", "missing", "wider"} {
		if _, err := g.Worker(name, nil); err == nil {
			t.Errorf("the worker %s was made", name)
		} else if name != "wider" && strings.Contains(err.Error(), "OUTSIDE") {
			t.Error(err)
		}
	}
}
