package tool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/tool"
)

// directoryAnswer is the structured content of directory_tool.
type directoryAnswer struct {
	Path, Destination, Kind string
	Entries                 []struct{ Path, Kind string }
	Truncated               bool
	Copied, Removed         *int
}

func (w *world) directory(pairs ...any) (directoryAnswer, tool.Result) {
	w.t.Helper()
	r := w.use("directory_tool", object(pairs...))
	var a directoryAnswer
	if r.Structured != nil {
		remarshal(w.t, r.Structured, &a)
	}
	return a, r
}

func TestDirectoryTree(t *testing.T) {
	t.Parallel()
	w := newWorld(t, closed, paddock.Options{})
	for _, name := range []string{"ws/a.txt", "ws/.env", "ws/private/x", "ws/src/a/b/c/deep.go", "ws/src/main.go", "ws/wide/1", "ws/wide/2", "ws/wide/3", "ws/wide/4", "ref/r.txt", "ws/secrets/b.txt"} {
		w.put(name, "x")
	}
	if err := os.Symlink("a.txt", filepath.Join(w.base, "ws/to-a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(w.base, "ws/src/loop")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []any
		want string
		cut  bool
	}{
		{[]any{"path", "/src"}, "/src\n  a/\n    b/\n      c/\n        … 1 more\n  loop -> /src\n  main.go\n\n[shown are 100 entries of each folder and 3 levels; … stands for the others]", true},
		{[]any{"path", "/src", "depth", 9}, "/src\n  a/\n    b/\n      c/\n        deep.go\n  loop -> /src\n  main.go", false},
		{[]any{"path", "/src", "depth", 1}, "/src\n  a/\n    … 1 more\n  loop -> /src\n  main.go\n\n[shown are 100 entries of each folder and 1 level; … stands for the others]", true},
		{[]any{"path", "/wide", "per_folder", 2}, "/wide\n  1\n  2\n  … 2 more\n\n[shown are 2 entries of each folder and 3 levels; … stands for the others]", true},
		{[]any{"path", "/wide", "per_folder", 4}, "/wide\n  1\n  2\n  3\n  4", false},
		{[]any{"path", "/wide", "max_count", 3}, "/wide\n  1\n  2\n  3\n\n[the tree is cut after 3 entries. Use a lower depth or a narrower path]", true},
		{[]any{"path", "/wide", "max_count", 4}, "/wide\n  1\n  2\n  3\n  4", false},
		// Hidden names are neither drawn nor counted; the mounts are beside root's children.
		{[]any{"depth", 1}, "/\n  a.txt\n  secrets/\n  src/\n    … 3 more\n  to-a -> /a.txt\n  wide/\n    … 4 more\n  ref/\n    … 1 more\n\n[shown are 100 entries of each folder and 1 level; … stands for the others]", true},
		{[]any{"path", "/a.txt"}, "Error: '/a.txt' is not a folder; use file_tool", false},
		{[]any{"path", "/private"}, "Denied: search /private (PathAccessDenied, policy line 4)", false},
	} {
		a, r := w.directory(append([]any{"operation", "tree"}, c.args...)...)
		if r.Text != c.want && !(r.Denied && strings.HasPrefix(r.Text, c.want)) || a.Truncated != c.cut {
			t.Errorf("%v: %q (%v)\nwant %q", c.args, r.Text, a.Truncated, c.want)
		}
		for _, e := range a.Entries {
			if strings.Contains(e.Path, ".env") || strings.Contains(e.Path, "private") {
				t.Errorf("%v shows %s", c.args, e.Path)
			}
		}
	}
}

// A huge folder gives an answer that is bounded, and says what is not there.
func TestDirectoryTreeOfAHugeFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	for i := range 400 {
		w.put(fmt.Sprintf("ws/node_modules/%03d", i), "")
	}
	for i := range 120 {
		w.put(fmt.Sprintf("ws/d%03d/f", i), "")
	}
	a, r := w.directory("operation", "tree")
	if !strings.HasSuffix(r.Text, "\n  … 21 more\n\n[shown are 100 entries of each folder and 3 levels; … stands for the others]") || !a.Truncated || len(a.Entries) != 200 {
		t.Errorf("%d entries, %q", len(a.Entries), r.Text[max(0, len(r.Text)-200):])
	}
	a, r = w.directory("operation", "tree", "path", "/node_modules")
	if !strings.Contains(r.Text, "\n  … 300 more\n") || len(a.Entries) != 100 {
		t.Errorf("%d entries, %q", len(a.Entries), r.Text[max(0, len(r.Text)-200):])
	}
	a, r = w.directory("operation", "tree", "path", "/", "per_folder", 10000, "max_count", 10000)
	if len(a.Entries) != 641 || a.Truncated {
		t.Errorf("%d entries, truncated %v: %q", len(a.Entries), a.Truncated, r.Text[max(0, len(r.Text)-200):])
	}
	a, r = w.directory("operation", "tree", "path", "/", "per_folder", 10000, "max_count", 500)
	if len(a.Entries) != 500 || !strings.Contains(r.Text, "[the tree is cut after 500 entries.") || strings.Contains(r.Text, "… ") {
		t.Errorf("%d entries: %q", len(a.Entries), r.Text[max(0, len(r.Text)-200):])
	}
}

