package tool

import (
	"bytes"
	"strings"
)

// search is what to look for in which text. A model sees lines and sends LF;
// the file may have CRLF, in some places or in all, or the CR of old Macs.
type search struct {
	original []byte
	// text is what is looked in: the original, or (mapped) the original with
	// every CRLF as LF.
	text     []byte
	mapped   bool
	old, new string // in the terms of text
	// local says that a line break of new takes the ending of the place it
	// comes to.
	local bool
}

// endingsOf finds out how the strings and the file agree on line endings.
func endingsOf(content []byte, old, new string) *search {
	s := &search{original: content, text: content, old: old, new: new}
	if strings.Contains(old+new, "\r") && bytes.Contains(content, []byte(old)) {
		return s // whoever sends CR means these very bytes
	}
	s.old, s.new = strings.ReplaceAll(old, "\r\n", "\n"), strings.ReplaceAll(new, "\r\n", "\n")
	breaksOld, breaksNew := strings.Contains(s.old, "\n"), strings.Contains(s.new, "\n")
	crlf := bytes.Contains(content, []byte("\r\n"))
	switch {
	case !crlf && bytes.IndexByte(content, '\r') >= 0 && bytes.IndexByte(content, '\n') < 0:
		s.old, s.new = strings.ReplaceAll(s.old, "\n", "\r"), strings.ReplaceAll(s.new, "\n", "\r")
	case crlf && breaksOld:
		s.text, s.mapped = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")), true
		s.local = breaksNew
	case crlf:
		s.local = breaksNew
	}
	return s
}

func (s *search) count() int { return bytes.Count(s.text, []byte(s.old)) }

// size is the most that the result can be long, in bytes.
func (s *search) size(n int) int {
	longest := len(s.new)
	if s.local {
		longest += strings.Count(s.new, "\n")
	}
	return len(s.original) + n*(longest-len(s.old))
}

// apply replaces all n places, behind a head.
func (s *search) apply(head []byte, n int) []byte {
	out := make([]byte, 0, len(head)+max(s.size(n), 0))
	out = append(out, head...)
	lf, crlf := s.new, s.new
	if s.local {
		crlf = strings.ReplaceAll(s.new, "\n", "\r\n")
	}
	at := place{original: s.original}
	breaks := lineBreaks{text: s.original, next: -1}
	copied := 0 // of the original
	for pos := 0; n > 0; n-- {
		i := pos + bytes.Index(s.text[pos:], []byte(s.old))
		pos = i + len(s.old)
		from, to := i, pos
		if s.mapped {
			from = at.advance(i)
			to = at.advance(pos)
		}
		out = append(out, s.original[copied:from]...)
		if s.local && breaks.crlf(from) {
			out = append(out, crlf...)
		} else {
			out = append(out, lf...)
		}
		copied = to
	}
	return append(out, s.original[copied:]...)
}

// place walks the original beside its text in which CRLF is LF. It only goes
// forward, so that all steps together pass over the original once.
type place struct {
	original []byte
	text, at int // the same place in both
}

// advance goes to a place of the text and gives that of the original. A line
// break belongs whole to what follows it.
func (p *place) advance(text int) int {
	for p.text < text {
		lf := bytes.IndexByte(p.original[p.at:], '\n')
		if lf < 0 {
			break
		}
		crlf := 0
		if lf > 0 && p.original[p.at+lf-1] == '\r' {
			crlf = 1
		}
		// The line and its break are lf-crlf+1 bytes of the text.
		if p.text+lf-crlf+1 > text {
			break
		}
		p.text += lf - crlf + 1
		p.at += lf + 1
	}
	p.at += text - p.text
	p.text = text
	return p.at
}

// lineBreaks tells which ending a place has. Places are asked for in order, so
// that all questions together pass over the text once.
type lineBreaks struct {
	text []byte
	// next is the first LF at or after the last place; -1 before the first.
	next int
	// ended says that there was none: next is the last LF of the text.
	ended bool
}

// crlf tells whether a line break at a place is CRLF there: as the next one
// is, the place's own or one behind it, else as the last one before.
func (l *lineBreaks) crlf(from int) bool {
	if !l.ended && l.next < from {
		if i := bytes.IndexByte(l.text[from:], '\n'); i >= 0 {
			l.next = from + i
		} else {
			l.ended = true
			l.next = bytes.LastIndexByte(l.text, '\n')
		}
	}
	return l.next > 0 && l.text[l.next-1] == '\r'
}
