package glob

import (
	"math"
	"slices"
	"strings"

	"paddock/internal/glob/literal"
)

// A Set finds the first of many globs that matches, looking only at those whose fixed text a path has. It is immutable
// and safe for concurrent use. The zero Set matches nothing.
type Set struct {
	exact   map[string]int32 // by paths without a final slash: patterns without wildcards
	index   *literal.Index
	buckets [][]int32 // entries by the index, in order
	others  []int32   // entries that demand no text, in order
	entries []entry   // in order of their globs
}

// An entry is an alternative of a glob.
type entry struct {
	glob int32
	alt  alternative
}

// NewSet makes a set of globs, which keep their indexes.
func NewSet(globs []*Glob) *Set {
	s := &Set{exact: map[string]int32{}}
	var demands []literal.Demand
	for i, g := range globs {
		for _, alt := range g.alts {
			fixed := alt.fixed()
			if path := joinParts(fixed); len(fixed) == len(alt.parts) && !alt.dirOnly {
				if _, ok := s.exact[path]; !ok {
					s.exact[path] = int32(i)
				}
				continue
			}
			s.entries = append(s.entries, entry{int32(i), alt})
			demands = append(demands, alt.demand(fixed))
		}
	}
	index, numbers := literal.NewIndex(demands)
	s.index = index
	for i, n := range numbers {
		if n < 0 {
			s.others = append(s.others, int32(i))
			continue
		}
		for int(n) >= len(s.buckets) {
			s.buckets = append(s.buckets, nil)
		}
		s.buckets[n] = append(s.buckets[n], int32(i))
	}
	return s
}

// demand returns the text that a path without a final slash must have for a to match it. fixed are a's leading
// components without wildcards.
func (a *alternative) demand(fixed []part) (d literal.Demand) {
	if len(a.parts) == 0 {
		return d
	}
	if len(fixed) > 0 {
		d.Prefix = joinParts(fixed)
	}
	if len(fixed) < len(a.parts) {
		// `/a/**` matches /a itself, all else goes on behind a slash.
		next := a.parts[len(fixed)]
		if next.kind == partWild {
			d.Prefix += "/"
			if next.ops[0].kind == opText {
				d.Prefix += next.ops[0].text
			}
		} else if len(fixed)+1 < len(a.parts) {
			d.Prefix += "/"
		}
	}
	for _, p := range slices.Backward(a.parts) {
		if p.kind == partText {
			d.Suffix = "/" + p.text + d.Suffix
			continue
		}
		if p.kind == partWild {
			if last := p.ops[len(p.ops)-1]; last.kind == opText {
				d.Suffix = last.text + d.Suffix
			}
		}
		break
	}
	for _, p := range a.parts {
		d.Inner = append(d.Inner, p.text)
		for _, o := range p.ops {
			d.Inner = append(d.Inner, o.text)
		}
	}
	return d
}

// First returns the smallest index of a glob that matches any of names, or -1. Names are as for [Glob.Match]. It
// allocates nothing, but for a name with repeated slashes.
func (s *Set) First(names ...string) int {
	best := int32(math.MaxInt32)
	for _, name := range names {
		best = s.first(name, best)
	}
	if best == math.MaxInt32 {
		return -1
	}
	return int(best)
}

// first returns the smallest index below best of a glob that matches name, or best.
func (s *Set) first(name string, best int32) int32 {
	if !strings.HasPrefix(name, "/") {
		return best
	}
	path := strings.TrimSuffix(name, "/")
	if strings.HasSuffix(path, "/") || strings.Contains(path, "//") {
		return s.slow(name, best)
	}
	if path == "" {
		path = "/"
	}
	if found, ok := s.exact[path]; ok {
		best = min(best, found)
	}
	if s.index != nil {
		s.index.Find(path, func(n int32) { best = s.try(s.buckets[n], name, best) })
	}
	return s.try(s.others, name, best)
}

// slow is first for a name with repeated slashes, which the indexes don't know.
func (s *Set) slow(name string, best int32) int32 {
	one := make([]byte, 0, len(name))
	for i := range len(name) {
		if name[i] != '/' || i == 0 || name[i-1] != '/' {
			one = append(one, name[i])
		}
	}
	return s.first(string(one), best)
}

// try returns the smallest glob below best of the entries that match name, or best.
func (s *Set) try(entries []int32, name string, best int32) int32 {
	for _, i := range entries {
		e := &s.entries[i]
		if e.glob >= best {
			break
		}
		if e.alt.match(name) {
			return e.glob
		}
	}
	return best
}
