package tool

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

const (
	blockSize = 1 << 20 // bytes of a file that are looked at together
	keepBack  = 16      // the part of a block that is kept for the context before a hit
	maxIdle   = 100     // reads that give nothing before a reader counts as broken
)

// hit is one line that grep shows.
type hit struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Context bool   `json:"context,omitempty"`
	Clipped bool   `json:"clipped,omitempty"`
}

// fileResult is what the search of one file came to.
type fileResult struct {
	lines   []hit
	matches int
	more    bool // there is at least one more hit than was wanted
	binary  bool
	unsure  bool // a line was too long for the expression to be tried on all of it
	stopped bool // by the clock or the caller
	err     error
	// unopened is why the file was not even opened.
	unopened error
}

// fileSearch looks for hits in one file after the other, in bounded memory
// whatever the files are. It belongs to one goroutine.
type fileSearch struct {
	matcher *matcher
	mode    string
	context int
	limit   int         // hits of one file that are wanted
	stop    func() bool // asked often; true ends the search

	buf      []byte // buf[from:to] was read and not yet searched
	from, to int
	auto     *automaton // of the matcher's expression; nil when there is none, or it gave up
	tried    bool       // to make auto
	done     bool       // all was read
	shifted  bool       // buf does not begin where the file does
	inLong   bool       // buf[from:] goes on with a line that began before
	longHit  bool       // which is of no more interest

	shower
	res fileResult
}

// search looks through one file.
func (s *fileSearch) search(r io.Reader) fileResult {
	s.run(r)
	s.res.lines = s.shown
	return s.res
}

func (s *fileSearch) run(r io.Reader) {
	if s.buf == nil {
		s.buf = make([]byte, blockSize)
	}
	s.from, s.to, s.done, s.shifted, s.inLong = 0, 0, false, false, false
	s.shower = shower{line: 1}
	s.res = fileResult{}
	if !s.tried {
		s.tried = true
		if s.matcher.prog != nil {
			s.auto = newAutomaton(s.matcher.prog)
		}
	}
	for first := true; ; first = false {
		if err := s.fill(r); err != nil {
			s.res.err = err
			return
		}
		if first {
			head := s.buf[:s.to]
			if bytes.IndexByte(head[:min(len(head), sniffed)], 0) >= 0 {
				s.res.binary = true
				return
			}
			if bytes.HasPrefix(head, bom) {
				s.from, s.counted, s.next, s.floor = len(bom), len(bom), len(bom), len(bom)
			}
		}
		if s.stop() {
			s.res.stopped = true
			return
		}
		if s.step() || s.done {
			return
		}
	}
}

// fill makes the buffer full, or reads to the end. Some of what was searched
// stays before from, for context.
func (s *fileSearch) fill(r io.Reader) error {
	keep := s.from
	if s.mode == modeContent {
		s.number(s.buf, s.from)
		if s.context > 0 {
			keep = max(0, s.from-len(s.buf)/keepBack)
		}
	}
	if keep > 0 {
		s.to = copy(s.buf, s.buf[keep:s.to])
		s.from -= keep
		s.counted -= keep
		s.next -= keep
		s.floor, s.shifted = 0, true
	}
	for idle := 0; s.to < len(s.buf) && !s.done; {
		n, err := r.Read(s.buf[s.to:])
		s.to += n
		switch {
		case errors.Is(err, io.EOF):
			s.done = true
		case err != nil:
			return err
		case n > 0:
			idle = 0
		default:
			if idle++; idle == maxIdle {
				return io.ErrNoProgress
			}
		}
	}
	return nil
}

