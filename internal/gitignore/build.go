package gitignore

import (
	"cmp"
	"slices"
	"strings"

	"paddock/internal/glob/literal"
)

// A builder collects the rules of a scope.
type builder struct {
	names bool // the texts are base names: none holds a slash
	rules []rule
}

func (b *builder) add(r rule) { b.rules = append(b.rules, r) }

// keyKind says which index a key belongs to.
type keyKind uint8

const (
	keyNone keyKind = iota
	keyPrefix
	keySuffix
	keyInner
)

type key struct {
	kind keyKind
	text string
}

// build sorts the rules into the scope's indexes.
func (b *builder) build() scope {
	s := scope{exact: map[string]slot{}, used: len(b.rules) > 0}

	// How many rules share a key says how much work is left when it is found.
	shared := map[key]int{}
	for i := range b.rules {
		r := &b.rules[i]
		for _, k := range keys(r.ops) {
			shared[k]++
		}
		for _, o := range r.ops {
			r.need |= byteMask(o.text)
		}
	}

	byKey := map[key]*bucket{}
	// Last line first, so that each list is in the order in which it is tried, and of equal patterns the last counts.
	seen := map[string]bool{}
	var id strings.Builder
	for i := len(b.rules) - 1; i >= 0; i-- {
		r := b.rules[i]
		if len(r.ops) == 1 && r.ops[0].kind == opText {
			found, ok := s.exact[r.ops[0].text]
			if !ok {
				found = noSlot
			}
			found.add(r)
			s.exact[r.ops[0].text] = found
			continue
		}
		if k, ok := b.sureKey(r.ops); ok {
			bucketOf(byKey, k).sure.add(r)
			continue
		}
		id.Reset()
		identify(&id, r)
		if seen[id.String()] {
			continue
		}
		seen[id.String()] = true
		at := int32(len(s.rules))
		s.rules = append(s.rules, r)
		k := choose(keys(r.ops), shared)
		if k.kind == keyNone {
			s.others = append(s.others, at)
			continue
		}
		to := bucketOf(byKey, k)
		to.rules = append(to.rules, at)
	}
	s.prefix = newIndex(byKey, keyPrefix)
	s.suffix = newIndex(byKey, keySuffix)
	s.inner = newIndex(byKey, keyInner)
	return s
}

func bucketOf(m map[key]*bucket, k key) *bucket {
	b := m[k]
	if b == nil {
		b = &bucket{sure: noSlot}
		m[k] = b
	}
	return b
}

func newIndex(byKey map[key]*bucket, kind keyKind) index {
	var texts []string
	for k := range byKey {
		if k.kind == kind {
			texts = append(texts, k.text)
		}
	}
	slices.Sort(texts)
	ix := index{trie: literal.New(texts, kind == keySuffix), keys: make([]bucket, len(texts))}
	for i, text := range texts {
		ix.keys[i] = *byKey[key{kind, text}]
	}
	return ix
}

// keys lists the fixed texts that a text must have to be matched by ops: at its start, at its end, and the longest inside.
func keys(ops []op) []key {
	var all []key
	if first := ops[0]; first.kind == opText {
		all = append(all, key{keyPrefix, first.text})
	}
	if last := ops[len(ops)-1]; last.kind == opText {
		all = append(all, key{keySuffix, last.text})
	}
	longest := ""
	for _, o := range ops {
		if len(o.text) > len(longest) {
			longest = o.text
		}
	}
	if longest != "" {
		all = append(all, key{keyInner, longest})
	}
	return all
}

// choose picks the key with the least work behind it. An inner one is looked for at each byte of the text, so it has to
// be much rarer than the others.
func choose(all []key, shared map[key]int) key {
	if len(all) == 0 {
		return key{}
	}
	cost := func(k key) int {
		if k.kind == keyInner {
			return shared[k] + 24
		}
		return shared[k]
	}
	return slices.MinFunc(all, func(a, b key) int { return cmp.Compare(cost(a), cost(b)) })
}

// sureKey returns the key that is all that ops ask for. Of a base name a star asks nothing; of a path, to hold no slash.
func (b *builder) sureKey(ops []op) (key, bool) {
	if len(ops) != 2 {
		return key{}, false
	}
	switch first, last := ops[0], ops[1]; {
	case first.kind == opText && (last.kind == opRest || b.names && last.kind == opStar):
		return key{keyPrefix, first.text}, true
	case b.names && first.kind == opStar && last.kind == opText:
		return key{keySuffix, last.text}, true
	}
	return key{}, false
}

// identify writes what r matches, the same for rules that match the same.
func identify(to *strings.Builder, r rule) {
	if r.dirOnly {
		to.WriteByte('/')
	}
	for _, o := range r.ops {
		to.WriteByte(byte(o.kind))
		switch o.kind {
		case opText:
			to.WriteByte(byte(len(o.text)))
			to.WriteByte(byte(len(o.text) >> 8))
			to.WriteString(o.text)
		case opClass:
			for _, word := range o.set {
				for shift := 0; shift < 64; shift += 8 {
					to.WriteByte(byte(word >> shift))
				}
			}
		}
	}
}
