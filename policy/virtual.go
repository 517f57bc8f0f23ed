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
	for _, spelling = range m.spellings(rest) {
		spelling = EncodeName(spelling)
		if _, ok := form(spelling); !ok {
			continue
		}
		a := p.address(DecodeName(spelling))
		if below(a.real, strings.Trim(a.rest, "/")) == below(m.real, rest) {
			return spelling
		}
	}
	return spelling // too long to be taken back; a real path is told to nobody
}

// spellings are the ways to write a name in an entry, the plainest first. The
// plain ones can be taken already: by a slug, or by an entry whose real path
// begins so.
func (m *mount) spellings(rest string) []string {
	var all []string
	for _, slug := range m.slugs {
		if slug == RootSlug {
			all = append(all, "/"+rest)
		}
	}
	for _, slug := range m.slugs {
		all = append(all, strings.TrimSuffix("/"+slug+"/"+rest, "/"), strings.TrimSuffix(slug+"/"+rest, "/"))
	}
	return all
}
