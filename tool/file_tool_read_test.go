package tool_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"paddock"
)

func TestFileReadLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "\xef\xbb\xbfone\r\ntwo\n\nfour €\nbad \xff\n")
	w.put("ws/long.txt", strings.Repeat("x", 12000)+"\nKEEP-ME\n")
	w.put("ws/empty.txt", "")
	w.put("ws/all.bin", "\x00\x01\x02")
	w.put("ws/sixteen.txt", "\xff\xfeh\x00i\x00")
	for _, c := range []struct {
		args          []any
		text, content string
		lines         int
		next          int64 // 0 for none
	}{
		{[]any{"path", "/a.txt"}, "1  one\n2  two\n3  \n4  four €\n5  bad \\xff", "one\ntwo\n\nfour €\nbad \\xff", 5, 0},
		{[]any{"path", "/a.txt", "offset", 1, "limit", 2}, "2  two\n3  \n\n[Read 2 lines (lines 2-3 of 5 total). 2 lines remaining from offset 3.]", "two\n", 2, 3},
		{[]any{"path", "/a.txt", "offset", 3, "limit", 9}, "4  four €\n5  bad \\xff", "four €\nbad \\xff", 2, 0},
		{[]any{"path", "/long.txt", "offset", 1}, "2  KEEP-ME", "KEEP-ME", 1, 0},
		{[]any{"path", "/empty.txt"}, "System reminder: File exists but has empty contents", "", 0, 0},
		{[]any{"path", "/a.txt", "encoding", "latin-1", "offset", 3}, "4  four â\u0082¬\n5  bad ÿ", "four â\u0082¬\nbad ÿ", 2, 0},
		{[]any{"path", "/sixteen.txt", "encoding", "utf-16"}, "1  hi", "hi", 1, 0},
	} {
		a, r := w.file(append([]any{"operation", "read"}, c.args...)...)
		if r.Text != c.text || a.Content != c.content || a.Lines != c.lines || (a.Next == nil) != (c.next == 0) || a.Next != nil && *a.Next != c.next {
			t.Errorf("%v: %q, %+v", c.args, r.Text, a)
		}
	}
	if a, r := w.file("operation", "read", "path", "/long.txt"); a.Content != strings.Repeat("x", 12000)+"\nKEEP-ME" || !strings.Contains(r.Text, "\n1.2  xx") {
		t.Errorf("a long line comes as %d characters", len(a.Content))
	}
	for path, want := range map[string]string{
		"/all.bin":     "Error: '/all.bin' is not text: binary data, 3 bytes. encoding base64 reads its bytes",
		"/sixteen.txt": "Error: '/sixteen.txt' is not text in utf-8; it seems to be text in utf-16, which encoding utf-16 reads",
	} {
		if _, r := w.file("operation", "read", "path", path); r.Text != want {
			t.Errorf("%s: %s", path, r.Text)
		}
	}
	w.put("ws/dot.png", "\x89PNG\r\n\x1a\n\x00\x00")
	if a, r := w.file("operation", "read", "path", "/dot.png"); len(r.Images) != 1 || a.MIME != "image/png" || r.Images[0].MIME != a.MIME {
		t.Errorf("an image: %s, %+v", r.Text, a)
	}
}

func TestFileReadBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "aé€😀z")
	for _, c := range []struct {
		from, limit int64
		content     string
		next        int64 // 0 for none
	}{
		{0, 60_000, "aé€😀z", 0},
		{0, 2, "a", 1}, // not half an é
		{1, 2, "é", 3},
		{1, 3, "é", 3},
		{1, 1, "é€"[:2], 3}, // at least one character
		{3, 1, "€", 6},
		{6, 5, "😀z", 0},
		{7, 4, `\x9f\x98\x80z`, 0},
		{10, 1, "z", 0},
	} {
		a, r := w.file("operation", "read", "path", "/a.txt", "byte_offset", c.from, "byte_limit", c.limit)
		if a.Content != c.content && !(c.from == 3 && a.Content == "€") || (a.Next == nil) != (c.next == 0) || a.Next != nil && *a.Next != c.next {
			t.Errorf("%d+%d: %q, %+v", c.from, c.limit, r.Text, a)
		}
		if part := a.Next != nil || c.from > 0; part != strings.Contains(r.Text, fmt.Sprintf("\n\n[Bytes %d-", c.from)) {
			t.Errorf("%d+%d: %q", c.from, c.limit, r.Text)
		}
	}
	if _, r := w.file("operation", "read", "path", "/a.txt", "byte_offset", 12); !strings.Contains(r.Text, "exceeds file size (11 bytes)") {
		t.Error(r.Text)
	}
}

