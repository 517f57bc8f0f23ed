package gitignore

import (
	"paddock/internal/glob/literal"
)

// A scope holds the rules that are run on one kind of text, base names or whole paths, by the fixed text that each
// demands: a rule is only looked at when its text is there.
type scope struct {
	exact  map[string]slot // the pattern is fixed text
	prefix index           // by what a text must begin with
	suffix index           // by what a text must end with
	inner  index           // by what a text must hold
	rules  []rule
	others []int32 // rules that demand no text, last line first
	used   bool
}

// A slot holds the last lines of the patterns that match without being run; -1 is none.
type slot struct {
	any int32 // whatever the path is
	dir int32 // if it is a directory
}

var noSlot = slot{-1, -1}

func (s *slot) add(r rule) {
	if r.dirOnly {
		s.dir = max(s.dir, r.line)
	} else {
		s.any = max(s.any, r.line)
	}
}

// last returns the greater of at and the slot's line for a path of this kind.
func (s *slot) last(dir bool, at int32) int32 {
	if dir {
		at = max(at, s.dir)
	}
	return max(at, s.any)
}

// An index holds rules by a key.
type index struct {
	trie *literal.Trie
	keys []bucket
}

// A bucket is what one key leads to.
type bucket struct {
	sure  slot    // patterns that ask no more than the key
	rules []int32 // patterns to run, last line first
}

// last returns the last line above at of a pattern that matches text, or at.
func (s *scope) last(text string, dir bool, at int32) int32 {
	if !s.used {
		return at
	}
	if len(s.exact) > 0 {
		if found, ok := s.exact[text]; ok {
			at = found.last(dir, at)
		}
	}
	m := matcher{text: text, dir: dir, rules: s.rules}
	if t := s.prefix.trie; !t.Empty() {
		for node, i, ok := uint32(0), 0, true; ; i++ {
			if v := t.Value(node); v >= 0 {
				at = m.last(&s.prefix.keys[v], at)
			}
			if i == len(text) {
				break
			}
			if node, ok = t.Step(node, text[i]); !ok {
				break
			}
		}
	}
	if t := s.suffix.trie; !t.Empty() {
		for node, i, ok := uint32(0), len(text)-1, true; ; i-- {
			if v := t.Value(node); v >= 0 {
				at = m.last(&s.suffix.keys[v], at)
			}
			if i < 0 {
				break
			}
			if node, ok = t.Step(node, text[i]); !ok {
				break
			}
		}
	}
	if t := s.inner.trie; !t.Empty() {
		for from := range len(text) {
			for node, i, ok := uint32(0), from, true; i < len(text); i++ {
				if node, ok = t.Step(node, text[i]); !ok {
					break
				}
				if v := t.Value(node); v >= 0 {
					at = m.last(&s.inner.keys[v], at)
				}
			}
		}
	}
	return m.run(s.others, at)
}

// A matcher runs rules on one text.
type matcher struct {
	text  string
	dir   bool
	rules []rule
	has   uint64 // byteMask(text), once it is worth its price
}

func (m *matcher) last(b *bucket, at int32) int32 {
	return m.run(b.rules, b.sure.last(m.dir, at))
}

// run returns the line of the first of rules that matches, if that is above at. rules are sorted, the last line first.
func (m *matcher) run(rules []int32, at int32) int32 {
	if len(rules) > 4 && m.has == 0 {
		m.has = byteMask(m.text)
	}
	for _, id := range rules {
		r := &m.rules[id]
		if r.line <= at {
			break
		}
		if r.dirOnly && !m.dir || m.has != 0 && r.need&^m.has != 0 {
			continue
		}
		if run(r.ops, m.text) {
			return r.line
		}
	}
	return at
}

// byteMask has a bit for each byte of text; several bytes share a bit.
func byteMask(text string) uint64 {
	var mask uint64
	for i := 0; i < len(text); i++ {
		mask |= 1 << (text[i] & 63)
	}
	return mask
}
