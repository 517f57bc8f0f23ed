package tool_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
)

// files is the structured list of glob, by way of JSON, as a client has it.
func files(t *testing.T, r any) []string {
	t.Helper()
	var out struct{ Files []string }
	remarshal(t, r, &out)
	return out.Files
}

func TestGlob(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	for _, name := range []string{"a.py", "sub/b.py", "sub/nested/c.py", "readme.md", ".hidden.py", ".hidden/x.py", ".github/workflows/ci.yml"} {
		w.put("ws/"+name, "x\n")
	}
	for _, c := range []struct {
		pattern, path string
		want          []string
	}{
		{"*.py", "/", []string{"/.hidden/x.py", "/a.py", "/sub/b.py", "/sub/nested/c.py"}},
		{"*.py", "/sub", []string{"/sub/b.py", "/sub/nested/c.py"}},
		{"**/*.py", "/", []string{"/a.py", "/sub/b.py", "/sub/nested/c.py"}},
		{"**/*.yml", "/", nil},
		{"*.yml", "/", []string{"/.github/workflows/ci.yml"}},
		{".github/**/*.yml", "/", []string{"/.github/workflows/ci.yml"}},
		{"sub/**/*.py", "/", []string{"/sub/b.py", "/sub/nested/c.py"}},
		{"sub/*.py", "/", []string{"/sub/b.py"}},
		{"sub//./*.py", "/", []string{"/sub/b.py"}},
		{"sub/*/*.py", "/", []string{"/sub/nested/c.py"}},
		{"*/nested/*", "/", []string{"/sub/nested/c.py"}},
		{"/*.py", "/", []string{"/a.py"}},
		{"./*.py", "/", []string{"/a.py"}},
		{"/*.py", "/sub", []string{"/sub/b.py"}},
		{".*.py", "/", []string{"/.hidden.py"}},
		{".hidden.py", "/", []string{"/.hidden.py"}},
		{"*.{py,md}", "/", []string{"/.hidden/x.py", "/a.py", "/readme.md", "/sub/b.py", "/sub/nested/c.py"}},
		{"{sub/b,readme}.{py,md}", "/", []string{"/readme.md", "/sub/b.py"}},
		{"[ab].py", "/", []string{"/a.py", "/sub/b.py"}},
		{"[^a].py", "/", []string{"/.hidden/x.py", "/sub/b.py", "/sub/nested/c.py"}},
		{"?.py", "/", []string{"/.hidden/x.py", "/a.py", "/sub/b.py", "/sub/nested/c.py"}},
		{"a.py/**", "/", nil},
		{"*", "/sub/nested/", []string{"/sub/nested/c.py"}},
		{"*.py", "/a.py", []string{"/a.py"}},
		{"*.md", "/a.py", nil},
	} {
		r := w.call("glob", object("pattern", c.pattern, "path", c.path))
		if r.IsError {
			t.Errorf("%s in %s: %s", c.pattern, c.path, r.Text)
			continue
		}
		if got := files(t, r.Structured); !slices.Equal(got, c.want) && len(got)+len(c.want) > 0 {
			t.Errorf("%s in %s: %q, want %q", c.pattern, c.path, got, c.want)
		}
		if want := strings.Join(c.want, "\n"); c.want != nil && r.Text != want || c.want == nil && r.Text != "No files found" {
			t.Errorf("%s in %s: the text is %q", c.pattern, c.path, r.Text)
		}
	}
	for _, c := range []struct{ args, want string }{
		{`{"pattern":""}`, "Error: the pattern is empty"},
		{object("pattern", strings.Repeat("{a,b}", 40)+"*.py"), "Error: Invalid glob pattern: "},
		{object("pattern", "../*"), "Error: Invalid glob pattern: "},
		{object("pattern", "*", "path", "/nope"), "Error: '/nope' not found"},
	} {
		if r := w.call("glob", c.args); !r.IsError || !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%.80s: %q, want %q", c.args, r.Text, c.want)
		}
	}
	if r := w.call("glob", `{"pattern":"/sub/*.py","path":"/sub"}`); !strings.Contains(r.Text, "must not repeat it") {
		t.Errorf("a pattern that repeats the path: %q", r.Text)
	}
	// A name can be written in two ways; the answer does not pretend.
	w.put("ws/ä_1.md", "x")
	w.put("ws/a\u0308_2.md", "x")
	if r := w.call("glob", `{"pattern":"*ä*"}`); !strings.Contains(r.Text, "/ä_1.md") || !strings.Contains(r.Text, "may be missing") {
		t.Errorf("a composed name: %q", r.Text)
	}
}