// TestFileRangesMakeTheWhole reads random files in random pieces, by the next
// that each answer tells, in each encoding.
func TestFileRangesMakeTheWhole(t *testing.T) {
	t.Parallel()
	const seed = 20261130
	r := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t, open, paddock.Options{})
	pieces := 0
	for range 8 {
		var text strings.Builder
		for range r.IntN(80) {
			text.WriteRune([]rune("ab \néß€語😀\r")[r.IntN(10)])
		}
		for _, enc := range []string{"utf-8", "utf-16", "utf-16le", "utf-16be", "base64"} {
			content := text.String()
			if enc == "base64" {
				content = base64.StdEncoding.EncodeToString([]byte(content))
			}
			if _, res := w.file("operation", "write", "path", "/f", "content", content, "encoding", enc); res.IsError {
				t.Fatal(res.Text)
			}
			var got strings.Builder
			for from := int64(0); ; {
				a, res := w.file("operation", "read", "path", "/f", "encoding", enc, "byte_offset", from, "byte_limit", 1+r.IntN(30))
				if res.IsError {
					t.Fatalf("seed %d: %s of %q from %d: %s", seed, enc, content, from, res.Text)
				}
				pieces++
				if enc == "base64" {
					part, err := base64.StdEncoding.DecodeString(a.Content)
					if err != nil {
						t.Fatal(err)
					}
					got.Write(part)
				} else {
					got.WriteString(a.Content)
				}
				if a.Next == nil {
					break
				}
				from = *a.Next
			}
			if got.String() != text.String() {
				t.Fatalf("seed %d: %s: %q came back as %q", seed, enc, text.String(), got.String())
			}
		}
	}
	if pieces < 150 {
		t.Errorf("only %d pieces", pieces)
	}
}

func TestFileEncodings(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	for _, c := range []struct{ enc, content, bytes string }{
		{"utf-8", "é\n", "\xc3\xa9\n"},
		{"latin-1", "é\n", "\xe9\n"},
		{"utf-16", "é😀", "\xff\xfe\xe9\x00\x3d\xd8\x00\xde"},
		{"utf-16", "\ufeffé", "\xff\xfe\xe9\x00"},
		{"utf-16le", "é", "\xe9\x00"},
		{"utf-16be", "é😀", "\x00\xe9\xd8\x3d\xde\x00"},
		{"base64", "AAH/", "\x00\x01\xff"},
	} {
		if _, r := w.file("operation", "write", "path", "/f", "content", c.content, "encoding", c.enc); r.IsError || w.has("ws/f") != c.bytes {
			t.Errorf("%s: %q holds %q", c.enc, r.Text, w.has("ws/f"))
		}
		a, _ := w.file("operation", "read", "path", "/f", "encoding", c.enc)
		if a.Content != strings.TrimSuffix(strings.TrimPrefix(c.content, "\ufeff"), "\n") {
			t.Errorf("%s: %q is read as %q", c.enc, c.content, a.Content)
		}
	}
	// What an edit does not change stays byte for byte.
	for _, c := range []struct{ enc, before, old, new, after string }{
		{"latin-1", "n = \xa9\r\nx\r\n", "n", "N\nM", "N\r\nM = \xa9\r\nx\r\n"},
		{"utf-16", "\xfe\xff\x00a\x00b", "a", "é", "\xfe\xff\x00\xe9\x00b"},
		{"utf-16", "\xff\xfea\x00b\x00", "b", "😀", "\xff\xfea\x00\x3d\xd8\x00\xde"},
		{"utf-16le", "a\x00b\x00", "b", "", "a\x00"},
		{"utf-16be", "\x00a", "a", "b", "\x00b"},
		{"utf-16", "", "", "x", "\xff\xfex\x00"},
		{"utf-16le", "a\x00\x00\xd8b\x00", "b", "c", ""}, // half a pair
		{"utf-16le", "a\x00b", "a", "c", ""},             // half a unit
		{"latin-1", "abc", "b", "€", ""},
		{"base64", "abc", "b", "c", ""},
		{"utf-16", "\x00\x00\x00\x00", "x", "y", ""},
	} {
		w.put("ws/f", c.before)
		after := c.after
		if after == "" {
			after = c.before
		}
		_, r := w.file("operation", "edit", "path", "/f", "old_string", c.old, "new_string", c.new, "encoding", c.enc)
		if r.IsError == (c.after != "") || w.has("ws/f") != after {
			t.Errorf("%s: %q became %q: %s", c.enc, c.before, w.has("ws/f"), r.Text)
		}
	}
}