func TestDirectoryOperations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "version: 1\npaths:\n  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: [.env]}\n  - {slug: ref, path: ref, allowed_permission: read}\n", paddock.Options{})
	for _, name := range []string{"ws/d/a.txt", "ws/d/sub/b.txt", "ws/secret/a.txt", "ws/secret/.env", "ws/f.txt", "ref/r.txt", "ws/empty/.keep"} {
		w.put(name, "CANARY")
	}
	if err := os.Remove(filepath.Join(w.base, "ws/empty/.keep")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("d", filepath.Join(w.base, "ws/to-d")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		op, path, to string
		more         []any
		want         string
	}{
		{"create", "/new/deep", "", []any{"dry_run", true}, "Dry run, nothing was done. This would make the folder /new/deep.\n\nIt is decided:\n- make the folder /new: allowed (write)\n- make the folder /new/deep: allowed (write)"},
		{"create", "/new/deep", "", nil, "Created folder /new/deep"},
		{"create", "/new", "", nil, "Error: '/new' exists already"},
		{"create", "/f.txt/x", "", nil, "Error: "},
		{"create", "/ref/x", "", nil, "Denied: make the folder /ref/x (PermissionDenied"},
		{"info", "/new", "", nil, "/new: folder, mode "},
		{"info", "/to-d", "", nil, "/d: folder, mode "},
		{"info", "/f.txt", "", nil, "Error: '/f.txt' is not a folder; use file_tool"},
		{"copy", "/d", "/secret", nil, "Error: '/secret' exists already and is a folder: destination is the new name itself"},
		{"copy", "/d", "/e", []any{"dry_run", true}, "Dry run, nothing was done. This would copy /d to /e, with what may be read in it."},
		{"copy", "/d", "/e", nil, "Copied /d to /e: 2 files"},
		{"copy", "/secret", "/open", nil, "Copied /secret to /open: 1 file"},
		{"copy", "/d", "/ref/d", nil, "Denied: copy to /ref/d (PermissionDenied"},
		{"move", "/to-d", "/x", nil, "Error: '/to-d' is a link, not a folder; use file_tool"},
		{"move", "/secret", "/x", nil, "Denied: move /secret (something in it)"},
		{"move", "/e", "/e2", []any{"dry_run", true}, "Dry run, nothing was done. This would move /e to /e2."},
		{"move", "/e", "/e2", nil, "Moved /e to /e2"},
		{"delete", "/e2", "", nil, "Error: '/e2' is a folder that is not empty; with recursive true it is deleted with all it holds"},
		{"delete", "/e2", "", []any{"recursive", true, "dry_run", true}, "Dry run, nothing was done. This would delete /e2 and the 3 objects in it."},
		{"delete", "/e2", "", []any{"recursive", true}, "Deleted /e2 and the 3 objects in it"},
		{"delete", "/empty", "", nil, "Deleted /empty"},
		{"delete", "/secret", "", []any{"recursive", true}, "Denied: delete /secret (something in it)"},
		{"delete", "/secret", "", []any{"recursive", true, "dry_run", true}, "Denied: delete /secret (something in it)"},
		{"delete", "/f.txt", "", nil, "Error: '/f.txt' is not a folder; use file_tool"},
		{"delete", "/to-d", "", []any{"recursive", true}, "Error: '/to-d' is a link, not a folder; use file_tool"},
		{"delete", "/ref/r.txt", "", nil, "Denied: delete /ref/r.txt (PermissionDenied"},
	} {
		args := append([]any{"operation", c.op, "path", c.path}, c.more...)
		if c.to != "" {
			args = append(args, "destination", c.to)
		}
		a, r := w.directory(args...)
		if !strings.HasPrefix(r.Text, c.want) || strings.Contains(r.Text, ".env") {
			t.Errorf("%s %s %s: %s\nwant %s", c.op, c.path, c.to, r.Text, c.want)
		}
		if c.want == "Deleted /e2 and the 3 objects in it" && (a.Removed == nil || *a.Removed != 4) {
			t.Errorf("removed %v", a.Removed)
		}
	}
	if _, err := os.Stat(filepath.Join(w.base, "ws/open/.env")); err == nil || w.has("ws/open/a.txt") != "CANARY" || w.has("ws/secret/a.txt") != "CANARY" {
		t.Error("what is hidden was copied, or what is protected is gone")
	}
	list := w.use("directory_tool", `{"operation":"list","path":"/d"}`)
	if ls := w.call("ls", `{"path":"/d"}`); list.Text != ls.Text {
		t.Errorf("list says %q, ls %q", list.Text, ls.Text)
	}
}
