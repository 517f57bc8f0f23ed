package tool_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paddock"
	"paddock/tool"
)

// found are the paths of an answer of find.
func (w *world) found(pairs ...any) ([]string, tool.Result) {
	w.t.Helper()
	r := w.use("search_tool", object(append([]any{"operation", "find"}, pairs...)...))
	var a struct {
		Entries []struct{ Path string }
		Matches int `json:"match_count"`
	}
	if r.Structured != nil {
		remarshal(w.t, r.Structured, &a)
	}
	var paths []string
	for _, e := range a.Entries {
		paths = append(paths, e.Path)
	}
	if len(paths) != a.Matches {
		w.t.Errorf("%v: %d entries and a count of %d", pairs, len(paths), a.Matches)
	}
	return paths, r
}

func searchWorld(t *testing.T) *world {
	w := newWorld(t, closed, paddock.Options{})
	for name, size := range map[string]int{"a.go": 10, "b.md": 2000, "src/c.go": 300, "src/deep/d.go": 5, "src/deep/e.js": 0, ".hidden/f.go": 1, ".env": 9, "private/g.go": 9} {
		w.put("ws/"+name, strings.Repeat("x", size))
	}
	w.put("ref/r.go", "rr")
	if err := os.Symlink("a.go", filepath.Join(w.base, "ws/link.go")); err != nil {
		t.Fatal(err)
	}
	old := time.Date(2020, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, name := range []string{"ws/a.go", "ws/src/c.go"} {
		if err := os.Chtimes(filepath.Join(w.base, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestFind(t *testing.T) {
	t.Parallel()
	w := searchWorld(t)
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"path", "/src"}, "/src/c.go /src/deep/ /src/deep/d.go /src/deep/e.js"},
		{[]any{"pattern", "*.go"}, "/.hidden/f.go /a.go /link.go /ref/r.go /src/c.go /src/deep/d.go"},
		{[]any{"pattern", "src/*"}, "/src/c.go /src/deep/"},
		{[]any{"pattern", "src/*", "type", "folder"}, "/src/deep/"},
		{[]any{"pattern", "**/*.go", "type", "file"}, "/a.go /ref/r.go /src/c.go /src/deep/d.go"},
		{[]any{"type", "link"}, "/link.go"},
		{[]any{"type", "folder"}, "/.hidden/ /ref/ /src/ /src/deep/"},
		{[]any{"include", []string{"*.md", "*.js"}}, "/b.md /src/deep/e.js"},
		{[]any{"pattern", "d*", "include", []string{"*.go", "deep"}}, "/src/deep/ /src/deep/d.go"},
		{[]any{"pattern", "*.go", "exclude", []string{"deep/", "a.*", "*.md"}}, "/.hidden/f.go /link.go /ref/r.go /src/c.go"},
		{[]any{"pattern", "*.go", "exclude", []string{"*.go", "!c.go"}}, "/src/c.go"},
		{[]any{"pattern", "*.go", "exclude", []string{"/src", "!/src/c.go"}}, "/.hidden/f.go /a.go /link.go /ref/r.go"},
		{[]any{"min_size", 300}, "/b.md /src/c.go"},
		{[]any{"max_size", 5, "path", "/src"}, "/src/deep/d.go /src/deep/e.js"},
		{[]any{"min_size", 1, "max_size", 10}, "/.hidden/f.go /a.go /ref/r.go /src/deep/d.go"},
		{[]any{"modified_before", "2020-05-02"}, "/a.go /src/c.go"},
		{[]any{"modified_before", "2020-05-01T12:00:00Z"}, ""},
		{[]any{"modified_after", "2020-05-01T12:00:00Z", "modified_before", "2021-01-01"}, "/a.go /src/c.go"},
		{[]any{"modified_after", "2020-05-01T14:00:01+02:00", "pattern", "{a,c}.go"}, ""},
		{[]any{"depth", 1, "pattern", "*.go"}, "/a.go /link.go"},
		{[]any{"depth", 2, "pattern", "*.go"}, "/.hidden/f.go /a.go /link.go /ref/r.go /src/c.go"},
		{[]any{"depth", 1, "path", "/src"}, "/src/c.go /src/deep/"},
		{[]any{"path", "/a.go"}, "/a.go"},
		{[]any{"path", "/a.go", "exclude", []string{"*.go"}}, ""},
		{[]any{"pattern", ".env"}, ""},
		{[]any{"pattern", "private"}, ""},
		{[]any{"pattern", "g.go"}, ""},
	} {
		got, r := w.found(c.args...)
		if strings.Join(got, " ") != c.want || r.IsError {
			t.Errorf("%v: %q, want %q: %s", c.args, strings.Join(got, " "), c.want, r.Text)
		}
		if text := strings.ReplaceAll(c.want, " ", "\n"); r.Text != text && (text != "" || r.Text != "Nothing found") {
			t.Errorf("%v: the text is %q", c.args, r.Text)
		}
	}
}

// TestFindIsCutAfterItsFilters: what a filter leaves out takes no place.
func TestFindIsCutAfterItsFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	for i := range 50 {
		w.put(fmt.Sprintf("ws/a%02d.log", i), "")
	}
	w.put("ws/z.go", "hit")
	w.put("ws/zz.go", "hit")
	got, r := w.found("exclude", []string{"*.log"}, "max_count", 1)
	if !slices.Equal(got, []string{"/z.go"}) || !strings.Contains(r.Text, "[the search stopped at 1 name and there are more.") {
		t.Errorf("%q: %s", got, r.Text)
	}
	if got, r := w.found("exclude", []string{"*.log"}, "max_count", 2); len(got) != 2 || strings.Contains(r.Text, "[") {
		t.Errorf("%q: %s", got, r.Text)
	}
	long := strings.Repeat("n", 200)
	for i := range 500 {
		w.put(fmt.Sprintf("ws/%s%03d.txt", long, i), "")
	}
	if got, r := w.found("pattern", "n*"); len(got) == 500 || len(r.Text) > 82_000 || !strings.Contains(r.Text, fmt.Sprintf("[the answer is full: %d names are shown", len(got))) {
		t.Errorf("%d names, %d characters", len(got), len(r.Text))
	}
}

func TestSearchGrep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, closed, paddock.Options{})
	for name, text := range map[string]string{
		"a.go": "one hit\ntwo\nthree\n", "b.min.js": "a hit\n", "node_modules/x/c.go": "hit\n", ".env": "hit CANARY\n", "private/p.go": "hit CANARY\n",
		"big.go": "hit\n" + strings.Repeat("x", 5000), "bin.go": "hit\x00", "sub/.gitignore": "gen/\n*.tmp\n", "sub/gen/d.go": "hit\n", "sub/e.tmp": "hit\n", "sub/f.go": "Hit\n", ".git/config": "hit\n",
	} {
		w.put("ws/"+name, text)
	}
	for _, c := range []struct {
		args []any
		want string
	}{
		{nil, "/.git/config\n/a.go\n/b.min.js\n/big.go\n/node_modules/x/c.go\n/sub/e.tmp\n/sub/gen/d.go\n\n[1 file was passed over, not being text]"},
		{[]any{"ignore_files", true}, "/a.go\n/b.min.js\n/big.go\n/node_modules/x/c.go\n\n[1 file was passed over, not being text]"},
		{[]any{"ignore_files", true, "exclude", []string{"node_modules/", "*.min.js", "bin.go"}}, "/a.go\n/big.go"},
		{[]any{"include", []string{"*.js", "*.tmp"}}, "/b.min.js\n/sub/e.tmp"},
		{[]any{"include", []string{"sub/**"}, "ignore_case", true, "output_mode", "count"}, "/sub/e.tmp: 1\n/sub/f.go: 1\n/sub/gen/d.go: 1"},
		{[]any{"include", []string{"*.go"}, "exclude", []string{"bin.go"}, "max_size", 100, "output_mode", "content", "context", 1}, "/a.go:\n  1: one hit\n  2- two\n/node_modules/x/c.go:\n  1: hit\n/sub/gen/d.go:\n  1: hit"},
		{[]any{"path", "/a.go", "output_mode", "content"}, "/a.go:\n  1: one hit"},
		{[]any{"depth", 1, "exclude", []string{"bin.go"}}, "/a.go\n/b.min.js\n/big.go"},
		{[]any{"exclude", []string{"*", "!sub/", "!d.go", "!gen/"}, "max_count", 1}, "/sub/gen/d.go"},
		{[]any{"path", "/.env"}, "Denied: search /.env (PathAccessDenied"},
	} {
		r := w.use("search_tool", object(append([]any{"operation", "grep", "pattern", "hit"}, c.args...)...))
		if r.Text != c.want && !(r.Denied && strings.HasPrefix(r.Text, c.want)) || strings.Contains(r.Text, "CANARY") {
			t.Errorf("%v: %q, want %q", c.args, r.Text, c.want)
		}
	}
	// Without filters it is grep.
	for _, c := range []string{`"pattern":"hit"`, `"pattern":"h.t","regex":true,"output_mode":"count"`, `"pattern":"HIT","ignore_case":true,"output_mode":"content","context":2`, `"pattern":"x","max_count":1`} {
		a, b := w.use("search_tool", `{"operation":"grep",`+c+`}`), w.call("grep", `{`+c+`}`)
		if a.Text != b.Text {
			t.Errorf("%s: search_tool says %q, grep %q", c, a.Text, b.Text)
		}
	}
}