func TestGlobIsCutAndSaysSo(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	long := strings.Repeat("n", 200)
	for i := range 500 {
		w.put(fmt.Sprintf("ws/%s%03d.txt", long, i), "")
	}
	for _, c := range []struct{ tool, args string }{{"glob", `{"pattern":"*.txt"}`}, {"ls", `{}`}, {"grep", `{"pattern":"x"}`}} {
		if c.tool == "grep" {
			for i := range 500 {
				w.put(fmt.Sprintf("ws/%s%03d.txt", long, i), "x\n")
			}
		}
		r := w.call(c.tool, c.args)
		var out struct {
			Truncated bool
			Files     []any
			Entries   []any
		}
		remarshal(t, r.Structured, &out)
		n := len(out.Files) + len(out.Entries)
		if len(r.Text) > 81_000 || !out.Truncated || n < 300 || n > 400 || !strings.HasSuffix(r.Text, "]") {
			t.Errorf("%s: %d characters, %d names, truncated %v, …%q", c.tool, len(r.Text), n, out.Truncated, r.Text[len(r.Text)-200:])
		}
	}
}

func TestGrep(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/public/a.txt", "keyword here\n")
	w.put("ws/secrets/b.txt", "keyword there\nkeyword again\n")
	w.put("ws/ci/build.yml", "no such thing\n")
	w.put("ws/mac.txt", "one\rtwo needle\rthree\r")
	w.put("ws/dos.txt", "one\r\ntwo needle\r\n")
	w.put("ws/mark.txt", "\xef\xbb\xbfneedle first\n")
	w.put("ws/latin.txt", "n\xe4dle needle\n")
	w.put("ws/bin.dat", "needle\x00\n")
	for _, c := range []struct{ name, args, want string }{
		{"files", `{"pattern":"keyword"}`, "/public/a.txt\n/secrets/b.txt\n\n[1 file was passed over, not being text]"},
		{"content", `{"pattern":"keyword","output_mode":"content","glob":"*.txt"}`, "/public/a.txt:\n  1: keyword here\n/secrets/b.txt:\n  1: keyword there\n  2: keyword again"},
		{"count", `{"pattern":"keyword","output_mode":"count","glob":"*.txt"}`, "/public/a.txt: 1\n/secrets/b.txt: 2"},
		{"null is absent", `{"pattern":"keyword","path":null,"glob":null,"max_count":null,"output_mode":"files_with_matches"}`, "/public/a.txt\n/secrets/b.txt\n\n[1 file was passed over, not being text]"},
		{"below a folder", `{"pattern":"keyword","path":"/public"}`, "/public/a.txt"},
		{"in a file", `{"pattern":"again","path":"/secrets/b.txt","output_mode":"content"}`, "/secrets/b.txt:\n  2: keyword again"},
		{"nothing", `{"pattern":"nowhere","glob":"*.txt"}`, "No matches found"},
		{"case counts", `{"pattern":"KEYWORD","glob":"*.txt"}`, "No matches found"},
		{"case does not count", `{"pattern":"KEYWORD HERE","ignore_case":true,"glob":"*.txt"}`, "/public/a.txt"},
		{"other alphabets", `{"pattern":"NÄDLE","ignore_case":true,"glob":"*.txt"}`, "No matches found"},
		{"literal", `{"pattern":"key.*","glob":"*.txt"}`, "No matches found\n\nNote: grep matches literal text"},
		{"regex", `{"pattern":"^key\\w+ (here|there)$","regex":true,"output_mode":"content","glob":"*.txt"}`, "/public/a.txt:\n  1: keyword here\n/secrets/b.txt:\n  1: keyword there"},
		{"regex without case", `{"pattern":"^KEY.*AGAIN","regex":true,"ignore_case":true,"glob":"*.txt"}`, "/secrets/b.txt"},
		{"an option is text", `{"pattern":"--help","glob":"*.txt"}`, "No matches found"},
		{"all line endings, and the number of read_file", `{"pattern":"two needle","output_mode":"content","glob":"*.txt"}`, "/dos.txt:\n  2: two needle\n/mac.txt:\n  2: two needle"},
		{"the end of a line is not in it", `{"pattern":"needle$","regex":true,"output_mode":"content","glob":"{dos,mac}.txt"}`, "/dos.txt:\n  2: two needle\n/mac.txt:\n  2: two needle"},
		{"a byte order mark is not in the line", `{"pattern":"^needle","regex":true,"output_mode":"content","glob":"*.txt"}`, "/mark.txt:\n  1: needle first"},
		{"broken UTF-8", `{"pattern":"dle needle","output_mode":"content","glob":"*.txt"}`, "/latin.txt:\n  1: n\\xe4dle needle"},
		{"binary", `{"pattern":"needle","path":"/bin.dat"}`, "No matches found\n\n[1 file was passed over, not being text]"},
		{"exactly as many as wanted", `{"pattern":"keyword","output_mode":"content","max_count":3,"glob":"*.txt"}`, "/public/a.txt:\n  1: keyword here\n/secrets/b.txt:\n  1: keyword there\n  2: keyword again"},
		{"fewer than there are", `{"pattern":"keyword","output_mode":"content","max_count":2,"glob":"*.txt"}`, "/public/a.txt:\n  1: keyword here\n/secrets/b.txt:\n  1: keyword there\n\n[the search stopped at 2 hits and there are more. Use a more specific pattern or a narrower path, or raise max_count]"},
		{"counted up to a bound", `{"pattern":"keyword","output_mode":"count","max_count":2,"glob":"*.txt"}`, "/public/a.txt: 1\n/secrets/b.txt: 1\n\n[the search stopped at 2 hits"},
		{"one file", `{"pattern":"keyword","max_count":1,"glob":"*.txt"}`, "/public/a.txt\n\n[the search stopped at 1 hit and"},

		{"no pattern", `{"pattern":""}`, "Error: the pattern is empty"},
		{"a line break", `{"pattern":"a\nb"}`, "Error: the pattern holds a line break"},
		{"no expression", `{"pattern":"[","regex":true}`, "Error: the pattern is no regular expression: "},
		{"lookahead", `{"pattern":"a(?=b)","regex":true}`, "Error: the pattern is no regular expression: "},
		{"too many counts", `{"pattern":"(x{1,1000}){1,1000}","regex":true}`, "Error: the "},
		{"too large", `{"pattern":"(abcdef|ghijkl){900}","regex":true}`, "Error: the regular expression is too large"},
		{"no mode", `{"pattern":"a","output_mode":"lines"}`, "Error: output_mode must be files_with_matches, content or count, and not 'lines'"},
		{"no hits wanted", `{"pattern":"a","max_count":0}`, "Error: max_count must be at least 1"},
		{"too much context", `{"pattern":"a","context":21}`, "Error: context must be a number from 0 to 20"},
		{"no such folder", `{"pattern":"a","path":"/nope"}`, "Error: '/nope' not found"},
		{"a bad glob", `{"pattern":"a","glob":"` + strings.Repeat("{a,b}", 20) + `"}`, "Error: Invalid glob pattern: "},
	} {
		if got := w.call("grep", c.args).Text; got != c.want && (!strings.HasPrefix(got, c.want) || !strings.HasSuffix(c.want, " ") && !strings.HasPrefix(c.want, "Error") && !strings.Contains(c.want, "Note") && !strings.Contains(c.want, "the search stopped at")) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestGrepGlobs(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/src/app/main.py", "import os\n")
	w.put("ws/top.py", "import sys\n")
	w.put("ws/README.md", "import note\n")
	w.put("ws/sort/b.txt", "import b\n")
	w.put("ws/sort.txt", "import b\n")
	for _, c := range []struct{ glob, path, want string }{
		{"*.py", "/", "/src/app/main.py\n/top.py"},
		{"**/*.py", "/", "/src/app/main.py\n/top.py"},
		{"src/**/*.py", "/", "/src/app/main.py"},
		{"/src/**/*.py", "/", "/src/app/main.py"},
		{"/*.py", "/", "/top.py"},
		{"app/*.py", "/src", "/src/app/main.py"},
		{"*.{py,md}", "/", "/README.md\n/src/app/main.py\n/top.py"},
		{"*.go", "/", "No matches found"},
		{"*.txt", "/", "/sort.txt\n/sort/b.txt"},
	} {
		if got := w.call("grep", object("pattern", "import", "path", c.path, "glob", c.glob)).Text; got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.glob, c.path, got, c.want)
		}
	}
}

