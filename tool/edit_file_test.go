package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paddock"
	"paddock/tool"
)

func TestEditFile(t *testing.T) {
	type edit struct {
		name, before, old, new string
		all                    bool
		after                  string // "" when it fails
		text                   string // that the answer holds
	}
	for _, c := range []edit{
		{"a word", "hello world", "world", "there", false, "hello there", "Successfully replaced 1 instance(s) of the string in '/f.txt'"},
		{"with its newline", "alpha\nbeta\n", "beta\n", "BETA\n", false, "alpha\nBETA\n", ""},
		{"all", "a a a", "a", "b", true, "b b b", "replaced 3 instance(s)"},
		{"all, without overlap", "aaaa", "aa", "b", true, "bb", "replaced 2 instance(s)"},
		{"taken literally", "axb a.b*(c\n", "a.b*(c", "$1z", false, "axb $1z\n", ""},
		{"to nothing", "a, b", ", b", "", false, "a", ""},
		{"an empty file is filled", "", "", "z", false, "z", "replaced 1"},
		{"an empty file with a mark", "\xef\xbb\xbf", "", "z", false, "\xef\xbb\xbfz", ""},

		{"missing", "hello world", "missing", "x", false, "", "Error: String not found in file: 'missing'"},
		{"a newline is missing", "hello", "\n", "x", false, "", `Error: String not found in file: '\n'`},
		{"more behind it", "return foobar", "return foo\n", "return baz\n", false, "", `Error: String not found in file: 'return foo\n'`},
		{"the last line has no newline", "a\nreturn foo", "return foo\n", "x\n", false, "", "the file ends without one: leave the newline at the end"},
		{"and is not the only one", "foo bar\nfoo", "foo\n", "x\n", false, "", "add context"},
		{"several", "x = 1\ny\nx = 1\n", "x = 1", "x = 2", false, "", "Error: String 'x = 1' appears 2 times in file. Use replace_all=true"},
		{"empty, and the file is not", "q\n", "", "x", false, "", "Error: old_string is empty"},
		{"to itself", "q\n", "q", "q", false, "", "Error: old_string and new_string are the same"},
		{"tabs are not blanks", "if x:\n\treturn 1\n", "if x:\n  return 1", "x", false, "", "Its first line is there, in line 1: compare the blanks"},
		{"the numbers of read_file", "one\ntwo\n", "  2  two", "x", false, "", "line numbers of read_file"},
		{"UTF-16", "\xff\xfeh\x00i\x00", "h", "j", false, "", "UTF-16"},
		{"binary", "a\x00b", "a", "b", false, "", "binary data"},

		{"LF fits CRLF", "one\r\ntwo\r\nthree\r\n", "one\ntwo", "ONE\nTWO", false, "ONE\r\nTWO\r\nthree\r\n", ""},
		{"new lines take CRLF", "a\r\nb\r\n", "b", "b\nc", false, "a\r\nb\r\nc\r\n", ""},
		{"new lines in the last line take CRLF", "a\r\nb", "b", "b\nc", false, "a\r\nb\r\nc", ""},
		{"a line is taken out", "a\r\nb\r\nc\r\n", "b\n", "", false, "a\r\nc\r\n", ""},
		{"from the break before it", "a\r\nb\r\nc\r\n", "\nb", "", false, "a\r\nc\r\n", ""},
		{"all endings stay as they are", "a\r\nmid\nz\rz", "mid", "MID", false, "a\r\nMID\nz\rz", ""},
		{"endings are those of the place", "a\r\nb\nc\nd\r\n", "b", "b\nB", false, "a\r\nb\nB\nc\nd\r\n", ""},
		{"and of the other place", "a\r\nb\nc\nd\r\n", "d", "d\nD", false, "a\r\nb\nc\nd\r\nD\r\n", ""},
		{"LF fits both", "a\r\nb\na\nb\n", "a\nb", "x\ny", true, "x\r\ny\nx\ny\n", "replaced 2"},
		{"and counts both", "a\r\nb\na\nb\n", "a\nb", "x", false, "", "appears 2 times"},
		{"CRLF sent to an LF file", "a\nb\nc\n", "a\r\nb", "A\r\nB", false, "A\nB\nc\n", ""},
		{"CRLF sent to a CRLF file", "a\r\nb\r\nc\r\n", "a\r\nb", "A\r\nB", false, "A\r\nB\r\nc\r\n", ""},
		{"endings are changed on purpose", "a\r\nb\r\n", "a\r\n", "a\n", false, "a\nb\r\n", ""},
		{"old Macs", "a\rb\rc\r", "a\nb", "x\ny", false, "x\ry\rc\r", ""},
		{"a byte order mark stays", "\xef\xbb\xbfhello é\n", "hello", "bye", false, "\xef\xbb\xbfbye é\n", ""},
		{"and is not in the way", "\xef\xbb\xbfhello\n", "hello\n", "bye\n", false, "\xef\xbb\xbfbye\n", ""},
		{"no newline at the end stays so", "a\nb", "a", "A", false, "A\nb", ""},
		{"Latin-1 stays", "name = \xa9\n", "name", "NAME", false, "NAME = \xa9\n", ""},
		{"in any alphabet", "naïve 日本\n", "日本", "東京", false, "naïve 東京\n", ""},
	} {
		w := newWorld(t, open, paddock.Options{})
		w.put("ws/f.txt", c.before)
		r := w.call("edit_file", object("file_path", "/f.txt", "old_string", c.old, "new_string", c.new, "replace_all", c.all))
		want := c.after
		if fails := c.after == ""; fails {
			want = c.before
			if !r.IsError {
				t.Errorf("%s: %q", c.name, r.Text)
			}
		} else if r.IsError {
			t.Errorf("%s: %s", c.name, r.Text)
		}
		if got := w.has("ws/f.txt"); got != want {
			t.Errorf("%s: the file is %q, want %q (%s)", c.name, got, want, r.Text)
		}
		if !strings.Contains(r.Text, c.text) {
			t.Errorf("%s: the answer is %q, want %q in it", c.name, r.Text, c.text)
		}
	}
}

