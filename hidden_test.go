package paddock_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/policy"
)

const hiddenPolicy = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env", "private", "shut/"]}
  - {slug: ref, path: ref, allowed_permission: read}
rules:
  - {operations: [read, write], paths: ["/secret/**", "/r/hid*"], mode: deny}
allowed_commands: ["*"]
`

// hiddenNames are what the policy hides, and what stands there if anything.
var hiddenNames = map[string]string{
	"x.env": "SECRET", "d/y.env": "SECRET", "private/p.txt": "SECRET", "private/sub/q.txt": "SECRET",
	"shut/s.txt": "SECRET", "z.env/inner": "SECRET",
}

var hiddenPaths = []string{
	"x.env", "/x.env", "/root/x.env", "./x.env", "d/../x.env", "d/y.env", "//x.env", "x.env/", "x.env/.", "x.env/inner", "x.env/../a.txt", "x.env/..",
	"z.env", "z.env/inner", "z.env/nosuch", "z.env/../a.txt", "z.env/inner/..", "z.env/inner/deeper",
	"private", "private/", "private/p.txt", "private/nosuch", "private/nosuch/deeper", "private/../a.txt", "private/sub/../../a.txt", "private/sub/q.txt/x", "/root/private/sub",
	"shut/", "shut/s.txt", "shut/nosuch", "shut/s.txt/x", "shut/../a.txt", "shut/sub/..",
	"to-env", "to-env/", "to-env/x", "to-env/../a.txt", "to-private", "to-private/", "to-private/p.txt", "to-private/nosuch", "to-private/../a.txt", "to-private/sub/q.txt",
	"to-shut/s.txt", "to-shut/nosuch", "to-to-env", "dir-link/y.env", "BASE/ws/x.env", "BASE/ws/private/p.txt", "BASE/ws/private/../a.txt", "abs-env",
	"../ws/x.env", "../ws/private/../a.txt",
}

// hiddenTree makes what the workspace holds anew, with the hidden names or
// without them.
func hiddenTree(t *testing.T, base string, there bool) {
	mkdir(t, filepath.Join(base, "ws"))
	for _, e := range entries(t, filepath.Join(base, "ws")) {
		removeAll(t, filepath.Join(base, "ws", e))
	}
	for name, text := range map[string]string{"a.txt": "hello", "movable": "m", "d/b.txt": "b"} {
		put(t, filepath.Join(base, "ws", name), text)
	}
	for name, target := range map[string]string{
		"to-env": "x.env", "to-private": "private", "to-shut": "shut", "to-to-env": "to-env", "dir-link": "d", "abs-env": base + "/ws/x.env",
	} {
		link(t, target, filepath.Join(base, "ws", name))
	}
	for name, text := range hiddenNames {
		if there {
			put(t, filepath.Join(base, "ws", name), text)
		}
	}
}

// A hidden name answers every call alike whether it is there or not, and no
// answer holds a path of the host or a name that was not typed.
func TestHiddenNamesTellNothing(t *testing.T) {
	// In one place, so that both worlds have the same real paths.
	base := tempDir(t)
	count := 0
	answers := map[string]string{}
	for _, there := range []bool{true, false} {
		hiddenTree(t, base, there)
		g := guardAt(t, base, hiddenPolicy, paddock.Options{})
		for _, a := range acts(g) {
			for _, p := range hiddenPaths {
				typed := strings.ReplaceAll(p, "BASE", base)
				if strings.HasPrefix(typed, "/") && strings.HasPrefix(a.name, "redirect") {
					continue // a shell knows no virtual paths
				}
				key := a.name + " " + p
				got := outcome(a.run(g, typed))
				count++
				if strings.HasPrefix(got, "ok") {
					if !strings.HasPrefix(a.name, "redirect") && !mayWork(a.name, p) {
						t.Errorf("%s: %s", key, got)
					}
					hiddenTree(t, base, there)
				}
				if there {
					answers[key] = got
					tellsNothing(t, key, typed, base, got)
				} else if answers[key] != got {
					t.Errorf("%s: %q if it is there, %q if not", key, answers[key], got)
				}
			}
		}
	}
	if count < 2000 {
		t.Errorf("only %d answers were compared", count)
	}
}

// mayWork are the acts on a link itself: to look at it is to follow it, but a
// link may be taken away or moved whatever it leads to.
func mayWork(act, path string) bool {
	if !strings.HasPrefix(path, "to-") && path != "abs-env" || strings.Contains(path, "/") {
		return false
	}
	return act == "lstat" || strings.HasPrefix(act, "delete") || strings.HasPrefix(act, "move")
}

func tellsNothing(t *testing.T, what, typed, base, answer string) {
	t.Helper()
	answer = strings.ReplaceAll(answer, typed, "")
	for _, secret := range []string{base, "SECRET", ".env", "private", "shut/", "*"} {
		if strings.Contains(answer, secret) {
			t.Errorf("%s: the answer holds %q: %s", what, secret, answer)
		}
	}
}

// The same holds for a backend without links.
func TestHiddenNamesInMemory(t *testing.T) {
	text := strings.Replace(hiddenPolicy, "path: ws", "backend: memory", 1)
	answers := map[string]string{}
	for _, there := range []bool{true, false} {
		m := backend.NewMemory(1 << 20)
		for name, content := range map[string]string{"a.txt": "a", "movable": "m", "d/b.txt": "b"} {
			fill(t, m, name, content)
		}
		for name, content := range hiddenNames {
			if there {
				fill(t, m, name, content)
			}
		}
		g := guardAt(t, tempDir(t), text, paddock.Options{Mounts: map[string]backend.Backend{policy.RootSlug: m}})
		for _, a := range acts(g) {
			for _, p := range hiddenPaths {
				if strings.Contains(p, "BASE") || strings.HasPrefix(p, "to-") || strings.HasPrefix(p, "..") || strings.HasPrefix(p, "dir-link") || p == "abs-env" ||
					strings.HasPrefix(p, "/") && strings.HasPrefix(a.name, "redirect") {
					continue
				}
				key := a.name + " " + p
				got := outcome(a.run(g, p))
				if there {
					answers[key] = got
					tellsNothing(t, key, p, "\x00", got)
				} else if answers[key] != got {
					t.Errorf("%s: %q if it is there, %q if not", key, answers[key], got)
				}
			}
		}
	}
}

// fill writes a file of a memory backend, and the folders above it.
func fill(t *testing.T, b backend.Backend, name, text string) {
	t.Helper()
	ctx := context.Background()
	for i := range name {
		if name[i] == '/' {
			_ = b.Mkdir(ctx, name[:i], 0) // it may be there
		}
	}
	if _, err := b.Write(ctx, name, strings.NewReader(text), backend.WriteOptions{Create: true, Replace: true}); err != nil {
		t.Fatal(err)
	}
}

// Listings and walks leave hidden names out, and links that lead to them.
func TestListingsHide(t *testing.T) {
	base := tempDir(t)
	hiddenTree(t, base, true)
	g := guardAt(t, base, hiddenPolicy, paddock.Options{})
	names, err := list(g, "/")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(names, " "), "a.txt d dir-link movable ref"; got != want {
		t.Errorf("list: %s, want %s", got, want)
	}
	names, err = walk(g, "/", paddock.WalkOptions{Mounts: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(names, " "), ". a.txt d d/b.txt dir-link movable ref"; got != want {
		t.Errorf("walk: %s, want %s", got, want)
	}
}
