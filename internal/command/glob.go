package command

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A glob is a pattern of Python's fnmatch, letter case ignored: * is any text
// (line breaks and slashes too), ? any one character, [abc] and [a-z] one of a
// set, [!abc] one outside of it. There is no escape character: [*] is a star.
type glob []element

type element struct {
	star, any bool
	negate    bool
	set       []span // nil and not star or any: the rune lit
	isSet     bool
	lit       rune
}

type span struct{ lo, hi rune }

// parseGlob can't fail: as in Python a [ that is never closed is an ordinary
// character, and a set whose ranges are all reversed is empty.
func parseGlob(text string) glob {
	var g glob
	in := runes(text)
	for i := 0; i < len(in); {
		c := in[i]
		i++
		switch c {
		case '*':
			if len(g) == 0 || !g[len(g)-1].star {
				g = append(g, element{star: true})
			}
		case '?':
			g = append(g, element{any: true})
		case '[':
			j := i
			if j < len(in) && in[j] == '!' {
				j++
			}
			if j < len(in) && in[j] == ']' {
				j++ // a ] in the first place is a member
			}
			for j < len(in) && in[j] != ']' {
				j++
			}
			if j >= len(in) {
				g = append(g, element{lit: '['})
				continue
			}
			g = append(g, parseSet(in[i:j]))
			i = j + 1
		default:
			g = append(g, element{lit: foldRune(c)})
		}
	}
	return g
}

func parseSet(body []rune) element {
	e := element{isSet: true}
	if body[0] == '!' {
		e.negate = true
		body = body[1:]
	}
	for i := 0; i < len(body); i++ {
		if i+2 < len(body) && body[i+1] == '-' {
			if body[i] <= body[i+2] {
				e.set = append(e.set, span{body[i], body[i+2]})
			}
			i += 2
			continue
		}
		e.set = append(e.set, span{body[i], body[i]})
	}
	return e
}

func (e element) matches(r rune) bool {
	switch {
	case e.any:
		return true
	case !e.isSet:
		return foldRune(r) == e.lit
	}
	return e.contains(r) != e.negate
}

// contains tries every letter case of r, since a range has no case of its own.
func (e element) contains(r rune) bool {
	for f := r; ; {
		for _, s := range e.set {
			if s.lo <= f && f <= s.hi {
				return true
			}
		}
		if f = unicode.SimpleFold(f); f == r || f < 0 {
			return false
		}
	}
}

// match goes back to the last star only, which is enough for globs and keeps
// the worst case at the product of the two lengths.
func (g glob) match(text string) bool {
	pos, next := 0, 0 // in text and in g
	starAt, starPos := -1, 0
	for pos < len(text) {
		r, size := decode(text[pos:])
		switch {
		case next < len(g) && g[next].star:
			starAt, starPos = next, pos
			next++
		case next < len(g) && g[next].matches(r):
			pos += size
			next++
		case starAt >= 0:
			_, skip := decode(text[starPos:])
			starPos += skip
			pos, next = starPos, starAt+1
		default:
			return false
		}
	}
	for next < len(g) && g[next].star {
		next++
	}
	return next == len(g)
}

// decode reads one character. A byte that is not UTF-8 is a character of its
// own and equal to no other, as it is for Python.
func decode(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size <= 1 && s != "" {
		return 0xDC00 + rune(s[0]), 1
	}
	return r, size
}

func runes(s string) []rune {
	var out []rune
	for s != "" {
		r, size := decode(s)
		out = append(out, r)
		s = s[size:]
	}
	return out
}

// foldRune picks one spelling for all letter cases of r: the smallest.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r && f > 0; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

func fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'a' <= c && c <= 'z' {
			var b strings.Builder
			b.Grow(len(s))
			b.WriteString(s[:i])
			for rest := s[i:]; rest != ""; {
				r, size := decode(rest)
				if size == 1 && r >= 0xDC00 {
					b.WriteByte(rest[0])
				} else {
					b.WriteRune(foldRune(r))
				}
				rest = rest[size:]
			}
			return b.String()
		}
	}
	return s
}
