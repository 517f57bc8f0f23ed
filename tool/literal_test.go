package tool

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestLiteralAgainstNaive(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	word := func(n int, of string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = of[r.IntN(len(of))]
		}
		return string(b)
	}
	hits := 0
	for round := range 100_000 {
		of := []string{"aA", "aAbB", "eEqQ\xc3\xa9", "ab \n"}[r.IntN(4)]
		text := []byte(word(r.IntN(200), of))
		pattern := word(1+r.IntN(6), of)
		fold := r.IntN(2) == 0
		want := bytes.Index(text, []byte(pattern))
		if fold {
			want = bytes.Index(lower(text, nil), lower([]byte(pattern), nil))
		}
		l := newLiteral(pattern, fold)
		if got := l.index(text); got != want {
			t.Fatalf("seed %d round %d: %q in %q, fold %v: %d, want %d", seed, round, pattern, text, fold, got, want)
		}
		if want >= 0 {
			hits++
		}
	}
	if hits < 10_000 {
		t.Fatalf("%d hits: too few to mean anything", hits)
	}
}

// A text that nearly matches everywhere is searched in another way, which finds
// the same.
func TestLiteralOfOneLetter(t *testing.T) {
	for _, fold := range []bool{false, true} {
		for _, end := range []int{900, 40_000, 300_000} {
			l := newLiteral(strings.Repeat("a", 800)+"b", fold)
			l.rare = 0 // the worst choice
			text := []byte(strings.Repeat("a", end) + "b" + strings.Repeat("a", 1000))
			if got := l.index(text); got != end-800 {
				t.Errorf("fold %v, end %d: %d, want %d", fold, end, got, end-800)
			}
			if got := l.index(text[:end]); got != -1 {
				t.Errorf("fold %v, end %d, cut: %d", fold, end, got)
			}
		}
	}
}
