package tool

import (
	"strings"
	"unicode/utf8"

	"paddock/internal/show"
)

// Spell writes a virtual path, as the Guard gives it, so that it stays on its
// line, is seen as what it is, and names the same object when it comes back.
// A name of another alphabet stays readable. Characters that cannot be seen
// (controls, bidi, zero width) become the \xNN of their bytes, which is how
// the Guard writes broken UTF-8 already.
func Spell(path string) string {
	if show.Line(path) == path && !strings.Contains(path, `\x`) {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		if c, ok := escaped(path[i:]); ok {
			if isControl(c) {
				// A name that has these four characters in it, not ours.
				b.WriteString(`\x5c`)
				i++
				continue
			}
			b.WriteString(path[i : i+4])
			i += 4
			continue
		}
		r, size := utf8.DecodeRuneInString(path[i:])
		if show.Visible(r) && (r != utf8.RuneError || size > 1) {
			b.WriteString(path[i : i+size])
		} else {
			for _, c := range []byte(path[i : i+size]) {
				b.WriteString(`\x`)
				b.WriteByte(hexDigits[c>>4])
				b.WriteByte(hexDigits[c&15])
			}
		}
		i += size
	}
	return b.String()
}

// unspell reads a path of an argument: the control characters that Spell
// wrote. The Guard reads the other escapes itself.
func unspell(path string) string {
	if !strings.Contains(path, `\x`) {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		c, ok := escaped(path[i:])
		switch {
		case !ok:
			b.WriteByte(path[i])
			i++
			continue
		case isControl(c):
			b.WriteByte(c)
		default:
			b.WriteString(path[i : i+4])
		}
		i += 4
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

// escaped tells whether s begins with a \xNN that Spell or the Guard writes.
func escaped(s string) (byte, bool) {
	if len(s) < 4 || s[0] != '\\' || s[1] != 'x' {
		return 0, false
	}
	high, low := strings.IndexByte(hexDigits, s[2]), strings.IndexByte(hexDigits, s[3])
	if high < 0 || low < 0 {
		return 0, false
	}
	c := byte(high<<4 | low)
	return c, c >= utf8.RuneSelf || c == '\\' || isControl(c)
}

// isControl tells whether a byte is a control character that a name can hold.
func isControl(c byte) bool { return c > 0 && c < ' ' || c == 0x7f }
