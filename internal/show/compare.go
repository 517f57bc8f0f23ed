package show

import "bytes"

// kind is what becomes of a line.
type kind uint8

const (
	same kind = iota
	removed
	added
)

func (k kind) inOld() int {
	if k == added {
		return 0
	}
	return 1
}

func (k kind) inNew() int {
	if k == removed {
		return 0
	}
	return 1
}

func (k kind) mark() byte { return " -+"[k] }

// edit is one line of a comparison. The line keeps its ending.
type edit struct {
	kind kind
	line []byte
}

// comparison is the part of two files in which they differ, line by line.
type comparison struct {
	script           []edit
	line             int // of both files at which script begins; from 1
	more             bool
	endings          bool // line endings are to be shown: they are not all alike
	oldSize, newSize int
}

// compare cuts what two files share at both ends away, but for some context,
// and compares what is left.
func compare(old, new []byte) comparison {
	head := commonHead(old, new)
	tail := commonTail(old[head:], new[head:])
	head = linesBack(old, head, diffContext)
	// Context behind the change, of which both files hold the same.
	tail -= linesOn(old[len(old)-tail:], diffContext)
	c := comparison{
		line:    1 + bytes.Count(old[:head], []byte("\n")),
		oldSize: len(old), newSize: len(new),
		endings: !sameEndings(old, new),
	}
	a, moreA := splitLines(old[head : len(old)-tail])
	b, moreB := splitLines(new[head : len(new)-tail])
	script, whole := myers(a, b, diffEdits)
	c.script = script
	c.more = moreA || moreB || !whole
	return c
}

// commonHead is the length of the whole lines with which both begin.
func commonHead(old, new []byte) int {
	n := min(len(old), len(new))
	i := differs(old[:n], new[:n])
	if i == len(old) && i == len(new) {
		return i
	}
	return bytes.LastIndexByte(old[:i], '\n') + 1
}

// differs is the first place at which two texts of one length differ.
func differs(a, b []byte) int {
	const block = 4096 // bytes.Equal compares many bytes a step
	i := 0
	for i+block <= len(a) && bytes.Equal(a[i:i+block], b[i:i+block]) {
		i += block
	}
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i
}

// commonTail is the length of the whole lines with which both end.
func commonTail(old, new []byte) int {
	n := 0
	for n < len(old) && n < len(new) && old[len(old)-1-n] == new[len(new)-1-n] {
		n++
	}
	tail := old[len(old)-n:]
	if n == len(old) || n == len(new) {
		// The shorter one is all tail; the line of the other that ends
		// with it begins before.
		longer := old
		if len(new) > len(old) {
			longer = new
		}
		if n == len(longer) || longer[len(longer)-n-1] == '\n' {
			return n
		}
	}
	i := bytes.IndexByte(tail, '\n')
	if i < 0 {
		return 0
	}
	return n - i - 1
}

// linesBack is the start of the n-th line before the line that begins at at.
func linesBack(text []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		at = bytes.LastIndexByte(text[:at-1], '\n') + 1
	}
	return at
}

// linesOn is the length of the first n lines of a text.
func linesOn(text []byte, n int) int {
	length := 0
	for ; n > 0 && length < len(text); n-- {
		i := bytes.IndexByte(text[length:], '\n')
		if i < 0 {
			return len(text)
		}
		length += i + 1
	}
	return length
}

// splitLines splits a text behind each newline; more says that not all of it
// was taken.
func splitLines(text []byte) (lines [][]byte, more bool) {
	window := text[:min(len(text), diffWindow)]
	for len(window) > 0 && len(lines) < diffLines {
		n := linesOn(window, 1)
		lines = append(lines, window[:n])
		window = window[n:]
	}
	return lines, len(window) > 0 || len(text) > diffWindow
}

// sameEndings tells whether every line of both files ends alike.
func sameEndings(old, new []byte) bool {
	crlf := bytes.Count(old, []byte("\r\n")) + bytes.Count(new, []byte("\r\n"))
	if crlf == 0 {
		// A lone carriage return is a character, and shown as one.
		return bytes.IndexByte(old, '\r') >= 0 || bytes.IndexByte(new, '\r') >= 0
	}
	all := bytes.Count(old, []byte("\n")) + bytes.Count(new, []byte("\n"))
	cr := bytes.Count(old, []byte("\r")) + bytes.Count(new, []byte("\r"))
	return crlf == all && crlf == cr
}
