package tool

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// matcher finds what grep was asked for. It is safe for concurrent use.
type matcher struct {
	// literal must be in a line for it to match; empty when nothing must.
	literal literal
	// re, if not nil, must match too.
	re *regexp.Regexp
	// prog is re as steps, for an automaton.
	prog *syntax.Prog
	// reach is how much of one line re is tried on, in bytes.
	reach int
}

const (
	minLiteral = 3
	maxPattern = 10_000 // bytes
	// maxProgram bounds a compiled expression, and patience its size times
	// the length of the text it is tried on in one step: RE2 takes time in
	// proportion to both, and a step cannot be stopped.
	maxProgram = 2000
	patience   = 64 << 20
)

func newMatcher(pattern string, isRegex, ignoreCase bool) (*matcher, error) {
	switch {
	case pattern == "":
		return nil, errorf("the pattern is empty; every line would match")
	case len(pattern) > maxPattern:
		return nil, errorf("the pattern is longer than %d bytes", maxPattern)
	case strings.ContainsAny(pattern, "\n\r"):
		return nil, errorf("the pattern holds a line break, and lines are searched one by one: search for a part that lies in one line")
	}
	if !isRegex && (!ignoreCase || isASCII(pattern)) {
		return &matcher{literal: newLiteral(pattern, ignoreCase)}, nil
	}
	if !isRegex {
		pattern = regexp.QuoteMeta(pattern)
	}
	return newRegex(pattern, ignoreCase)
}

func newRegex(pattern string, ignoreCase bool) (*matcher, error) {
	flags := syntax.Perl
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(pattern, flags)
	if err != nil {
		return nil, errorf("the pattern is no regular expression: %s", line(err.Error()))
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, errorf("the pattern is no regular expression: %s", line(err.Error()))
	}
	if len(program.Inst) > maxProgram {
		return nil, errorf("the regular expression is too large: it compiles to %d steps, and at most %d are taken. Use smaller counts", len(program.Inst), maxProgram)
	}
	if ignoreCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, errorf("the pattern is no regular expression: %s", line(err.Error()))
	}
	m := &matcher{re: re, prog: program, reach: min(max(patience/len(program.Inst), 32<<10), blockSize)}
	// A shorter text is in so many lines that looking for it saves nothing.
	if text, fold := required(tree); len(text) >= minLiteral {
		m.literal = newLiteral(text, fold)
	}
	return m, nil
}

// required is the longest text that each match holds, as far as that is easy
// to tell. Looking for it first is what makes a search fast.
func required(re *syntax.Regexp) (text string, fold bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return longestASCII(string(re.Rune)), true
		}
		// A broken byte of a file reads as U+FFFD and is another byte.
		if s := string(re.Rune); !strings.ContainsRune(s, utf8.RuneError) {
			return s, false
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if s, f := required(sub); len(s) > len(text) {
				text, fold = s, f
			}
		}
		return text, fold
	}
	return "", false
}

// longestASCII is the longest part of a text whose letters have no other case
// beyond ASCII: k is in Kelvin's sign too, and s in the long s.
func longestASCII(s string) string {
	best := ""
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune("kKsS", r) }) {
		if len(part) > len(best) {
			best = part
		}
	}
	return best
}

// confirm tells whether a line matches that has a candidate at a place, and
// where. whole is false when the line is longer than could be looked at.
func (m *matcher) confirm(line []byte, at int) (start, end int, ok, whole bool) {
	if m.re == nil {
		return at, at + len(m.literal.text), true, true
	}
	whole = len(line) <= m.reach
	place := m.re.FindIndex(line[:min(len(line), m.reach)])
	// A match that ends at the cut may owe that to the cut.
	if place == nil || !whole && place[1] == m.reach {
		return 0, 0, false, whole
	}
	return place[0], place[1], true, true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
