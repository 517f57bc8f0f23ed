package gitignore

import (
	"strings"

	"paddock/internal/glob/literal"
)

// A scope holds the rules that are run on one kind of text, base names or whole paths, by the fixed text that each
// demands: a rule is only looked at when its text is there.
type scope struct {
	exact   map[string]slot // patterns that are fixed text
	index   *literal.Index
	buckets []bucket // by the index
	others  sieve    // rules that demand no text
	rules   []rule
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

// A bucket is what one key of the index leads to.
type bucket struct {
	sure  slot  // patterns that ask no more than the key
	rules sieve // patterns to run
}

// last returns the last line above at of a pattern that matches text, or at.
func (s *scope) last(text string, dir bool, at int32) int32 {
	if len(s.exact) > 0 {
		if found, ok := s.exact[text]; ok {
			at = found.last(dir, at)
		}
	}
	m := matcher{text: text, dir: dir, rules: s.rules, at: at}
	if s.index != nil {
		s.index.Find(text, func(n int32) {
			b := &s.buckets[n]
			m.at = b.sure.last(dir, m.at)
			m.run(&b.rules)
		})
	}
	m.run(&s.others)
	return m.at
}

// A builder collects the rules of a scope.
type builder struct {
	names bool // the texts are base names: none holds a slash
	rules []rule
}

func (b *builder) add(r rule) { b.rules = append(b.rules, r) }

// build sorts the rules into a scope.
func (b *builder) build() scope {
	s := scope{exact: map[string]slot{}}
	// Last line first, so that each list is in the order in which it is tried, and of equal patterns the last counts.
	type entry struct {
		rule rule
		sure bool
	}
	var entries []entry
	var demands []literal.Demand
	seen := map[string]bool{}
	for i := len(b.rules) - 1; i >= 0; i-- {
		r := b.rules[i]
		if id := r.identity(); seen[id] {
			continue
		} else {
			seen[id] = true
		}
		if len(r.ops) == 1 && r.ops[0].kind == opText {
			found, ok := s.exact[r.ops[0].text]
			if !ok {
				found = noSlot
			}
			found.add(r)
			s.exact[r.ops[0].text] = found
			continue
		}
		d, sure := b.demand(r.ops)
		demands = append(demands, d)
		entries = append(entries, entry{r, sure})
	}
	if len(demands) == 0 {
		return s
	}
	index, numbers := literal.NewIndex(demands)
	s.index = index
	for i, e := range entries {
		n := numbers[i]
		for int(n) >= len(s.buckets) {
			s.buckets = append(s.buckets, bucket{sure: noSlot})
		}
		if e.sure {
			s.buckets[n].sure.add(e.rule)
			continue
		}
		id := int32(len(s.rules))
		e.rule.need, e.rule.least = needs(e.rule.ops)
		s.rules = append(s.rules, e.rule)
		if n < 0 {
			s.others.ids = append(s.others.ids, id)
			continue
		}
		s.buckets[n].rules.ids = append(s.buckets[n].rules.ids, id)
	}
	s.others.build(s.rules)
	for i := range s.buckets {
		s.buckets[i].rules.build(s.rules)
	}
	return s
}

// demand returns the fixed text that ops ask for. sure says that they ask for nothing else.
func (b *builder) demand(ops []op) (d literal.Demand, sure bool) {
	first, last := ops[0], ops[len(ops)-1]
	if len(ops) == 2 && max(len(first.text), len(last.text)) <= literal.MaxKey {
		// Of a base name a star asks nothing; of a path, to hold no slash.
		switch {
		case first.kind == opText && (last.kind == opRest || b.names && last.kind == opStar):
			return literal.Demand{Prefix: first.text}, true
		case b.names && first.kind == opStar && last.kind == opText:
			return literal.Demand{Suffix: last.text}, true
		}
	}
	if first.kind == opText {
		d.Prefix = first.text
	}
	if last.kind == opText {
		d.Suffix = last.text
	}
	for _, o := range ops {
		d.Inner = append(d.Inner, o.text)
	}
	return d, false
}

// identity is the same for rules that match the same paths.
func (r *rule) identity() string {
	var id strings.Builder
	if r.dirOnly {
		id.WriteByte('/')
	}
	for _, o := range r.ops {
		id.WriteByte(byte(o.kind))
		switch o.kind {
		case opText:
			id.WriteByte(byte(len(o.text)))
			id.WriteByte(byte(len(o.text) >> 8))
			id.WriteString(o.text)
		case opClass:
			for _, word := range o.set {
				for shift := 0; shift < 64; shift += 8 {
					id.WriteByte(byte(word >> shift))
				}
			}
		}
	}
	return id.String()
}