func TestGrepContext(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		text := "plain"
		if i == 3 || i == 5 || i == 12 || i == 20 {
			text = "hit"
		}
		fmt.Fprintf(&b, "%s %d\r\n", text, i)
	}
	w.put("ws/f.txt", b.String())
	want := strings.Join([]string{
		"/f.txt:", "  2- plain 2", "  3: hit 3", "  4- plain 4", "  5: hit 5", "  6- plain 6",
		"  --", "  11- plain 11", "  12: hit 12", "  13- plain 13", "  --", "  19- plain 19", "  20: hit 20",
	}, "\n")
	if got := w.call("grep", `{"pattern":"hit","output_mode":"content","context":1}`).Text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The bound counts hits, not lines.
	if got, want := w.call("grep", `{"pattern":"hit","output_mode":"content","context":1,"max_count":1}`).Text, "/f.txt:\n  2- plain 2\n  3: hit 3\n  4- plain 4\n\n[the search stopped at 1 hit"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGrepLongLines(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/min.js", strings.Repeat("a", 300_000)+"needle"+strings.Repeat("b", 300_000))
	w.put("ws/near.txt", "a\n"+strings.Repeat("x", 5000)+"needle\nb\n")
	r := w.call("grep", `{"pattern":"needle","output_mode":"content","context":1}`)
	if len(r.Text) > 5000 || strings.Count(r.Text, "needle") != 2 || !strings.Contains(r.Text, "clipped") || !strings.Contains(r.Text, "  1- a\n  2: …x") || !strings.Contains(r.Text, "\n  3- b") {
		t.Errorf("%d characters: %q", len(r.Text), r.Text)
	}
	// Lines longer than any buffer, with hits wherever a buffer could end.
	for _, at := range []int{0, 1 << 20, 1<<20 - 3, 2<<20 - 5, 3 << 20} {
		line := []byte(strings.Repeat("ab", 2<<20))
		copy(line[at:], "NEEDLE")
		w.put("ws/long.txt", "first\r\n"+string(line)+"\r\nNEEDLE last\r\n")
		got := w.call("grep", `{"pattern":"NEEDLE","output_mode":"content","path":"/long.txt","context":1}`).Text
		if strings.Count(got, "NEEDLE") != 2 || !strings.Contains(got, "\n  1- first\n  2: ") || !strings.Contains(got, "\n  3: NEEDLE last") {
			t.Errorf("a hit at %d of a long line: %q", at, got)
		}
	}
	w.put("ws/long.txt", strings.Repeat("ab", 2<<20)+"NEEDLE\n")
	if got := w.call("grep", `{"pattern":"NEED[L]E","regex":true,"path":"/long.txt"}`).Text; !strings.Contains(got, "only the beginning was searched") {
		t.Errorf("an expression over a long line: %q", got)
	}
}

