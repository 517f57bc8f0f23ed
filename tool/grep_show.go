package tool

import (
	"slices"
	"strings"

	"paddock/internal/show"
)

const (
	clipWidth = 500 // bytes of a line that are shown
	clipLead  = 150 // of them before the hit
)

// shower keeps the lines of one file that are shown, with their numbers and
// the lines around them. Its places are places of the buffer.
type shower struct {
	line    int // number of the line at counted
	counted int // a place before which all line ends are counted
	last    int // number of the last line that was shown
	next    int // the line behind it
	after   int // lines of context still to be shown
	floor   int // before it there is no line
	shown   []hit
	size    int // of their text, in bytes
	// Of a line that is longer than the buffer: how it began, what stood
	// before it, and whether its beginning is gone.
	longHead []byte
	longLead []hit
	inside   bool
}

// number is the number of the line at a place. Places come in order.
func (s *shower) number(buf []byte, at int) int {
	if at > s.counted {
		s.line += lineEnds(buf[s.counted:at])
		s.counted = at
	}
	return s.line
}

// lead shows up to n lines before the one at start. Where buf begins within
// the file, what it begins with need not be a whole line.
func (s *shower) lead(buf []byte, start, number, n int, shifted bool) {
	at, first := start, number
	for first > max(number-n, s.last+1) && at > s.floor {
		before := previousLine(buf[:at])
		if before <= s.floor && shifted {
			break
		}
		at, first = max(before, s.floor), first-1
	}
	for ; first < number; first++ {
		length, ending := lineEnd(buf[at:start], true)
		s.show(first, buf[at:at+length], 0, true)
		at += length + ending
	}
}

// beginLong keeps what is to be shown around a line that is longer than the
// buffer: when its hit is found, if there is one, that is gone.
func (s *shower) beginLong(buf []byte, start, context int, shifted bool) {
	s.longHead = append(s.longHead[:0], buf[start:min(len(buf), start+clipWidth+1)]...)
	s.inside = false
	mark, last := len(s.shown), s.last
	s.lead(buf, start, s.number(buf, start), context, shifted)
	s.longLead = slices.Clone(s.shown[mark:])
	s.shown, s.last = s.shown[:mark], last
}

// showLong keeps a part of such a line.
func (s *shower) showLong(number int, part []byte, at int) {
	s.shown = append(s.shown, s.longLead...)
	s.show(number, part, at, false)
	h := &s.shown[len(s.shown)-1]
	h.Clipped = true
	if s.inside && !strings.HasPrefix(h.Text, "…") {
		h.Text = "…" + h.Text
	}
}

// previousLine is the start of the last line of a text that ends where a line
// ends.
func previousLine(text []byte) int {
	n := len(text) - 1 // its LF or CR
	if text[n] == '\n' && n > 0 && text[n-1] == '\r' {
		n--
	}
	return lastBreak(text[:n]) + 1
}

// trail shows the lines behind the last hit, as far as they lie before end.
func (s *shower) trail(buf []byte, end int) {
	for s.after > 0 && s.next < end {
		length, ending := lineEnd(buf[s.next:end], true)
		s.show(s.number(buf, s.next), buf[s.next:s.next+length], 0, true)
		s.next += length + ending
		s.after--
	}
}

// show keeps a line. A long one is cut around the place at.
func (s *shower) show(number int, text []byte, at int, context bool) {
	shown, clipped := clip(text, at)
	s.shown = append(s.shown, hit{number, shown, context, clipped})
	s.last = number
	s.size += len(shown)
}

// clip cuts a long line so that a place of it is seen.
func clip(text []byte, at int) (shown string, clipped bool) {
	if len(text) <= clipWidth {
		return valid(text), false
	}
	// What is cut is looked at for a few bytes beyond: no character is cut.
	start := min(max(0, at-clipLead), len(text)-clipWidth)
	near := string(text[max(0, start-4):min(len(text), start+clipWidth+4)])
	offset := start - max(0, start-4)
	from, to := show.Boundary(near, offset), show.Boundary(near, offset+clipWidth)
	shown = valid([]byte(near[from:to]))
	if start > 0 {
		shown = "…" + shown
	}
	if start+clipWidth < len(text) {
		shown += "…"
	}
	return shown, true
}
