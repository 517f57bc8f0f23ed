package tool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"paddock"
	"paddock/internal/show"
	"paddock/policy"
	"paddock/tool"
)

// oddNames are names that a person, a terminal or a model could take for
// something else.
var oddNames = []string{
	"a\n/proj/fake.txt", "tab\there", "cr\rlf\n", "esc\x1b[2J", "bell\x07", "del\x7f",
	"\u202egnp.exe", "zero\u200bwidth", "tag\U000e0041", "soft\u00adhyphen", "nbsp\u00a0x", "\u2028",
	"broken\xff.txt", "\xc3", "half\xe2\x80", "mixed\xff\u202e\n",
	`back\slash`, `\x0a`, `\x41`, `\xff`, `\x5c`, `\x5cx0a`, `\\x0a`, `\x`, `\x0`, `\x0A`, "\\x0a\n", "\\\n", `\x7f`, `\x00`,
	"日本語.txt", "naïve é", " lead", "trail ", "quote\"'`", "[1]*?{a}", "-rf", "~", "~x", "...", "..x", "a b", "#x", "$HOME", "%41", "C:x",
	strings.Repeat("ä", 127),
}

// TestOddNames lists, finds, reads, changes and deletes each of them by the
// path that the tools print.
func TestOddNames(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	n := 0
	for _, name := range oddNames {
		if strings.Contains(name, "/") {
			name = strings.ReplaceAll(name, "/", "_")
		}
		for _, folder := range []string{"", "in/"} {
			path := filepath.Join(w.base, "ws", folder+name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(fmt.Sprintf("text of %q", folder+name)), 0o644); err != nil {
				t.Logf("the file system has no name %q: %v", name, err)
				continue
			}
			n++
		}
	}
	if n < 2*len(oddNames)-10 {
		t.Fatalf("only %d of %d names could be made", n, 2*len(oddNames))
	}
	text := w.call("glob", `{"pattern":"**/*"}`).Text + "\n" + w.call("glob", `{"pattern":"**/.*"}`).Text
	var paths []string
	for path := range strings.Lines(text) {
		if path = strings.TrimSuffix(path, "\n"); path != "" && path[0] == '/' {
			paths = append(paths, path)
		}
	}
	if len(paths) != n {
		t.Errorf("glob prints %d lines for %d files", len(paths), n)
	}
	listed := w.call("ls", `{}`).Text + "\n" + w.call("ls", `{"path":"/in/"}`).Text
	found := w.call("grep", `{"pattern":"text of"}`).Text
	seen := map[string]bool{}
	for _, path := range paths {
		if show.Line(path) != path || !utf8.ValidString(path) {
			t.Errorf("%q is not safe to print", path)
		}
		for _, other := range []string{listed, found} {
			if !strings.Contains("\n"+other+"\n", "\n"+path+"\n") {
				t.Errorf("%q is not printed alike by ls or grep", path)
			}
		}
		read := w.call("read_file", object("file_path", path))
		if read.IsError || seen[read.Text] || !strings.Contains(read.Text, "text of ") {
			t.Errorf("read_file %q: %q", path, read.Text)
		}
		seen[read.Text] = true
		if r := w.call("grep", object("pattern", "text", "path", path)); r.Text != path {
			t.Errorf("grep in %q: %q", path, r.Text)
		}
		if r := w.call("edit_file", object("file_path", path, "old_string", "text of", "new_string", "changed")); r.IsError || !strings.Contains(r.Text, path) {
			t.Errorf("edit_file %q: %q", path, r.Text)
		}
		if r := w.call("write_file", object("file_path", path, "content", "new")); r.IsError || r.Text != "Updated file "+path {
			t.Errorf("write_file %q: %q", path, r.Text)
		}
		if r := w.call("delete", object("path", path)); r.IsError || !strings.HasSuffix(r.Text, path) {
			t.Errorf("delete %q: %q", path, r.Text)
		}
	}
	if r := w.call("glob", `{"pattern":"**"}`); r.Text != "No files found" {
		t.Errorf("still there: %q", r.Text)
	}
}

// FuzzSpell finds that what is printed is safe, and leads back.
func FuzzSpell(f *testing.F) {
	for _, name := range oddNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsRune(name, 0) {
			return // no file has such a name
		}
		spelled := tool.Spell(policy.EncodeName(name))
		if show.Line(spelled) != spelled || !utf8.ValidString(spelled) {
			t.Errorf("%q is printed as %q, which is not safe", name, spelled)
		}
		if back := policy.DecodeName(tool.Unspell(spelled)); back != name {
			t.Errorf("%q is printed as %q, and comes back as %q", name, spelled, back)
		}
	})
}
