package show

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of Diff. They hold the work for hostile contents to milliseconds; a
// person reads no diff that comes near them.
const (
	diffContext = 3       // unchanged lines around a change
	diffWindow  = 4 << 20 // bytes of each side that are compared line by line
	diffLines   = 20_000  // and lines
	diffEdits   = 1000    // changed lines that are searched for
	diffWidth   = 400     // bytes of a line that are shown
)

// Diff shows how a file would change, as a unified diff that is safe to print:
// at most maxLines lines (at least one) after its two head lines, each cut when
// it is very long. A missing newline at the end and a change of line endings
// are visible. Where the two differ in more than can be compared, it shows the
// beginning and says so; of contents that are not text it tells the sizes. It
// is empty when nothing differs. A nil old is a file that is not there yet.
func Diff(old, new []byte, name string, maxLines int) string {
	if bytes.Equal(old, new) && (old == nil) == (new == nil) {
		return ""
	}
	name = Cut(Line(name), diffWidth)
	out := &printer{left: max(maxLines, 1)}
	if old == nil {
		fmt.Fprintf(&out.b, "--- (no such file)\n+++ %s\n", name)
	} else {
		fmt.Fprintf(&out.b, "--- %s\n+++ %s\n", name, name)
	}
	switch {
	case len(new) == 0 && len(old) == 0:
		out.line("(an empty file)")
	case binary(old) || binary(new):
		out.line(fmt.Sprintf("(not text: %s become %s)", count(len(old), "byte"), count(len(new), "byte")))
	default:
		out.hunks(compare(old, new))
	}
	return out.b.String()
}

// binary tells whether contents are better not shown as text. Broken UTF-8
// alone is no reason: a Latin-1 file still reads well with its escapes.
func binary(content []byte) bool {
	head := content[:min(len(content), diffWindow)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	head = head[:min(len(head), 8000)]
	broken := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 && len(rest) >= utf8.UTFMax {
			broken++
		}
		rest = rest[size:]
	}
	return broken > len(head)/4
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printer writes lines until its budget is used up, and counts the rest.
type printer struct {
	b    strings.Builder
	left int
	lost int
}

func (p *printer) line(s string) {
	if p.left == 0 {
		p.lost++
		return
	}
	p.left--
	p.b.WriteString(s)
	p.b.WriteByte('\n')
}

// row writes one line of a file behind its mark. Its ending is shown where it
// could be what differs.
func (p *printer) row(mark byte, line []byte, endings bool) {
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	if !endings {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	shown := keepTabs(text)
	p.line(string(mark) + shown)
	if !ended {
		p.line(`\ No newline at end of file`)
	}
}

// keepTabs makes a line safe but leaves its indentation readable.
func keepTabs(line []byte) string {
	cut := line[:min(len(line), diffWidth+utf8.UTFMax)]
	shown := Text(string(cut))
	if len(line) <= diffWidth && len(shown) <= 2*diffWidth {
		return shown
	}
	return fmt.Sprintf("%s (%s)", Cut(shown, diffWidth), count(len(line), "byte"))
}

// hunks writes the edits with the unchanged lines around them.
func (p *printer) hunks(c comparison) {
	for i := 0; i < len(c.script); {
		if c.script[i].kind == same {
			i++
			continue
		}
		from, to := max(i-diffContext, 0), i
		for gap, j := 0, i; j < len(c.script) && gap <= 2*diffContext; j++ {
			if gap++; c.script[j].kind != same {
				gap, to = 0, j+1
			}
		}
		i = to
		p.hunk(c, from, min(to+diffContext, len(c.script)))
	}
	switch {
	case p.lost > 0:
		more := ""
		if c.more {
			more = " and more changes"
		}
		p.left = 1
		p.line(fmt.Sprintf("… (%s of the comparison%s not shown)", count(p.lost, "line"), more))
	case c.more:
		p.left = max(p.left, 1)
		p.line(fmt.Sprintf("… (more changes follow, not shown: %s become %s in all)", count(c.oldSize, "byte"), count(c.newSize, "byte")))
	}
}

func (p *printer) hunk(c comparison, from, to int) {
	oldLine, newLine := c.line, c.line
	for _, e := range c.script[:from] {
		oldLine += e.kind.inOld()
		newLine += e.kind.inNew()
	}
	oldCount, newCount := 0, 0
	for _, e := range c.script[from:to] {
		oldCount += e.kind.inOld()
		newCount += e.kind.inNew()
	}
	// An empty side names the line before it, as diff does.
	if oldCount == 0 {
		oldLine--
	}
	if newCount == 0 {
		newLine--
	}
	p.line(fmt.Sprintf("@@ -%d,%d +%d,%d @@", oldLine, oldCount, newLine, newCount))
	for _, e := range c.script[from:to] {
		p.row(e.kind.mark(), e.line, c.endings)
	}
}
