package literal

import "slices"

// A Demand is the fixed text that something asks of a text before it is worth a closer look: what the text must begin
// with, end with, and hold anywhere. An empty field asks nothing.
type Demand struct {
	Prefix, Suffix string
	Inner          []string
}

// MaxKey is how many bytes of a demanded text an index looks at: what is found may still lack the rest of a longer one.
// It bounds the memory that long texts cost.
const MaxKey = 48

// An Index finds the demands that a text may meet, each by the one of its texts that the fewest others share. It is
// immutable and safe for concurrent use.
type Index struct {
	prefix, suffix, inner                   *Trie
	prefixBucket, suffixBucket, innerBucket []int32 // by the tries' values
}

type field uint8

const (
	none field = iota
	prefix
	suffix
	inner
)

type key struct {
	field field
	text  string
}

// NewIndex makes an index of demands. Those found by the same key share a bucket: the second result names each demand's,
// from 0 up. A demand that asks for nothing has bucket -1, and its owner has to be looked at for each text.
func NewIndex(demands []Demand) (*Index, []int32) {
	shared := map[key]int{}
	for _, d := range demands {
		for _, k := range d.keys() {
			shared[k]++
		}
	}
	numbers := map[key]int32{}
	buckets := make([]int32, len(demands))
	for i, d := range demands {
		k := d.rarest(shared)
		if k.field == none {
			buckets[i] = -1
			continue
		}
		n, ok := numbers[k]
		if !ok {
			n = int32(len(numbers))
			numbers[k] = n
		}
		buckets[i] = n
	}
	ix := new(Index)
	ix.prefix, ix.prefixBucket = trieOf(numbers, prefix)
	ix.suffix, ix.suffixBucket = trieOf(numbers, suffix)
	ix.inner, ix.innerBucket = trieOf(numbers, inner)
	return ix, buckets
}

func (d Demand) keys() []key {
	var keys []key
	if d.Prefix != "" {
		keys = append(keys, key{prefix, d.Prefix[:min(len(d.Prefix), MaxKey)]})
	}
	if d.Suffix != "" {
		keys = append(keys, key{suffix, d.Suffix[max(0, len(d.Suffix)-MaxKey):]})
	}
	for _, text := range d.Inner {
		if k := (key{inner, text[:min(len(text), MaxKey)]}); text != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// innerCost is how many more demands a key may bring along before one inside of the text is better: that has to be
// looked for at each byte.
const innerCost = 24

func (d Demand) rarest(shared map[key]int) (best key) {
	least := 0
	for _, k := range d.keys() {
		cost := shared[k]
		if k.field == inner {
			cost += innerCost
		}
		if best.field == none || cost < least {
			best, least = k, cost
		}
	}
	return best
}

func trieOf(numbers map[key]int32, f field) (*Trie, []int32) {
	var texts []string
	for k := range numbers {
		if k.field == f {
			texts = append(texts, k.text)
		}
	}
	slices.Sort(texts)
	buckets := make([]int32, len(texts))
	for i, text := range texts {
		buckets[i] = numbers[key{f, text}]
	}
	return New(texts, f == suffix), buckets
}

// Find calls found with each bucket whose key text has, in no particular order; with the same one again if a longer inner
// key occurs again. It allocates nothing if found does not.
func (ix *Index) Find(text string, found func(bucket int32)) {
	if t := ix.prefix; !t.Empty() {
		for node, i := uint32(0), 0; i < len(text); i++ {
			next, ok := t.Step(node, text[i])
			if !ok {
				break
			}
			if v := t.Value(next); v >= 0 {
				found(ix.prefixBucket[v])
			}
			node = next
		}
	}
	if t := ix.suffix; !t.Empty() {
		for node, i := uint32(0), len(text)-1; i >= 0; i-- {
			next, ok := t.Step(node, text[i])
			if !ok {
				break
			}
			if v := t.Value(next); v >= 0 {
				found(ix.suffixBucket[v])
			}
			node = next
		}
	}
	if t := ix.inner; !t.Empty() {
		var seen [4]uint64 // a key of one byte is found where that byte comes first
		for from := range len(text) {
			first := text[from]
			again := seen[first>>6]&(1<<(first&63)) != 0
			seen[first>>6] |= 1 << (first & 63)
			for node, i := uint32(0), from; i < len(text); i++ {
				next, ok := t.Step(node, text[i])
				if !ok {
					break
				}
				if v := t.Value(next); v >= 0 && !(again && i == from) {
					found(ix.innerBucket[v])
				}
				node = next
			}
		}
	}
}