// step searches what the buffer holds; true when enough was found.
func (s *fileSearch) step() bool {
	if s.inLong {
		end, ending := lineEnd(s.buf[s.from:s.to], s.done)
		if ending == 0 && !s.done {
			return s.piece(s.from + end)
		}
		if s.one(s.from + end) {
			return true
		}
		s.endLong(s.from + end + ending)
	}
	end := s.to
	if !s.done {
		end = s.from + lastLineEnd(s.buf[s.from:s.to])
	}
	if end > s.from || s.done {
		return s.block(end)
	}
	if s.to-s.from < len(s.buf)-len(s.buf)/keepBack {
		return false // there is room for more of it
	}
	end = s.to
	if s.buf[end-1] == '\r' {
		end-- // perhaps half of a CRLF
	}
	s.inLong, s.longHit = true, false
	if s.mode == modeContent {
		s.beginLong(s.buf[:end], s.from, s.context, s.shifted)
	}
	return s.piece(end)
}

// piece searches a part of a line that is longer than the buffer. What could
// be the beginning of a hit stays for the next part. An expression is tried on
// the first part alone.
func (s *fileSearch) piece(end int) bool {
	if s.one(end) {
		return true
	}
	if s.matcher.re != nil && !s.longHit {
		s.res.unsure, s.longHit = true, true
	}
	keep := 0
	if !s.longHit {
		keep = len(s.matcher.literal.text) - 1
	}
	s.from = max(s.from, end-keep)
	s.inside = true
	return false
}

// one searches the part of a long line up to end.
func (s *fileSearch) one(end int) bool {
	if s.longHit {
		return false
	}
	text := s.buf[s.from:end]
	at := s.candidate(text, 0)
	if at < 0 {
		return false
	}
	start, ok, whole := s.confirm(text, at)
	s.res.unsure = s.res.unsure || !whole
	if !ok {
		return false
	}
	s.longHit = true
	return s.found(s.from, end, start)
}

// endLong goes on behind a long line.
func (s *fileSearch) endLong(end int) {
	if s.mode == modeContent {
		number := s.number(s.buf, s.from)
		if !s.longHit && s.after > 0 {
			s.show(number, s.longHead, 0, true)
			s.after--
		}
		s.next = end
	}
	s.inLong = false
	s.from = end
}

// block searches the whole lines up to end.
func (s *fileSearch) block(end int) bool {
	base := s.from
	text := s.buf[base:end]
	for at, steps := 0, 0; at < len(text); steps++ {
		if steps%64 == 63 && s.stop() {
			s.res.stopped = true
			return true
		}
		c := s.candidate(text, at)
		if c < 0 {
			break
		}
		start := at + lastBreak(text[at:c]) + 1
		length, ending := lineEnd(text[start:], true)
		from, ok, whole := s.confirm(text[start:start+length], c-start)
		s.res.unsure = s.res.unsure || !whole
		if ok && s.found(base+start, base+start+length, from) {
			return true
		}
		at = start + length + ending
	}
	s.from = end
	if s.mode == modeContent {
		s.trail(s.buf, end)
	}
	return false
}

// found keeps a hit: at from in the line buf[start:end]. True when that is
// enough.
func (s *fileSearch) found(start, end, from int) bool {
	if s.mode == modeContent && !s.inLong {
		s.trail(s.buf, start)
	}
	if s.res.matches == s.limit || s.size > utf8.UTFMax*maxText { // no answer has room for more
		s.res.more = true
		return true
	}
	s.res.matches++
	switch s.mode {
	case modeFiles:
		return true
	case modeCount:
		return false
	}
	number := s.number(s.buf, start)
	if s.inLong {
		s.showLong(number, s.buf[start:end], from)
	} else {
		s.lead(s.buf, start, number, s.context, s.shifted)
		s.show(number, s.buf[start:end], from, false)
	}
	_, ending := lineEnd(s.buf[end:s.to], true)
	s.next, s.after = end+ending, s.context
	return false
}

// lastLineEnd is where the last whole line of a text ends. A CR at the end of
// the text can be half of a CRLF.
func lastLineEnd(text []byte) int { return lastBreak(bytes.TrimSuffix(text, []byte("\r"))) + 1 }
