package gitignore

import "math/bits"

// A sieve holds rules, the last line first, and for many of them which could match a text that begins and ends with
// given bytes. It is for lists whose patterns have no fixed text to be found by.
type sieve struct {
	ids         []int32
	first, last [][]uint64 // by byte: the places in ids, as a bit set; nil when there are few rules
}

// few is the number of rules that it costs less to look at than to sieve.
const few = 32

// build fills in the bit sets.
func (s *sieve) build(rules []rule) {
	if len(s.ids) <= few {
		return
	}
	words := (len(s.ids) + 63) / 64
	s.first, s.last = make([][]uint64, 256), make([][]uint64, 256)
	all := make([]uint64, 2*256*words)
	for b := range 256 {
		s.first[b], all = all[:words:words], all[words:]
		s.last[b], all = all[:words:words], all[words:]
	}
	for at, id := range s.ids {
		ops := rules[id].ops
		front, back := edge(ops[0], 0), edge(ops[len(ops)-1], -1)
		for b := range 256 {
			if front.has(byte(b)) {
				s.first[b][at/64] |= 1 << (at % 64)
			}
			if back.has(byte(b)) {
				s.last[b][at/64] |= 1 << (at % 64)
			}
		}
	}
}

// edge returns the bytes with which a text may begin, or end with end -1, if o is the step there.
func edge(o op, end int) (s set) {
	switch o.kind {
	case opText:
		s.add(o.text[(len(o.text)+end)%len(o.text)])
	case opClass:
		s = *o.set
	default:
		s.invert()
	}
	return s
}

// A matcher runs rules on one text.
type matcher struct {
	text  string // not empty
	dir   bool
	rules []rule
	at    int32  // the last line that matched so far, or -1
	has   uint64 // byteMask(text), once it is worth its price
}

// run looks for a later line among the rules of s.
func (m *matcher) run(s *sieve) {
	if len(s.ids) > 4 && m.has == 0 {
		m.has = byteMask(m.text)
	}
	if s.first == nil {
		for _, id := range s.ids {
			if m.done(&m.rules[id]) {
				return
			}
		}
		return
	}
	first, last := s.first[m.text[0]], s.last[m.text[len(m.text)-1]]
	for w := range first {
		for set := first[w] & last[w]; set != 0; set &= set - 1 {
			if m.done(&m.rules[s.ids[w*64+bits.TrailingZeros64(set)]]) {
				return
			}
		}
	}
}

// done tries a rule and reports whether none of those before it can count any more.
func (m *matcher) done(r *rule) bool {
	if r.line <= m.at {
		return true
	}
	if r.dirOnly && !m.dir || int(r.least) > len(m.text) || m.has != 0 && r.need&^m.has != 0 {
		return false
	}
	if !run(r.ops, m.text) {
		return false
	}
	m.at = r.line
	return true
}

// needs returns the bytes that a text must hold to be matched by ops, and how many it must have at least.
func needs(ops []op) (mask uint64, least int32) {
	for _, o := range ops {
		switch o.kind {
		case opText:
			mask |= byteMask(o.text)
			least += int32(len(o.text))
		case opAny, opClass, opUnder:
			least++
		}
	}
	return mask, least
}

// byteMask has a bit for each byte of text. Small letters, digits and punctuation don't share bits, others may.
func byteMask(text string) uint64 {
	var mask uint64
	for i := 0; i < len(text); i++ {
		b := text[i]
		bit := b & 0x1f
		if b < 0x60 {
			bit |= 0x20
		}
		mask |= 1 << bit
	}
	return mask
}
