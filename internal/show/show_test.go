package show_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"paddock/internal/show"
)

func TestLineAndText(t *testing.T) {
	for _, c := range []struct{ name, in, line, text string }{
		{"plain", "a plain line, ~100 % ASCII", "a plain line, ~100 % ASCII", "a plain line, ~100 % ASCII"},
		{"empty", "", "", ""},
		{"letters", "naïve Größe 日本語 עברית العربية", "naïve Größe 日本語 עברית العربية", "naïve Größe 日本語 עברית العربية"},
		{"ideographic space", "東京\u3000大阪", "東京\u3000大阪", "東京\u3000大阪"},
		{"newline and tab", "a\n\tb", `a\n\tb`, "a\n\tb"},
		{"carriage return repaints a line", "rm -rf /\rls      ", `rm -rf /\rls      `, `rm -rf /\rls      `},
		{"CSI clears the screen", "\x1b[2Jok", `\x1b[2Jok`, `\x1b[2Jok`},
		{"OSC sets a link", "\x1b]8;;http://x\x07y", `\x1b]8;;http://x\x07y`, `\x1b]8;;http://x\x07y`},
		{"C1 CSI", "\u009b31m", `\u009b31m`, `\u009b31m`},
		{"raw C1 byte", "\x9b31m", `\x9b31m`, `\x9b31m`},
		{"backspace and DEL", "a\b\x7f", `a\x08\x7f`, `a\x08\x7f`},
		{"NUL", "a\x00b", `a\x00b`, `a\x00b`},
		{"right-to-left override", "photo_\u202egnp.exe", `photo_\u202egnp.exe`, `photo_\u202egnp.exe`},
		{"isolates and marks", "\u2066\u2069\u200e\u200f\u061c", `\u2066\u2069\u200e\u200f\u061c`, `\u2066\u2069\u200e\u200f\u061c`},
		{"zero width", "pass\u200bword\u200d\ufeff\u2060", `pass\u200bword\u200d\ufeff\u2060`, `pass\u200bword\u200d\ufeff\u2060`},
		{"soft hyphen", "a\u00adb", `a\u00adb`, `a\u00adb`},
		{"no-break and thin blanks", "a\u00a0b\u2009c", `a\u00a0b\u2009c`, `a\u00a0b\u2009c`},
		{"line separators", "a\u2028b\u2029c\u0085", `a\u2028b\u2029c\u0085`, `a\u2028b\u2029c\u0085`},
		{"tags", "x\U000e0041\U000e007f", `x\U000e0041\U000e007f`, `x\U000e0041\U000e007f`},
		{"variation selectors", "x\ufe0f\U000e0100", `x\ufe0f\U000e0100`, `x\ufe0f\U000e0100`},
		{"letters that draw nothing", "\u3164\u115f\u2800\u034f", `\u3164\u115f\u2800\u034f`, `\u3164\u115f\u2800\u034f`},
		{"private use", "\ue000", `\ue000`, `\ue000`},
		{"broken UTF-8", "caf\xe9 \xf0\x9f", `caf\xe9 \xf0\x9f`, `caf\xe9 \xf0\x9f`},
		{"surrogate half", "\xed\xa0\x80", `\xed\xa0\x80`, `\xed\xa0\x80`},
		{"the replacement character itself", "\ufffd", "\ufffd", "\ufffd"},
		{"backslash stays", `a\nb`, `a\nb`, `a\nb`},
	} {
		if got := show.Line(c.in); got != c.line {
			t.Errorf("%s: Line(%q) = %q, want %q", c.name, c.in, got, c.line)
		}
		if got := show.Text(c.in); got != c.text {
			t.Errorf("%s: Text(%q) = %q, want %q", c.name, c.in, got, c.text)
		}
	}
}

// TestEveryRune tries all of Unicode: what is not visible is escaped, and what
// the Unicode tables call a control, a format or a separator never gets out.
func TestEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		out := show.Line(string(r))
		if dangerous(r) && strings.ContainsRune(out, r) {
			t.Fatalf("U+%04X is let through", r)
		}
		if show.Visible(r) != (out == string(r)) {
			t.Fatalf("U+%04X: Visible is %v, and Line writes %q", r, show.Visible(r), out)
		}
	}
}

// dangerous is written without the package's own tables.
func dangerous(r rune) bool {
	return r < ' ' || r == 0x7f || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.Is(unicode.Zs, r) && r != ' ' && r != 0x3000
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"short", 5, "short"},
		{"longer", 5, "lo…"},
		{"äöü", 6, "äöü"},
		{"äöüä", 6, "ä…"},
		{"日本語", 8, "日…"},
		{"日本語", 2, ""},
		{"abc", 2, "ab"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"", 0, ""},
		{"", -29, ""},
		{"\x80\x80\x80\x80\x80\x80", 4, "\x80…"},
	} {
		if got := show.Cut(c.in, c.max); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func FuzzShow(f *testing.F) {
	for _, s := range []string{"", "a\n\tb\r", "\x1b[31m\u202e\U000e0041\xff\u00ad", `\x1b`, "日本語 \u200b"} {
		f.Add(s, 4)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		line, text := show.Line(s), show.Text(s)
		for _, r := range line {
			if dangerous(r) {
				t.Fatalf("Line(%q) holds U+%04X", s, r)
			}
		}
		for _, r := range text {
			if dangerous(r) && r != '\n' && r != '\t' {
				t.Fatalf("Text(%q) holds U+%04X", s, r)
			}
		}
		if !utf8.ValidString(line) || !utf8.ValidString(text) {
			t.Fatalf("%q is shown as broken UTF-8", s)
		}
		if show.Line(line) != line || show.Text(text) != text {
			t.Fatalf("showing %q twice differs", s)
		}
		if cut := show.Cut(text, max); len(cut) > len(text) || max >= 0 && len(cut) > max || !utf8.ValidString(cut) {
			t.Fatalf("Cut(%q, %d) = %q", text, max, cut)
		}
	})
}
