package glob

import (
	"strings"
	"unicode/utf8"
)

// A set holds the characters of a bracket expression.
type set struct {
	ranges  []span
	negated bool
}

type span struct{ low, high rune }

func (s *set) has(r rune) bool {
	for _, in := range s.ranges {
		if r >= in.low && r <= in.high {
			return !s.negated
		}
	}
	return s.negated
}

func (s *set) add(low, high rune) { s.ranges = append(s.ranges, span{low, high}) }

// parseClass reads the bracket expression at the start of c and returns how long it is: 0 when it is never closed, which
// makes the bracket an ordinary character.
func parseClass(c string) (s *set, n int, reason string) {
	s = new(set)
	i := 1
	if i < len(c) && (c[i] == '!' || c[i] == '^') {
		s.negated = true
		i++
	}
	for first := true; ; first = false {
		if i >= len(c) {
			return nil, 0, ""
		}
		if c[i] == ']' && !first {
			return s, i + 1, ""
		}
		if strings.HasPrefix(c[i:], "[:") {
			if end := strings.Index(c[i:], ":]"); end >= 2 {
				name := c[i+2 : i+end]
				if !s.addNamed(name) {
					return nil, 0, "there is no character class [:" + name + ":]"
				}
				i += end + 2
				continue
			}
		}
		low, width := member(c[i:])
		i += width
		high := low
		if i+1 < len(c) && c[i] == '-' && c[i+1] != ']' {
			high, width = member(c[i+1:])
			i += 1 + width
			// Such a range holds nothing. Whoever wrote it meant something by it, so it must not pass for a rule.
			if high < low {
				return nil, 0, "the range " + string(low) + "-" + string(high) + " runs backwards"
			}
		}
		s.add(low, high)
	}
}

// member reads one character of a bracket expression, which a backslash may quote.
func member(c string) (r rune, width int) {
	if c[0] == '\\' && len(c) > 1 {
		r, width = character(c[1:])
		return r, width + 1
	}
	return character(c)
}

// character reads one character: a code point, or a byte that is no part of one, which gets a number of its own.
func character(s string) (r rune, width int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	if r, width = utf8.DecodeRuneInString(s); r == utf8.RuneError && width == 1 {
		return 0xDC00 | rune(s[0]), 1 // a lone surrogate, which no valid text decodes to
	}
	return r, width
}

// addNamed adds a POSIX class, ASCII only.
func (s *set) addNamed(name string) bool {
	spans, ok := namedClass(name)
	s.ranges = append(s.ranges, spans...)
	return ok
}

func namedClass(name string) ([]span, bool) {
	upper, lower, digit := span{'A', 'Z'}, span{'a', 'z'}, span{'0', '9'}
	switch name {
	case "alnum":
		return []span{upper, lower, digit}, true
	case "alpha":
		return []span{upper, lower}, true
	case "blank":
		return []span{{' ', ' '}, {'\t', '\t'}}, true
	case "cntrl":
		return []span{{0, 0x1f}, {0x7f, 0x7f}}, true
	case "digit":
		return []span{digit}, true
	case "graph":
		return []span{{'!', '~'}}, true
	case "lower":
		return []span{lower}, true
	case "print":
		return []span{{' ', '~'}}, true
	case "punct":
		return []span{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}, true
	case "space":
		return []span{{' ', ' '}, {'\t', '\r'}}, true
	case "upper":
		return []span{upper}, true
	case "xdigit":
		return []span{digit, {'A', 'F'}, {'a', 'f'}}, true
	}
	return nil, false
}
