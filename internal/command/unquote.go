package command

import (
	"strconv"
	"strings"
)

// unescape removes the backslashes of unquoted text. glob reports a pattern
// character that no backslash protects.
func unescape(s string) (text string, glob bool) {
	if !strings.ContainsAny(s, `\*?[`) {
		return s, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			if i++; s[i] != '\n' {
				b.WriteByte(s[i])
			}
		default:
			glob = glob || c == '*' || c == '?' || c == '['
			b.WriteByte(c)
		}
	}
	return b.String(), glob
}

// unescapeDouble removes the backslashes that count within double quotes, or
// within the body of a here-document.
func unescapeDouble(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescapeANSI reads the inside of $'…'. Bash ends the string at an escape that
// makes a NUL byte, so `$'rm\0x'` is rm.
func unescapeANSI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		value, size, end := ansiEscape(s[i+1:])
		if end {
			return b.String()
		}
		b.WriteString(value)
		i += 1 + size
	}
	return b.String()
}

// ansiEscape reads one escape after its backslash. end reports a NUL byte.
func ansiEscape(s string) (value string, size int, end bool) {
	const simple, means = "abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"
	if at := strings.IndexByte(simple, s[0]); at >= 0 {
		return means[at : at+1], 1, false
	}
	number := func(from, most, base int) (uint64, int) {
		to := from
		for to < len(s) && to-from < most && isDigit(s[to], base) {
			to++
		}
		n, _ := strconv.ParseUint(s[from:to], base, 32)
		return n, to
	}
	var n uint64
	switch c := s[0]; {
	case '0' <= c && c <= '7':
		n, size = number(0, 3, 8)
		n &= 0xff
	case c == 'x':
		if n, size = number(1, 2, 16); size == 1 {
			return `\x`, 1, false
		}
	case c == 'u' || c == 'U':
		most := 4
		if c == 'U' {
			most = 8
		}
		if n, size = number(1, most, 16); size == 1 {
			return `\` + s[:1], 1, false
		}
		if n > 0 {
			return extendedUTF8(n), size, false
		}
	case c == 'c' && len(s) > 1:
		n, size = uint64(s[1]&0x1f), 2
		if s[1] == '?' {
			n = 0x7f
		}
	default:
		return `\` + s[:1], 1, false
	}
	if n == 0 {
		return "", size, true
	}
	return string([]byte{byte(n)}), size, false
}

// extendedUTF8 encodes n as bash does, which knows no greatest character and no
// surrogates: up to six bytes.
func extendedUTF8(n uint64) string {
	if n < 0x80 {
		return string([]byte{byte(n)})
	}
	more := 1 // continuation bytes
	for limit := uint64(0x800); n >= limit && more < 5; limit <<= 5 {
		more++
	}
	out := []byte{byte(0xff<<(7-more)&0xff) | byte(n>>(6*more))}
	for more--; more >= 0; more-- {
		out = append(out, 0x80|byte(n>>(6*more))&0x3f)
	}
	return string(out)
}

func isDigit(c byte, base int) bool {
	switch {
	case '0' <= c && c <= '9':
		return int(c-'0') < base
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return base == 16
	}
	return false
}
