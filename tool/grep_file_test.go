package tool

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSearchAgainstNaive searches random texts of all line endings in blocks
// of all sizes, and compares with lines that are split first.
func TestSearchAgainstNaive(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, seed))
	never := func() bool { return false }
	hits, long := 0, 0
	for round := range 20_000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString([]string{"a", "b", "B", "ab", "c", "c", "\n", "\n", "\r\n", "\r"}[r.IntN(10)])
		}
		text := b.String()
		pattern := []string{"a", "ab", "aba", "bb", "cc", "ccc"}[r.IntN(6)]
		how := fileSearch{mode: modeContent, context: r.IntN(3), limit: 1 + r.IntN(40), stop: never}
		regex, fold := r.IntN(3) == 0, r.IntN(2) == 0
		size := 4 + r.IntN(40)
		if regex {
			size = 128 // an expression sees a line whole, or says that it did not
		}
		how.buf = make([]byte, size)
		m, err := newMatcher(pattern, regex, fold)
		if err != nil {
			t.Fatal(err)
		}
		how.matcher = m
		got := how.search(iotest.OneByteReader(strings.NewReader(text)))
		want, matches, more := naiveSearch(text, pattern, fold, how.context, how.limit)
		whole := len(text) < size
		if got.matches != matches || got.more != more || got.err != nil || got.binary || got.unsure {
			t.Fatalf("seed %d round %d: %q in %q by %d: %d hits (more %v), want %d (%v); %+v", seed, round, pattern, text, size, got.matches, got.more, matches, more, got)
		}
		if !fits(got.lines, want, whole) {
			t.Fatalf("seed %d round %d: %q in %q by %d, context %d, limit %d:\n%#v, want\n%#v", seed, round, pattern, text, size, how.context, how.limit, got.lines, want)
		}
		hits += matches
		for _, h := range got.lines {
			if h.Clipped {
				long++
			}
		}
		for _, mode := range []string{modeCount, modeFiles} {
			other := how
			other.mode, other.limit = mode, 1<<62
			_, all, _ := naiveSearch(text, pattern, fold, 0, 1<<62)
			if mode == modeFiles {
				all = min(all, 1)
			}
			if got := other.search(strings.NewReader(text)); got.matches != all || len(got.lines) != 0 {
				t.Fatalf("seed %d round %d: %q in %q by %d, %s: %d, want %d", seed, round, pattern, text, size, mode, got.matches, all)
			}
		}
	}
	if hits < 20_000 || long < 500 {
		t.Fatalf("%d hits, %d in lines longer than a block: too few to mean anything", hits, long)
	}
	t.Logf("%d hits, %d in lines longer than a block", hits, long)
}

// fits compares what is shown. Where the text is not in one block, lines
// before a hit can be missing and a long line is shown in part.
func fits(got, want []hit, whole bool) bool {
	if whole {
		return len(got)+len(want) == 0 || reflect.DeepEqual(got, want)
	}
	for _, h := range got {
		for len(want) > 0 && want[0].Line < h.Line && want[0].Context {
			want = want[1:]
		}
		if len(want) == 0 || want[0].Line != h.Line || want[0].Context != h.Context {
			return false
		}
		part := strings.Trim(h.Text, "…")
		if h.Text != want[0].Text && (!h.Clipped && !h.Context || !strings.Contains(want[0].Text, part)) {
			return false
		}
		want = want[1:]
	}
	for _, h := range want {
		if !h.Context {
			return false
		}
	}
	return true
}

func naiveSearch(text, pattern string, fold bool, context, limit int) (shown []hit, matches int, more bool) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var at []int
	for i, line := range lines {
		if fold {
			line = strings.ToLower(line)
		}
		if strings.Contains(line, pattern) {
			at = append(at, i)
		}
	}
	end := len(lines)
	if more = len(at) > limit; more {
		end = at[limit] // what comes behind the last hit that is wanted ends there
		at = at[:limit]
	}
	for i, line := range lines[:end] {
		is, near := false, false
		for _, j := range at {
			is = is || i == j
			near = near || i >= j-context && i <= j+context
		}
		if is || near {
			shown = append(shown, hit{Line: i + 1, Text: line, Context: !is})
		}
	}
	return shown, len(at), more
}

func TestLinesAgainstNaive(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, seed))
	for round := range 20_000 {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString([]string{"a", "bc", "\n", "\r\n", "\r", strings.Repeat("x", 30)}[r.IntN(6)])
		}
		text := b.String()
		want := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		skip, keep := r.IntN(8), r.IntN(40)
		l := newLineReader(t.Context(), iotest.HalfReader(strings.NewReader(text)))
		l.buf = make([]byte, 3+r.IntN(30))
		skipped, whole, err := l.skip(skip, 1<<40)
		if err != nil || skipped != min(skip, len(want)) || !whole {
			t.Fatalf("seed %d round %d: %q: skipped %d of %d (%v), %v", seed, round, text, skipped, skip, whole, err)
		}
		for i := skipped; i < len(want); i++ {
			line, size, err := l.next(keep)
			if err != nil || size != int64(len(want[i])) || string(line) != want[i][:min(keep, len(want[i]))] {
				t.Fatalf("seed %d round %d: %q: line %d is %q of %d, %v; want %q", seed, round, text, i, line, size, err, want[i])
			}
		}
		if line, _, err := l.next(keep); err == nil {
			t.Fatalf("seed %d round %d: %q: one more line, %q", seed, round, text, line)
		}
	}
}
