// Package show is the only way by which text that we did not write reaches a
// terminal, a page or a log.
//
// File names, file contents, command lines and everything a model says are
// hostile: an escape sequence can repaint an approval question, a right-to-left
// override can turn "exe.txt" round, a zero-width or tag character can hide
// words from the person and not from the model. What comes out of this package
// holds only characters that are seen as what they are; every other one is
// written as an escape (\n, \x1b, \u202e, \U000e0041).
//
// The escapes are for eyes, not for machines: a backslash in the text stays as
// it is, so that showing shown text changes nothing. The package is pure and
// safe for concurrent use.
package show

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes a text safe to show on one line: a newline becomes \n, a tab \t.
func Line(s string) string { return clean(s, false) }

// Text makes a text safe to show on several lines: newline and tab stay.
func Text(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	i := 0
	for i < len(s) && plain(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	b.WriteString(s[:i])
	for i < len(s) {
		if plain(s[i]) {
			b.WriteByte(s[i])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			hex(&b, `\x`, rune(s[i]), 2)
		case lines && (r == '\n' || r == '\t'), Visible(r):
			b.WriteString(s[i : i+size])
		default:
			escape(&b, r)
		}
		i += size
	}
	return b.String()
}

// plain tells whether a byte is a visible ASCII character: nearly all text is.
func plain(c byte) bool { return c >= ' ' && c < 0x7f }

// escape writes a character so that it can be seen.
func escape(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		hex(b, `\x`, r, 2)
	case r <= 0xffff:
		hex(b, `\u`, r, 4)
	default:
		hex(b, `\U`, r, 8)
	}
}

func hex(b *strings.Builder, prefix string, r rune, digits int) {
	b.WriteString(prefix)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte("0123456789abcdef"[r>>shift&15])
	}
}

// Visible tells whether a character is shown as it is. Those that are not:
// controls, bidi and zero-width characters, blanks other than the ASCII and
// the ideographic one, private and unassigned ones, and those that count as
// letters or marks but leave no trace on the screen.
func Visible(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f
	case r == 0x3000: // the ideographic space, plain in Chinese and Japanese text
		return true
	}
	return unicode.IsPrint(r) && !blank(r)
}

// blank tells whether a character that Unicode calls printable draws nothing.
// Variation selectors are among them: a row of them carries hidden bytes.
func blank(r rune) bool {
	switch {
	case r == 0x034f, // combining grapheme joiner
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // Hangul fillers
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		r == 0x2800,                  // the empty Braille pattern
		r >= 0x180b && r <= 0x180f,   // Mongolian selectors
		r >= 0xfe00 && r <= 0xfe0f,   // variation selectors
		r >= 0xe0100 && r <= 0xe01ef, // and their supplement
		r >= 0x1d173 && r <= 0x1d17a, // musical controls
		r == 0x16fe4, r == 0x1bca0, r == 0x1bca1, r == 0x1bca2, r == 0x1bca3:
		return true
	}
	return false
}

const ellipsis = "…"

// Cut shortens a text to at most max bytes. It never cuts through a character,
// and what was cut ends in "…" where max leaves room for it. It does not make
// the text safe: cut what Line or Text returned.
func Cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	mark := ellipsis
	if max < len(mark) {
		mark = ""
	}
	end := Boundary(s, max-len(mark))
	return s[:end] + mark
}

// Boundary is the greatest place up to at where s can be cut without cutting
// through a character. A place outside s counts as the nearest inside it.
func Boundary(s string, at int) int {
	at = max(at, 0)
	if at >= len(s) {
		return len(s)
	}
	// A broken text can hold continuation bytes without end: look back no
	// further than a character is long.
	for back := 0; back < utf8.UTFMax && at-back >= 0; back++ {
		if utf8.RuneStart(s[at-back]) {
			return at - back
		}
	}
	return at
}