// TestEditHostileSizes must end soon and hold little: none of these grows with
// the product of file and string.
func TestEditHostileSizes(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	const size = 6 << 20
	for _, c := range []struct {
		name, before, old, new string
		text                   string
	}{
		{"one letter", strings.Repeat("a", size), "a", "b", fmt.Sprintf("replaced %d instance", size)},
		{"one letter, in a file of CRLF", strings.Repeat("a", size) + "\r\n", "a", "b", fmt.Sprintf("replaced %d instance", size)},
		{"one letter to a line, in a file of CRLF", strings.Repeat("a", size/2) + "\r\n", "a", "\n", fmt.Sprintf("replaced %d instance", size/2)},
		{"every line break", strings.Repeat("\r\n", size/2), "\n", "x\n", fmt.Sprintf("replaced %d instance", size/2)},
		{"too much comes out", strings.Repeat("a", size), "a", "bbbbbbbbbbbb", "the file would grow to 75497472 bytes; at most 67108864 are written"},
		{"far too much comes out", strings.Repeat("a", 1<<20), "a", strings.Repeat("b", 1<<20), "at most 67108864"},
		{"nearly everywhere", strings.Repeat("a", size), strings.Repeat("a", 1<<20) + "b", "c", "not found"},
	} {
		w.put("ws/f.txt", c.before)
		r := w.call("edit_file", object("file_path", "/f.txt", "old_string", c.old, "new_string", c.new, "replace_all", true))
		if !strings.Contains(r.Text, c.text) || len(r.Text) > 3000 {
			t.Errorf("%s: %.300q", c.name, r.Text)
		}
	}
	if err := os.Truncate(filepath.Join(w.base, "ws/f.txt"), 3_000_000_000); err != nil {
		t.Skipf("the file system has no sparse files of 3 GB: %v", err)
	}
	if r := w.call("edit_file", object("file_path", "/f.txt", "old_string", "needle", "new_string", "n")); !r.IsError || !strings.Contains(r.Text, "64 MiB") {
		t.Errorf("a file of 3 GB: %q", r.Text)
	}
}

// TestEditsAtTheSameTime loses none: what is answered as done is in the file.
func TestEditsAtTheSameTime(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	const n = 16
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "key%02d=0\n", i)
	}
	w.put("ws/f.txt", b.String())
	edit := find(t, "edit_file")
	var wait sync.WaitGroup
	var done [n]bool
	for i := range n {
		wait.Go(func() {
			args := object("file_path", "/f.txt", "old_string", fmt.Sprintf("key%02d=0", i), "new_string", fmt.Sprintf("key%02d=1", i))
			done[i] = !tool.Run(context.Background(), w.guard, edit, json.RawMessage(args), nil).IsError
		})
	}
	wait.Wait()
	content := w.has("ws/f.txt")
	some := false
	for i := range n {
		if strings.Contains(content, fmt.Sprintf("key%02d=1", i)) != done[i] {
			t.Errorf("edit %d was answered with %v, and the file is %q", i, done[i], content)
		}
		some = some || done[i]
	}
	if !some {
		t.Error("no edit came through")
	}
}
