package tool

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	rowWidth = 5000 // characters of a line that stand in one row
	rowExtra = 12   // what a row costs besides its text: number, blanks, newline
	// countAhead bounds how far behind the page lines are counted, in bytes,
	// to tell how many are left.
	countAhead = 256 << 20
)

// page is what read_file shows of a file.
type page struct {
	skip  int // lines before it
	lines int // lines in it
	rows  []row
	total int   // lines of the file; -1 when they were not counted
	cut   int64 // size of the only line, when not all of it is shown
	full  bool  // the bound of the answer ended the page, not the limit
	blank bool  // nothing but blanks in it
}

// row is one line of the answer.
type row struct{ mark, text string }

// readPage reads the lines that were asked for, as many as the answer holds.
func readPage(lines *lineReader, offset, limit int) (*page, error) {
	p := &page{skip: max(offset, 0), total: -1, blank: true}
	skipped, _, err := lines.skip(p.skip, math.MaxInt64/2)
	if err != nil {
		return nil, err
	}
	if skipped < p.skip {
		return nil, pastEnd(offset, skipped)
	}
	left, taken := maxText, 0
	for p.lines < limit && !p.full {
		text, size, err := lines.next((left + 1) * utf8.UTFMax)
		if errors.Is(err, io.EOF) {
			p.total = p.skip + taken
			break
		}
		if err != nil {
			return nil, err
		}
		taken++
		left -= p.add(valid(text), size, left)
	}
	if p.lines == 0 {
		return nil, pastEnd(offset, p.skip)
	}
	if p.total < 0 {
		if more, whole, err := lines.skip(math.MaxInt, countAhead); err == nil && whole {
			p.total = p.skip + taken + more
		}
	}
	return p, nil
}

// add puts a line on the page, and tells what it costs. A line that does not
// fit ends the page before it; the first one ends it behind as much as fits.
func (p *page) add(text string, size int64, left int) (cost int) {
	length := utf8.RuneCountInString(text)
	rows := max(1, (length+rowWidth-1)/rowWidth)
	cost = length + rows*rowExtra
	if cost > left {
		p.full = true
		if p.lines > 0 {
			return 0
		}
		p.cut = size
		length = left - (left/rowWidth+1)*rowExtra
	}
	number := strconv.Itoa(p.skip + p.lines + 1)
	for i := 0; length > 0 || i == 0; i++ {
		mark := number
		if i > 0 {
			mark += "." + strconv.Itoa(i)
		}
		end := runes(text, min(length, rowWidth))
		p.rows = append(p.rows, row{mark, text[:end]})
		text, length = text[end:], length-rowWidth
	}
	p.lines++
	p.blank = p.blank && strings.TrimSpace(p.rows[len(p.rows)-1].text) == "" && p.cut == 0
	return cost
}

// runes is the length in bytes of the first n characters of a text.
func runes(text string, n int) int {
	for i := range text {
		if n--; n < 0 {
			return i
		}
	}
	return len(text)
}

// valid writes the bytes that are no UTF-8 as \xNN.
func valid(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// text writes the page: rows with their numbers, and notes of what is not
// there.
func (p *page) text(offset int) string {
	if p.blank && p.skip == 0 && p.total == p.lines {
		return emptyReminder
	}
	width := 0
	for _, r := range p.rows {
		width = max(width, len(r.mark))
	}
	var b strings.Builder
	for i, r := range p.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%*s  %s", width, r.mark, r.text)
	}
	if p.cut > 0 {
		fmt.Fprintf(&b, "\n\n[Line %d is %d bytes long and truncated here. grep finds what else it holds.]", p.skip+1, p.cut)
	} else if p.full {
		fmt.Fprintf(&b, "\n\n[The answer is truncated at %d characters.]", maxText)
	}
	b.WriteString(p.notice())
	if offset < 0 {
		fmt.Fprintf(&b, "\n\n[Requested offset %d is before the start of the file; read from line 1 instead.]", offset)
	}
	return b.String()
}

// notice says which part of the file this is, and where it goes on.
func (p *page) notice() string {
	next := p.skip + p.lines
	read := fmt.Sprintf("Read %s (lines %d-%d", plural(p.lines, "line", "lines"), p.skip+1, next)
	switch {
	case p.total == next:
		return ""
	case p.total < 0:
		return fmt.Sprintf("\n\n[%s). More lines remain from offset %d.]", read, next)
	}
	return fmt.Sprintf("\n\n[%s of %d total). %s remaining from offset %d.]", read, p.total, plural(p.total-next, "line", "lines"), next)
}

func pastEnd(offset, lines int) error {
	return errorf("Line offset %d exceeds file length (%s)", offset, plural(lines, "line", "lines"))
}
