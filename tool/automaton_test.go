package tool

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// expressions hold each operation of a regular expression, and what is special
// beyond ASCII: K and ſ are other cases of k and s, and a broken byte matches a
// dot.
var expressions = []string{
	"ab|ba", "a+b?c", "^a.c$", `\bab\b`, `\Bb`, "[^a]b", "(?i)k", "(?i)ask", "[k-s]{2}", "a.{2}b", ".b", `\w+c`, `a\x{fffd}`, "é|K", "(?i)é",
	"(?:ab)*c", "(a|b|c){3}k", `[[:upper:]]`, `\pL{4}`, "(?s)a.b", "$b", "(?-i:A)b", "s$", "^", "x*", `[^\x00-\x{10FFFF}]`, "(?i)straße",
}

// TestAutomatonMissesNothing compares, line by line, where an automaton sees
// nothing with where regexp matches.
func TestAutomatonMissesNothing(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, seed))
	letters := []string{"a", "b", "c", "k", "s", "A", "K", "é", "É", "\u212a", "ſ", "\xff", "\xc3", " ", "ß", "\U0001f600"}
	matches, passed := 0, 0
	for _, pattern := range expressions {
		for _, fold := range []bool{false, true} {
			m, err := newMatcher(pattern, true, fold)
			if err != nil {
				t.Fatal(err)
			}
			a := newAutomaton(m.prog)
			if a == nil {
				if !m.re.MatchString("") && !strings.ContainsAny(pattern, "^$") {
					t.Errorf("%s has no automaton", pattern)
				}
				continue
			}
			for range 2000 {
				var b strings.Builder
				for range r.IntN(9) {
					b.WriteString(letters[r.IntN(len(letters))])
				}
				line := b.String()
				at, ok := a.find([]byte(line), 0)
				place := regexp.MustCompile(m.re.String()).FindStringIndex(line)
				switch {
				case !ok:
					t.Fatalf("%s gives up", pattern)
				case place != nil && (at < 0 || at >= place[1] && place[1] > place[0]):
					t.Fatalf("seed %d: %s (fold %v) matches %q at %v, and the automaton says %d", seed, pattern, fold, line, place, at)
				case place != nil:
					matches++
					if len(m.literal.text) > 0 && m.literal.index([]byte(line)) < 0 {
						t.Fatalf("seed %d: %s (fold %v) matches %q, which does not hold %q", seed, pattern, fold, line, m.literal.text)
					}
				case at < 0:
					passed++
				}
			}
		}
	}
	if matches < 10_000 || passed < 10_000 {
		t.Errorf("%d matches, %d lines without: too few to mean anything", matches, passed)
	}
}

// Lines are kept apart by each of their endings.
func TestAutomatonStaysInALine(t *testing.T) {
	m, err := newMatcher("a[^b]c|x.y", true, false)
	if err != nil {
		t.Fatal(err)
	}
	a := newAutomaton(m.prog)
	for text, want := range map[string]int{"a\nc": -1, "a\rc": -1, "x\ry": -1, "x\r\nx.y": 5, "a\nac\na-c\n": 7} {
		if at, ok := a.find([]byte(text), 0); at != want || !ok {
			t.Errorf("%q: %d, want %d", text, at, want)
		}
	}
}

// What would take too many states or too long is given up, and found all the
// same.
func TestAutomatonGivesUp(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, seed))
	for _, pattern := range []string{"(a|b)*a(a|b){14}c", "[ab]*a[ab]{500}[cd]"} {
		m, err := newMatcher(pattern, true, false)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i := range 100_000 {
			b.WriteByte("ab"[r.IntN(2)])
			if i%2000 == 1999 {
				b.WriteByte('\n')
			}
		}
		text := b.String() + strings.Repeat("a", 600) + "c\n"
		a := newAutomaton(m.prog)
		if _, ok := a.find([]byte(text), 0); ok || len(a.states) > maxStates {
			t.Errorf("%s: %d states, and did not give up", pattern, len(a.states))
		}
		s := fileSearch{matcher: m, mode: modeCount, limit: 10, stop: func() bool { return false }}
		if res := s.search(strings.NewReader(text)); res.matches != 1 || s.auto != nil {
			t.Errorf("%s: %+v", pattern, res)
		}
	}
}
