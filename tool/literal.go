package tool

import (
	"bytes"
	"strings"
)

// literal is a text to look for, fast. The zero value is found at once.
type literal struct {
	text []byte // in lower case with fold
	fold bool   // ASCII letters match in either case
	rare int    // the place in text of the byte that is the least common
}

// common are the bytes of source and prose, by how often they are met.
const common = " etaoirnslcd\tupmfhg().\n_b,\"=y;:/*vkw-{}x01'"

func newLiteral(text string, fold bool) literal {
	l := literal{text: []byte(text), fold: fold}
	if fold {
		l.text = lower(l.text, nil)
	}
	best := -1
	for i, c := range l.text {
		rank := strings.IndexByte(common, c)
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			best, l.rare = rank, i
		}
	}
	return l
}

// The rare byte is looked for in windows: in the other case it may be far away,
// and looking for that before each hit would take for ever.
const (
	firstWindow = 256
	lastWindow  = 16 << 10
)

// index is the first place of the text; -1 when there is none.
func (l *literal) index(text []byte) int {
	if len(l.text) == 0 {
		return 0
	}
	small := l.text[l.rare]
	large := small
	if l.fold && small >= 'a' && small <= 'z' {
		large -= 'a' - 'A'
	}
	compared := 0
	for from, size := l.rare, firstWindow; from < len(text); {
		window := text[from:min(len(text), from+size)]
		i := bytes.IndexByte(window, small)
		if large != small {
			if i >= 0 {
				window = window[:i]
			}
			if j := bytes.IndexByte(window, large); j >= 0 {
				i = j
			}
		}
		if i < 0 {
			from, size = from+size, min(4*size, lastWindow)
			continue
		}
		at := from + i - l.rare
		if len(text)-at < len(l.text) {
			return -1
		}
		same := l.same(text[at:])
		if same == len(l.text) {
			return at
		}
		// A text and a pattern of one letter would compare for ever.
		if compared += same + 1; compared > 4096+8*at {
			return l.rest(text, at+1)
		}
		from, size = from+i+1, firstWindow
	}
	return -1
}

// same is how many bytes of the literal a text begins with.
func (l *literal) same(text []byte) int {
	for i, want := range l.text {
		c := text[i]
		if l.fold && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != want {
			return i
		}
	}
	return len(l.text)
}

// rest is index behind from, in a time that no text makes long.
func (l *literal) rest(text []byte, from int) int {
	if !l.fold {
		if i := bytes.Index(text[from:], l.text); i >= 0 {
			return from + i
		}
		return -1
	}
	var small []byte
	for step := max(lastWindow, 4*len(l.text)); from < len(text); from += step {
		small = lower(text[from:min(len(text), from+step+len(l.text)-1)], small[:0])
		if i := bytes.Index(small, l.text); i >= 0 {
			return from + i
		}
	}
	return -1
}

// lower writes the ASCII lower case of a text behind out.
func lower(text, out []byte) []byte {
	for _, c := range text {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		out = append(out, c)
	}
	return out
}
