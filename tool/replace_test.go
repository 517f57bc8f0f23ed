package tool

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestReplaceAgainstNaive replaces in random files of all endings and compares
// with a slow, plain way: split in lines, match, join.
func TestReplaceAgainstNaive(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	pick := func(n int, from ...string) string {
		var b strings.Builder
		for range n {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	hits, breaks := 0, 0
	for round := range 30_000 {
		before := pick(r.IntN(12), "a", "b", "\n", "\r\n", "\r\n")
		old, fresh := pick(1+r.IntN(3), "a", "b", "\n"), pick(r.IntN(3), "x", "y", "\n")
		got, m, err := replace([]byte(before), old, fresh, true)
		want, n := naive(before, old, fresh)
		if n > 0 {
			hits++
			if strings.Contains(old, "\n") && strings.Contains(before, "\r") {
				breaks++
			}
		}
		if n > 0 && (string(got) != want || m != n || err != nil) || n == 0 && err == nil {
			t.Fatalf("seed %d round %d: %q with %q for %q is %q (%d), want %q (%d): %v", seed, round, before, fresh, old, got, m, want, n, err)
		}
		if n == 1 {
			if got, _, err = replace([]byte(before), old, fresh, false); string(got) != want || err != nil {
				t.Fatalf("seed %d round %d: one place alone: %q, %v", seed, round, got, err)
			}
		}
	}
	if hits < 5000 || breaks < 1000 {
		t.Fatalf("%d rounds replaced something, %d of them across CRLF: too few to mean anything", hits, breaks)
	}
	t.Logf("%d rounds replaced something, %d of them across CRLF", hits, breaks)
}

// naive walks the file character by character, a CRLF being one.
func naive(before, old, fresh string) (string, int) {
	var units []string
	for rest := before; rest != ""; {
		n := 1
		if strings.HasPrefix(rest, "\r\n") {
			n = 2
		}
		units, rest = append(units, rest[:n]), rest[n:]
	}
	fits := func(i int) bool {
		for j := range len(old) {
			if i+j >= len(units) || strings.TrimPrefix(units[i+j], "\r") != old[j:j+1] {
				return false
			}
		}
		return true
	}
	ending := func(i int) string {
		for j := i; j < len(units); j++ {
			if strings.HasSuffix(units[j], "\n") {
				return units[j]
			}
		}
		for j := len(units) - 1; j >= 0; j-- {
			if strings.HasSuffix(units[j], "\n") {
				return units[j]
			}
		}
		return "\n"
	}
	var out strings.Builder
	n := 0
	for i := 0; i < len(units); {
		if fits(i) {
			out.WriteString(strings.ReplaceAll(fresh, "\n", ending(i)))
			i += len(old)
			n++
			continue
		}
		out.WriteString(units[i])
		i++
	}
	return out.String(), n
}