func TestGrepAnswerIsFull(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", strings.Repeat("hit "+strings.Repeat("x", 200)+"\n", 900))
	w.put("ws/b.txt", "hit\n")
	w.put("ws/c.txt", strings.Repeat("other "+strings.Repeat("y", 450)+"\n", 5000))
	if r := w.call("grep", `{"pattern":"other","output_mode":"content","max_count":100000}`); len(r.Text) > 81_000 || !strings.Contains(r.Text, "[the answer is full") {
		t.Errorf("many long hits in one file: %d characters, …%q", len(r.Text), r.Text[len(r.Text)-200:])
	}
	r := w.call("grep", `{"pattern":"hit","output_mode":"content"}`)
	var out struct {
		Files []struct {
			Path    string
			Matches int
			Lines   []any
		}
		Matches   int `json:"match_count"`
		Truncated bool
	}
	remarshal(t, r.Structured, &out)
	if len(r.Text) > 81_000 || !out.Truncated || len(out.Files) != 1 || out.Matches != len(out.Files[0].Lines) || out.Matches != out.Files[0].Matches ||
		out.Matches != strings.Count(r.Text, ": hit x") || out.Matches < 350 || !strings.Contains(r.Text, "[the answer is full") {
		t.Errorf("%d characters, %d hits, truncated %v, %d files", len(r.Text), out.Matches, out.Truncated, len(out.Files))
	}
}