// TestIgnoreFilesAgainstGit compares random trees with what git leaves out.
func TestIgnoreFilesAgainstGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here to compare with")
	}
	const seed = 20261130
	r := rand.New(rand.NewPCG(seed, 2))
	names := []string{"a", "b", "c.o", "d.log", "build", "src"}
	patterns := []string{"*.o", "!c.o", "build/", "/a", "src/b", "**/d.log", "a/**", "!a/b", "/src/", "b", "!build/", "#x", "", "d.*", "!/a/"}
	seen, left := 0, 0
	for round := range 12 {
		w := newWorld(t, open, paddock.Options{})
		root := filepath.Join(w.base, "ws")
		for range 30 {
			var parts []string
			for range 1 + r.IntN(3) {
				parts = append(parts, names[r.IntN(len(names))])
			}
			path := filepath.Join(root, filepath.Join(parts...))
			if os.MkdirAll(filepath.Dir(path), 0o755) == nil {
				_ = os.WriteFile(path, nil, 0o644) // a folder may have the name
			}
		}
		for _, dir := range []string{".", "a", "src", "build", "src/a"} {
			if info, err := os.Stat(filepath.Join(root, dir)); err != nil || !info.IsDir() || r.IntN(3) == 0 {
				continue
			}
			var lines []string
			for range 1 + r.IntN(4) {
				lines = append(lines, patterns[r.IntN(len(patterns))])
			}
			w.put("ws/"+dir+"/.gitignore", strings.Join(lines, "\n"))
		}
		git := exec.Command("git", "-c", "init.defaultBranch=main", "init", "-q", root)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
		out, err := exec.Command("git", "-C", root, "-c", "core.excludesFile=/dev/null", "ls-files", "-z", "--others", "--exclude-standard").Output()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, name := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if name != "" {
				want = append(want, "/"+name)
			}
		}
		slices.Sort(want)
		got, _ := w.found("ignore_files", true, "type", "file")
		all, _ := w.found("type", "file", "exclude", []string{".git/"})
		seen, left = seen+len(all), left+len(all)-len(want)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d, round %d: %q, and git says %q", seed, round, got, want)
		}
	}
	t.Logf("%d files, %d left out by git", seen, left)
	if left*5 < seen || left*5 > seen*4 {
		t.Errorf("of %d files %d are left out: that tests little", seen, left)
	}
}

