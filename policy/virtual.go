package policy

import "strings"

// Virtual is the path by which a tool names an object: one that Decide leads
// back to it. "" when the object lies outside every entry.
func (p *Policy) Virtual(real string) string {
	if p.root == nil {
		return EncodeName(real)
	}
	m := p.cover(real)
	if m == nil {
		return ""
	}
	rest := strings.TrimPrefix(real[len(m.real):], "/")
	spelling := ""
	for plain := range m.spellings(rest) {
		spelling = EncodeName(plain)
		if _, ok := form(spelling); ok && p.leadsTo(spelling, m, rest) {
			return spelling
		}
	}
	return spelling // too long to be taken back; a real path is told to nobody
}

// leadsTo tells whether a spelling is taken for a name in an entry, and not for
// one in another that is called so.
func (p *Policy) leadsTo(spelling string, m *mount, rest string) bool {
	a := p.address(DecodeName(spelling))
	taken := strings.Trim(a.rest, "/")
	return a.real == m.real && taken == rest || below(a.real, taken) == below(m.real, rest)
}

// spellings yields the ways to write a name in an entry, the plainest first.
// The plain ones can be taken already: by a slug, or by an entry whose real
// path begins so.
func (m *mount) spellings(rest string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, slug := range m.slugs {
			if slug == RootSlug && !yield("/"+rest) {
				return
			}
		}
		for _, slug := range m.slugs {
			if !yield(strings.TrimSuffix("/"+slug+"/"+rest, "/")) || !yield(strings.TrimSuffix(slug+"/"+rest, "/")) {
				return
			}
		}
	}
}