// TestGrepHostileLines has a hit in each of very many lines, and no LF near:
// what a line costs must not grow with what is behind it.
func TestGrepHostileLines(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector is too slow for the time that a search is given: the plain run tries it")
	}
	w := newWorld(t, open, paddock.Options{})
	const n = 1 << 20
	w.put("ws/a.txt", strings.Repeat("x\r", n))
	for _, c := range [][2]string{
		{`{"pattern":"x","output_mode":"count"}`, fmt.Sprintf("/a.txt: %d", n)},
		{`{"pattern":"[^y]","regex":true,"output_mode":"count"}`, fmt.Sprintf("/a.txt: %d", n)},
		{`{"pattern":"x","output_mode":"content","context":20,"max_count":9000}`, "/a.txt:\n  1: x\n  2: x\n"},
	} {
		if got := w.call("grep", c[0]).Text; !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s: %.100q, want %q", c[0], got, c[1])
		}
	}
	if got, want := w.call("read_file", fmt.Sprintf(`{"file_path":"/a.txt","offset":%d}`, n-1)).Text, fmt.Sprintf("%d  x", n); got != want {
		t.Errorf("the last line is %q", got)
	}
}

func TestGrepHostileExpressions(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", strings.Repeat("a", 60)+"!\n"+strings.Repeat(strings.Repeat("a", 1000)+"\n", 60))
	for _, pattern := range []string{`(a+)+$`, `(a|a)*b`, `(.*.*.*.*)x`, `(a?){200}a{200}$`, `[^b]*[^c]*[^d]*z`} {
		if r := w.call("grep", object("pattern", pattern, "regex", true, "output_mode", "count")); r.IsError {
			t.Errorf("%s: %s", pattern, r.Text)
		}
	}
}

