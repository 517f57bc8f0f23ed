package tool_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
)

func TestReadFile(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, "line%d\n", i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, content, args, want string }{
		{"all of it", "one\ntwo\nthree", `"offset":0,"limit":10`, "1  one\n2  two\n3  three"},
		{"the end has a newline", "foo\nbar\n", ``, "1  foo\n2  bar"},
		{"empty lines count", "code\n\nmore\n", ``, "1  code\n2  \n3  more"},
		{"tabs stay", "\tif config:\n", ``, "1  \tif config:"},
		{"numbers stand below each other", many(12), ``, " 1  line1\n 2  line2\n 3  line3\n 4  line4\n 5  line5\n 6  line6\n 7  line7\n 8  line8\n 9  line9\n10  line10\n11  line11\n12  line12"},
		{"one line of five", "one\ntwo\nthree\nfour\nfive", `"limit":1`, "1  one\n\n[Read 1 line (lines 1-1 of 5 total). 4 lines remaining from offset 1.]"},
		{"one line is left", "one\ntwo\nthree", `"limit":2`, "1  one\n2  two\n\n[Read 2 lines (lines 1-2 of 3 total). 1 line remaining from offset 2.]"},
		{"from the middle", "a\nb\nc\nd\n", `"offset":1,"limit":2`, "2  b\n3  c\n\n[Read 2 lines (lines 2-3 of 4 total). 1 line remaining from offset 3.]"},
		{"to the end", "a\nb\nc\n", `"offset":1`, "2  b\n3  c"},
		{"exactly to the end", "a\nb\nc\n", `"offset":1,"limit":2`, "2  b\n3  c"},
		{"the default is 100 lines", many(101), `"offset":0`, ""},
		{"before the start", "one\ntwo\nthree", `"offset":-1`, "1  one\n2  two\n3  three\n\n[Requested offset -1 is before the start of the file; read from line 1 instead.]"},
		{"before the start, and not all", "a\nb\nc", `"offset":-1,"limit":2`, "1  a\n2  b\n\n[Read 2 lines (lines 1-2 of 3 total). 1 line remaining from offset 2.]\n\n[Requested offset -1 is before the start of the file; read from line 1 instead.]"},
		{"past the end", "a\nb", `"offset":5,"limit":5`, "Error: Line offset 5 exceeds file length (2 lines)"},
		{"at the end", "a\nb\n", `"offset":2`, "Error: Line offset 2 exceeds file length (2 lines)"},
		{"past the end of one line", "a", `"offset":1`, "Error: Line offset 1 exceeds file length (1 line)"},
		{"empty", "", ``, "System reminder: File exists but has empty contents"},
		{"blank", "   \n\t\n", ``, "System reminder: File exists but has empty contents"},
		{"a byte order mark alone", "\xef\xbb\xbf", ``, "System reminder: File exists but has empty contents"},
		{"blank at first", "\n\nx\n", `"limit":1`, "1  \n\n[Read 1 line (lines 1-1 of 3 total). 2 lines remaining from offset 1.]"},
		{"no lines", "one\ntwo", `"limit":0`, "System reminder: no lines were read because `limit` was 0. The file was not inspected and may have contents; retry with `limit` >= 1 to read it."},
		{"fewer than none", "one", `"offset":99,"limit":-3`, "System reminder: no lines were read because `limit` was 0. The file was not inspected and may have contents; retry with `limit` >= 1 to read it."},
		{"no lines of an empty file", "", `"limit":0`, "System reminder: File exists but has empty contents"},
		{"CRLF", "foo\r\nbar\r\n", ``, "1  foo\n2  bar"},
		{"CR", "foo\rbar\r", ``, "1  foo\n2  bar"},
		{"all three", "a\r\nb\rc\nd", ``, "1  a\n2  b\n3  c\n4  d"},
		{"a form feed is no line end", "a\fb\u2028c\u0085d\ve\n", ``, "1  a\fb\u2028c\u0085d\ve"},
		{"a byte order mark is not text", "\xef\xbb\xbfa\n", ``, "1  a"},
		{"broken UTF-8", "caf\xe9 \xff\n", ``, `1  caf\xe9 \xff`},
		{"text that looks like an escape", `"\xff\x5c"`, ``, `1  "\xff\x5c"`},
		{"text about images", "GIF89a is a format\n", ``, "1  GIF89a is a format"},
	} {
		w := newWorld(t, open, paddock.Options{})
		w.put("ws/f.txt", c.content)
		args := `{"file_path":"/f.txt"`
		if c.args != "" {
			args += "," + c.args
		}
		got := w.call("read_file", args+"}").Text
		if c.want == "" {
			if !strings.Contains(got, "100  line100\n\n[Read 100 lines (lines 1-100 of 101 total). 1 line remaining from offset 100.]") {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

func TestReadLongLines(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/f.txt", "short\n"+strings.Repeat("a", 25_000)+"\nend\n")
	var marks []string
	for row := range strings.Lines(w.call("read_file", `{"file_path":"/f.txt"}`).Text) {
		mark, text, _ := strings.Cut(strings.TrimLeft(row, " "), "  ")
		marks = append(marks, mark)
		if len(text) > 5001 {
			t.Errorf("row %s has %d characters", mark, len(text))
		}
	}
	if got := strings.Join(marks, " "); got != "1 2 2.1 2.2 2.3 2.4 3" {
		t.Errorf("the rows are %s", got)
	}

	// Nothing is lost between two pages, and nothing comes twice.
	w.put("ws/w.txt", "line1\n"+strings.Repeat("x", 15_000)+"\nKEEP-ME\nline4\n")
	both := w.call("read_file", `{"file_path":"/w.txt","limit":3}`).Text + w.call("read_file", `{"file_path":"/w.txt","offset":3,"limit":3}`).Text
	if n := strings.Count(both, "KEEP-ME"); n != 1 {
		t.Errorf("KEEP-ME comes %d times", n)
	}

	// Characters are counted, not bytes, and none is cut in two.
	w.put("ws/u.txt", strings.Repeat("ä", 5001)+"\n")
	if got, want := w.call("read_file", `{"file_path":"/u.txt"}`).Text, "  1  "+strings.Repeat("ä", 5000)+"\n1.1  ä"; got != want {
		t.Errorf("5001 umlauts become %d bytes: …%q", len(got), got[max(0, len(got)-40):])
	}
}

func TestReadBudget(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "%03d %s\n", i, strings.Repeat("y", 996))
	}
	w.put("ws/f.txt", b.String())
	seen, offset, pages := 0, 0, 0
	for offset >= 0 {
		text := w.call("read_file", fmt.Sprintf(`{"file_path":"/f.txt","offset":%d,"limit":1000}`, offset)).Text
		if len(text) > 81_000 {
			t.Fatalf("a page of %d characters", len(text))
		}
		for row := range strings.Lines(text) {
			if strings.Contains(row, "yyy") {
				if !strings.Contains(row, fmt.Sprintf("  %03d y", seen)) {
					t.Fatalf("line %d is %.40q", seen, row)
				}
				seen++
			}
		}
		pages++
		_, rest, more := strings.Cut(text, "remaining from offset ")
		offset = -1
		if more {
			fmt.Sscanf(rest, "%d", &offset) // 0 would not end
		}
	}
	if seen != 400 || pages < 5 || pages > 7 {
		t.Errorf("%d lines on %d pages", seen, pages)
	}

	// A line longer than an answer is cut, said so, and passed over.
	w.put("ws/one.txt", strings.Repeat("x", 5_000_000)+"\nnext\n")
	text := w.call("read_file", `{"file_path":"/one.txt","limit":5}`).Text
	if len(text) > 82_000 || !strings.Contains(text, "[Line 1 is 5000000 bytes long and truncated here.") || !strings.Contains(text, "(lines 1-1 of 2 total). 1 line remaining from offset 1.]") {
		t.Errorf("%d characters, the end is %q", len(text), text[max(0, len(text)-300):])
	}
	if got := w.call("read_file", `{"file_path":"/one.txt","offset":1}`).Text; got != "2  next" {
		t.Errorf("behind the long line: %q", got)
	}
}

func TestReadHugeFile(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/big.log", "first\nsecond\n"+strings.Repeat("z", 9000))
	// 40 GB that take no room; a read of it whole would end the test.
	if err := os.Truncate(filepath.Join(w.base, "ws/big.log"), 40<<30); err != nil {
		t.Skipf("the file system has no sparse files of 40 GB: %v", err)
	}
	text := w.call("read_file", `{"file_path":"/big.log","limit":2}`).Text
	if text != "1  first\n2  second\n\n[Read 2 lines (lines 1-2). More lines remain from offset 2.]" {
		t.Errorf("got %q", text)
	}
}

func TestReadImagesAndOtherThings(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01\x02", 10)
	for name, c := range map[string]struct{ content, mime string }{
		"a.png":      {png, "image/png"},
		"wrong.txt":  {png, "image/png"},
		"b.jpg":      {"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "image/jpeg"},
		"c.gif":      {"GIF89a\x01\x00\x01\x00\x00", "image/gif"},
		"d.webp":     {"RIFF\x24\x00\x00\x00WEBPVP8 ", "image/webp"},
		"no.png.txt": {"text", ""},
	} {
		w.put("ws/"+name, c.content)
		r := w.call("read_file", object("file_path", "/"+name, "offset", 3))
		switch {
		case c.mime == "":
			if len(r.Images) != 0 {
				t.Errorf("%s is an image", name)
			}
		case r.IsError || len(r.Images) != 1 || r.Images[0].MIME != c.mime || string(r.Images[0].Data) != c.content:
			t.Errorf("%s: %+v", name, r)
		case !strings.Contains(r.Text, "/"+name):
			t.Errorf("%s: the text is %q", name, r.Text)
		}
	}
	for name, c := range map[string]struct{ content, want string }{
		"e.pdf":   {"%PDF-1.7\nplain so far\n", "a PDF document"},
		"f.zip":   {"PK\x03\x04\x00\x00", "a ZIP archive"},
		"g.utf16": {"\xff\xfeh\x00i\x00", "UTF-16"},
		"h.bin":   {"a\x00b", "binary data"},
		"i.bin":   {string(bytes.Repeat([]byte{0xf5, 0xf6, 0x92, 0x80}, 100)), "binary data"},
		"j.png":   {png + strings.Repeat("\x00", 6<<20), "at most"},
	} {
		w.put("ws/"+name, c.content)
		if r := w.call("read_file", object("file_path", "/"+name)); !r.IsError || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s: %q", name, r.Text)
		}
	}
}

func TestReadErrors(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "x")
	for path, want := range map[string]string{
		"/nope.txt":                    "Error: '/nope.txt' not found",
		"/no/such/folder":              "Error: '/no/such/folder' not found",
		"/":                            "Error: '/' is a folder, not a file",
		"/a.txt/b":                     "Error: '/a.txt/b': a part of the path is not a folder",
		"/" + strings.Repeat("n", 300): "",
		"":                             "",
		"~/x":                          "",
		"/a\x00b":                      "",
	} {
		r := w.call("read_file", object("file_path", path))
		if !r.IsError || want != "" && !strings.HasPrefix(r.Text, want) {
			t.Errorf("%q: %q, want %q", path, r.Text, want)
		}
	}
}
