package gitignore

import "strings"

// parseClass reads the bracket expression at the start of p and returns how long it is. ok is false when it is broken,
// and a pattern that holds a broken one matches nothing.
//
// The oddities are git's: a `]` that comes first is a member, `[:name:]` is looked for up to the next `]`, a range that
// follows a range or a class has no lower end, and an unknown class name spoils the pattern.
func parseClass(p string) (s *set, n int, ok bool) {
	s = new(set)
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	low := -1 // the member before, where a range may start from it
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0, false
		}
		c := p[i]
		if c == ']' && !first {
			break
		}
		switch {
		case c == '\\':
			i++
			if i >= len(p) {
				return nil, 0, false
			}
			s.add(p[i])
			low = int(p[i])
		case c == '-' && low >= 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				i++
				if i >= len(p) {
					return nil, 0, false
				}
			}
			for b := low; b <= int(p[i]); b++ {
				s.add(byte(b))
			}
			low = -1
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0, false
			}
			name, closed := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !closed {
				s.add('[')
				low = '['
				break
			}
			if !s.addNamed(name) {
				return nil, 0, false
			}
			i += 2 + end
			low = -1
		default:
			s.add(c)
			low = int(c)
		}
		i++
	}
	if negated {
		s.invert()
	}
	return s, i + 1, true
}

// addNamed adds the members of a POSIX class, as git's own tables have them: ASCII only, and [:space:] without vertical
// tab and form feed.
func (s *set) addNamed(name string) bool {
	var in func(b byte) bool
	upper := func(b byte) bool { return b >= 'A' && b <= 'Z' }
	lower := func(b byte) bool { return b >= 'a' && b <= 'z' }
	digit := func(b byte) bool { return b >= '0' && b <= '9' }
	graph := func(b byte) bool { return b > ' ' && b < 0x7f }
	alnum := func(b byte) bool { return upper(b) || lower(b) || digit(b) }
	switch name {
	case "alnum":
		in = alnum
	case "alpha":
		in = func(b byte) bool { return upper(b) || lower(b) }
	case "blank":
		in = func(b byte) bool { return b == ' ' || b == '\t' }
	case "cntrl":
		in = func(b byte) bool { return b < ' ' || b == 0x7f }
	case "digit":
		in = digit
	case "graph":
		in = graph
	case "lower":
		in = lower
	case "print":
		in = func(b byte) bool { return b == ' ' || graph(b) }
	case "punct":
		in = func(b byte) bool { return graph(b) && !alnum(b) }
	case "space":
		in = func(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
	case "upper":
		in = upper
	case "xdigit":
		in = func(b byte) bool { return digit(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }
	default:
		return false
	}
	for b := 0; b < 0x80; b++ {
		if in(byte(b)) {
			s.add(byte(b))
		}
	}
	return true
}