// TestIgnoreFilesGoThroughTheGuard: an ignore file that may not be read does
// not count, nor does one that is a link; nobody is asked about one.
func TestIgnoreFilesGoThroughTheGuard(t *testing.T) {
	t.Parallel()
	a := &answers{}
	w := newWorld(t, `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read, denied_path_regex: ["/shut/.gitignore", "/secret"]}
  - {slug: ask, path: ws/ask, allowed_permission: read, required_permission: read}
`, paddock.Options{Approver: a})
	w.put("ws/shut/.gitignore", "*.go\n")
	w.put("ws/shut/a.go", "")
	w.put("ws/linked/b.go", "")
	w.put("ws/huge/.gitignore", "x\x00y\n"+strings.Repeat("z", 5000)+"\n*.go\n")
	w.put("ws/huge/c.go", "")
	w.put("ws/huge/d.md", "")
	w.put("ws/secret", "*.go\n")
	w.put("ws/ask/.gitignore", "*.go\n")
	w.put("ws/ask/e.go", "")
	w.put("ws/ask/f.md", "")
	for name, to := range map[string]string{"ws/linked/.gitignore": "../secret", "ws/linked/.ignore": "../ask/.gitignore"} {
		if err := os.Symlink(to, filepath.Join(w.base, name)); err != nil {
			t.Fatal(err)
		}
	}
	got, r := w.found("ignore_files", true, "include", []string{"*.go", "*.md"}, "path", "/shut")
	if !slices.Equal(got, []string{"/shut/a.go"}) {
		t.Errorf("%q: %s", got, r.Text)
	}
	got, _ = w.found("ignore_files", true, "include", []string{"*.go", "*.md"}, "path", "/linked")
	if !slices.Equal(got, []string{"/linked/b.go"}) || len(a.asked) != 0 {
		t.Errorf("%q, asked %d times", got, len(a.asked))
	}
	got, _ = w.found("ignore_files", true, "type", "file", "path", "/huge", "include", []string{"*.go", "*.md"})
	if !slices.Equal(got, []string{"/huge/d.md"}) {
		t.Errorf("%q", got)
	}
	a.decisions = []paddock.Decision{{Answer: paddock.Approve}}
	got, _ = w.found("ignore_files", true, "include", []string{"*.go", "*.md"}, "path", "/ask")
	if !slices.Equal(got, []string{"/ask/f.md"}) || len(a.asked) != 1 {
		t.Errorf("%q, asked %d times", got, len(a.asked))
	}
}
