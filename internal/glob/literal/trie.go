// Package literal finds which of many fixed strings a text begins or ends with, in time that depends on the text and not
// on how many strings there are. The pattern packages use it to look at the few patterns that could match a path instead
// of at all of them.
package literal

import (
	"bytes"
	"slices"
	"strings"
)

// A Trie holds a fixed set of keys. It is immutable and safe for concurrent use; walking it allocates nothing.
// The zero Trie holds no key.
type Trie struct {
	// Node n's children are the nodes first[n] .. first[n]+count[n]-1, and labels[c] is the byte that leads to child c.
	labels []byte
	first  []uint32
	count  []uint16
	value  []int32
	root   [256]uint32 // the root's children by byte; 0 is none, as no edge leads to the root
}

// New makes a trie of keys, which must differ from each other. The value of a key is its index. With backward set the
// keys are entered from their last byte to their first, to be walked from the end of a text.
func New(keys []string, backward bool) *Trie {
	if len(keys) == 0 {
		return &Trie{}
	}
	order := make([]int32, len(keys))
	text := make([]string, len(keys))
	for i, key := range keys {
		order[i] = int32(i)
		text[i] = key
		if backward {
			text[i] = reverse(key)
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(text[a], text[b]) })

	t := &Trie{labels: []byte{0}, first: []uint32{0}, count: []uint16{0}, value: []int32{-1}}
	// Breadth first, so that the children of a node lie side by side.
	type span struct{ lo, hi, depth int } // keys of order[lo:hi] share depth bytes
	queue := []span{{0, len(order), 0}}
	for node := 0; node < len(queue); node++ {
		s := queue[node]
		if len(text[order[s.lo]]) == s.depth {
			t.value[node] = order[s.lo]
			s.lo++
		}
		t.first[node] = uint32(len(t.labels))
		for s.lo < s.hi {
			b := text[order[s.lo]][s.depth]
			end := s.lo + 1
			for end < s.hi && text[order[end]][s.depth] == b {
				end++
			}
			if node == 0 {
				t.root[b] = uint32(len(t.labels))
			}
			t.labels = append(t.labels, b)
			t.first = append(t.first, 0)
			t.count = append(t.count, 0)
			t.value = append(t.value, -1)
			t.count[node]++
			queue = append(queue, span{s.lo, end, s.depth + 1})
			s.lo = end
		}
	}
	return t
}

// Empty reports whether the trie holds no key.
func (t *Trie) Empty() bool { return len(t.labels) == 0 }

// Step follows byte b from node, the root being node 0, and reports whether any key continues that way. The root of an
// empty trie leads nowhere.
func (t *Trie) Step(node uint32, b byte) (uint32, bool) {
	if node == 0 {
		child := t.root[b]
		return child, child != 0
	}
	lo := t.first[node]
	n := uint32(t.count[node])
	if n == 1 { // the usual case, deep in a trie
		return lo, t.labels[lo] == b
	}
	i := bytes.IndexByte(t.labels[lo:lo+n], b)
	return lo + uint32(i), i >= 0
}

// Value returns the index of the key that ends at node, or -1 when none does.
func (t *Trie) Value(node uint32) int32 {
	if len(t.value) == 0 {
		return -1
	}
	return t.value[node]
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
