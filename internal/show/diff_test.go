package show_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"paddock/internal/show"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		max            int
		want           string
	}{
		{"nothing", "a\n", "a\n", 10, ""},
		{"a changed line", "a\nb\nc\n", "a\nB\nc\n", 10, "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"far from both ends", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n", 10,
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "I\n2\n3\n4\n5\n6\n7\n8\nIX\n", 20,
			"--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n+I\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+IX\n"},
		{"one hunk when the context meets", "1\n2\n3\n4\n5\n6\n7\n8\n", "I\n2\n3\n4\n5\n6\n7\nVIII\n", 20,
			"--- f\n+++ f\n@@ -1,8 +1,8 @@\n-1\n+I\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+VIII\n"},
		{"removed", "a\nb\n", "a\n", 10, "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a\n-b\n"},
		{"emptied", "a\n", "", 10, "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n"},
		{"filled", "", "a\n", 10, "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n"},
		{"repeated line added", "a\na\n", "a\na\na\n", 10, "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n a\n+a\n"},
		{"final newline lost", "a\nb\n", "a\nb", 10, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		{"endings change", "a\r\nb\r\n", "a\nb\n", 10, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\\r\n-b\\r\n+a\n+b\n"},
		{"one ending changes", "a\r\nb\r\n", "a\r\nb\n", 10, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\\r\n-b\\r\n+b\n"},
		{"endings alike are not shown", "a\r\nb\r\n", "a\r\nB\r\n", 10, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"},
		{"a lone CR is shown", "a\rb\n", "a\rc\n", 10, "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\\rb\n+a\\rc\n"},
		{"a CR at the end is shown", "a\n", "a\r\n", 10, "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n+a\\r\n"},
		{"escapes in contents", "a\n", "\x1b[2J\u202e\n", 10, "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n+\\x1b[2J\\u202e\n"},
		{"a forged head stays a line", "a\n", "--- b\n+++ c\n", 10, "--- f\n+++ f\n@@ -1,1 +1,2 @@\n-a\n+--- b\n++++ c\n"},
		{"binary", "a\x00b", "a\x00cd", 10, "--- f\n+++ f\n(not text: 3 bytes become 4 bytes)\n"},
		{"cut", "1\n2\n3\n4\n", "a\nb\nc\nd\n", 3, "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-1\n-2\n… (6 lines of the comparison not shown)\n"},
	} {
		if got := show.Diff([]byte(c.old), []byte(c.new), "f", c.max); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestDiffNewFile(t *testing.T) {
	if got, want := show.Diff(nil, []byte("a\n"), "x\ny", 9), "--- (no such file)\n+++ x\\ny\n@@ -0,0 +1,1 @@\n+a\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := show.Diff(nil, []byte{}, "x", 9), "--- (no such file)\n+++ x\n(an empty file)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDiffApplies changes random files at random and applies the diff by the
// rules of the format.
func TestDiffApplies(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, seed))
	for round := range 4000 {
		old := randomLines(r, r.IntN(40))
		new := mutate(r, old)
		a, b := join(r, old), join(r, new)
		diff := show.Diff(a, b, "f", 1<<20)
		if bytes.Equal(a, b) {
			if diff != "" {
				t.Fatalf("seed %d round %d: equal files differ: %q", seed, round, diff)
			}
			continue
		}
		if got, err := apply(string(a), diff); err != nil || got != string(b) {
			t.Fatalf("seed %d round %d: %v\nold %q\nnew %q\ngot %q\n%s", seed, round, err, a, b, got, diff)
		}
	}
}

func randomLines(r *rand.Rand, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = string(rune('a' + r.IntN(6)))
	}
	return lines
}

func mutate(r *rand.Rand, lines []string) []string {
	var out []string
	for _, l := range lines {
		switch r.IntN(12) {
		case 0:
		case 1:
			out = append(out, l, "new")
		case 2:
			out = append(out, "changed")
		default:
			out = append(out, l)
		}
	}
	return out
}

func join(r *rand.Rand, lines []string) []byte {
	text := strings.Join(lines, "\n")
	if len(lines) > 0 && r.IntN(4) > 0 {
		text += "\n"
	}
	return []byte(text)
}

// apply is a patch program of its own: it trusts the numbers in the hunks.
func apply(old, diff string) (string, error) {
	lines := strings.SplitAfter(old, "\n")
	at := 0
	var out strings.Builder
	rows := strings.SplitAfter(diff, "\n")[2:]
	for i, row := range rows {
		text := row[min(len(row), 1):]
		if i+1 < len(rows) && strings.HasPrefix(rows[i+1], `\`) {
			text = strings.TrimSuffix(text, "\n")
		}
		switch {
		case row == "", row[0] == '\\':
		case row[0] == '@':
			from, length := 0, 0
			if _, err := fmt.Sscanf(row, "@@ -%d,%d", &from, &length); err != nil {
				return "", err
			}
			if length > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(lines[at])
			}
		case row[0] == '+':
			out.WriteString(text)
		default:
			if lines[at] != text {
				return "", fmt.Errorf("line %d is %q, and the diff has %q", at+1, lines[at], text)
			}
			if row[0] == ' ' {
				out.WriteString(text)
			}
			at++
		}
	}
	return out.String() + strings.Join(lines[at:], ""), nil
}

// TestDiffBounds gives it what is made to be slow or big.
func TestDiffBounds(t *testing.T) {
	numbers := func(from, to int) []byte {
		var b []byte
		for i := from; i < to; i++ {
			b = append(strconv.AppendInt(b, int64(i), 10), '\n')
		}
		return b
	}
	for name, c := range map[string][2][]byte{
		"nothing in common":    {numbers(0, 100_000), numbers(100_000, 200_000)},
		"only newlines":        {bytes.Repeat([]byte("\n"), 8<<20), bytes.Repeat([]byte("\n"), 9<<20)},
		"one endless line":     {bytes.Repeat([]byte("a"), 8<<20), bytes.Repeat([]byte("b"), 8<<20)},
		"every other line":     {bytes.Repeat([]byte("a\nb\n"), 1<<20), bytes.Repeat([]byte("a\nc\n"), 1<<20)},
		"escapes in long line": {[]byte("x"), bytes.Repeat([]byte("\u202e"), 1<<20)},
	} {
		got := show.Diff(c[0], c[1], "f", 40)
		if lines := strings.Count(got, "\n"); lines > 2+40+1 || len(got) > 60_000 {
			t.Errorf("%s: %d lines, %d bytes", name, lines, len(got))
		}
	}
	// A small change in a big file is shown whole.
	big := numbers(0, 500_000)
	changed := bytes.Replace(big, []byte("\n250000\n"), []byte("\nHERE\n"), 1)
	got := show.Diff(big, changed, "f", 40)
	if want := "@@ -249998,7 +249998,7 @@\n 249997\n 249998\n 249999\n-250000\n+HERE\n 250001\n"; !strings.Contains(got, want) {
		t.Errorf("a change in the middle of a big file:\n%s", got)
	}
	// Where the search gives up, what is shown is true and says that more follows.
	got = show.Diff(numbers(0, 3000), numbers(3000, 6000), "f", 1<<20)
	if !strings.Contains(got, "more changes follow") || !strings.Contains(got, "-0\n") {
		t.Errorf("the end of a cut comparison: …%q", got[max(0, len(got)-200):])
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\n"), []byte("a\nc"), 5)
	f.Add([]byte{}, []byte("\r\n\x00"), 0)
	f.Add([]byte("\x1b[2J\n"), []byte("\u202e\n\n"), -3)
	f.Fuzz(func(t *testing.T, old, new []byte, max int) {
		got := show.Diff(old, new, string(new), max)
		for _, r := range got {
			if dangerous(r) && r != '\n' && r != '\t' {
				t.Fatalf("the diff holds U+%04X: %q", r, got)
			}
		}
		if max > 0 && strings.Count(got, "\n") > max+3 {
			t.Fatalf("%d lines, %d allowed", strings.Count(got, "\n"), max)
		}
		if bytes.Equal(old, new) && old != nil && got != "" {
			t.Fatalf("equal contents differ: %q", got)
		}
	})
}