func TestSearchOfOddTrees(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "x\n")
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(w.base, "ws", name)); err != nil {
			t.Fatal(err)
		}
	}
	link(".", "loop")
	link("lb", "la")
	link("la", "lb")
	link("a.txt", "twin.txt")
	if err := syscall.Mkfifo(filepath.Join(w.base, "ws/pipe.txt"), 0o644); err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("d/", 300)
	w.put("ws/deep/"+deep+"leaf.txt", "x\n")
	if got, want := w.call("glob", `{"pattern":"**/*.txt"}`).Text, "/a.txt\n/deep/"+deep+"leaf.txt\n/twin.txt"; got != want {
		t.Errorf("glob: %q, want %q", got, want)
	}
	if got, want := w.call("grep", `{"pattern":"x"}`).Text, "/a.txt\n/deep/"+deep+"leaf.txt"; got != want {
		t.Errorf("grep: %q, want %q", got, want)
	}
	for _, path := range []string{"/la", "/pipe.txt"} {
		for _, args := range [][2]string{{"read_file", object("file_path", path)}, {"write_file", object("file_path", path, "content", "x")}, {"grep", object("pattern", "x", "path", path)}} {
			r := w.call(args[0], args[1])
			if args[0] != "grep" && !r.IsError || strings.Contains(r.Text, "a.txt\n") {
				t.Errorf("%s %s: %q", args[0], path, r.Text)
			}
		}
	}
	if r := w.call("delete", `{"path":"/deep"}`); r.IsError || !strings.Contains(r.Text, "301 objects") && !strings.Contains(r.Text, "302 objects") {
		t.Errorf("deleting a deep tree: %q", r.Text)
	}
	if r := w.call("delete", `{"path":"/twin.txt"}`); r.IsError || w.has("ws/a.txt") != "x\n" {
		t.Errorf("deleting a link: %q", r.Text)
	}
}

// faulty is a disk on which some names fail, for every user alike.
type faulty struct {
	*disk.Tree
	fails map[string]error
}

func (f *faulty) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	if err := f.fails[name]; err != nil {
		return nil, fmt.Errorf("read the folder %s/%s: %w", f.Root(), name, err)
	}
	return f.Tree.ReadDir(ctx, name)
}

func (f *faulty) Open(ctx context.Context, name string) (backend.Reader, error) {
	if err := f.fails[name]; err != nil {
		return nil, fmt.Errorf("open %s/%s: %w", f.Root(), name, err)
	}
	return f.Tree.Open(ctx, name)
}

func (f *faulty) Hold(string) (backend.Held, bool) { return nil, false }

func (f *faulty) Names(ctx context.Context, name string) ([]backend.Entry, error) {
	return f.ReadDir(ctx, name)
}

func (f *faulty) Folder(string) (backend.Folder, bool) { return nil, false }

func TestSearchPassesOverWhatFails(t *testing.T) {
	w := newWorldOver(t, open, paddock.Options{}, func(tree *disk.Tree) backend.Backend {
		fails := map[string]error{"b.txt": syscall.EIO, "gone.txt": fs.ErrNotExist}
		for i := range 8 {
			fails[fmt.Sprintf("locked%d", i)] = syscall.EACCES
		}
		return &faulty{tree, fails}
	})
	for _, name := range []string{"a.txt", "b.txt", "gone.txt", "z.txt"} {
		w.put("ws/"+name, "x\n")
	}
	for i := range 8 {
		w.put(fmt.Sprintf("ws/locked%d/b.txt", i), "x\n")
	}
	note := "[could not be read: /locked0 (permission denied), /locked1 (permission denied), /locked2 (permission denied), /locked3 (permission denied), /locked4 (permission denied) and 3 more]"
	if got, want := w.call("glob", `{"pattern":"*"}`).Text, "/a.txt\n/b.txt\n/gone.txt\n/z.txt\n\n"+note; got != want {
		t.Errorf("glob: %q, want %q", got, want)
	}
	if got, want := w.call("grep", `{"pattern":"x"}`).Text, "/a.txt\n/z.txt\n\n[1 file could not be read]\n"+note; got != want {
		t.Errorf("grep: %q, want %q", got, want)
	}
	if got, want := w.call("ls", `{"path":"/locked1"}`).Text, "Error: '/locked1': the file permissions of the system do not allow it"; got != want {
		t.Errorf("ls: %q, want %q", got, want)
	}
	for _, c := range [][2]string{{"ls", `{"path":"/locked1"}`}, {"read_file", `{"file_path":"/b.txt"}`}, {"edit_file", `{"file_path":"/b.txt","old_string":"x","new_string":"y"}`}, {"delete", `{"path":"/locked1"}`}} {
		if r := w.call(c[0], c[1]); !r.IsError {
			t.Errorf("%s %s: %q", c[0], c[1], r.Text)
		}
	}
}
