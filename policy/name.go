package policy

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// EncodeName writes a name or path so that it is valid UTF-8 and DecodeName
// gives it back: a byte that is no part of a UTF-8 character becomes \xNN. A
// backslash stays as it is, except where it would be taken for one of ours.
func EncodeName(name string) string {
	if utf8.ValidString(name) && !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch _, ours := escape(name[i:]); {
		case r == utf8.RuneError && size == 1, ours:
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[name[i]>>4])
			b.WriteByte(hexDigits[name[i]&15])
		default:
			b.WriteString(name[i : i+size])
		}
		i += size
	}
	return b.String()
}

// DecodeName is the inverse of EncodeName. Text that EncodeName never writes
// is left as it is: a backslash is an ordinary character.
func DecodeName(name string) string {
	if !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		if c, ok := escape(name[i:]); ok {
			b.WriteByte(c)
			i += len(`\xNN`)
			continue
		}
		b.WriteByte(name[i])
		i++
	}
	return b.String()
}

// escape tells whether s begins with an escape that EncodeName writes: a byte
// of 0x80 or more, or a backslash.
func escape(s string) (byte, bool) {
	if len(s) < len(`\xNN`) || s[0] != '\\' || s[1] != 'x' {
		return 0, false
	}
	high, low := strings.IndexByte(hexDigits, s[2]), strings.IndexByte(hexDigits, s[3])
	if high < 0 || low < 0 {
		return 0, false
	}
	c := byte(high<<4 | low)
	return c, c >= utf8.RuneSelf || c == '\\'
}
