package policy

import (
	"fmt"
	"strings"
	"sync"

	"paddock/internal/glob"
)

// rules is a compiled rule list: for each operation its globs in order, so
// that the first glob that matches belongs to the first rule that does.
type rules struct {
	read, write ruleSet
}

type ruleSet struct {
	set   *glob.Set // nil: no rule covers the operation
	globs []*glob.Glob
	from  []ruleGlob // of each glob
	dirs  bool       // some glob ends in a slash: it matches folders alone
}

type ruleGlob struct {
	mode    Mode
	address string
	text    string
}

func (p *Policy) compileRules(list []Rule) (rules, error) {
	var r rules
	for i, rule := range list {
		for j, text := range rule.Paths {
			from := ruleGlob{rule.Mode, fmt.Sprintf("rules[%d].paths[%d]", i, j), fmt.Sprintf("rule %s: %s", rule.Mode.word(), text)}
			for _, form := range p.globForms(text) {
				g, err := glob.Compile(form)
				if err != nil {
					return r, fmt.Errorf("%s: %w", from.address, err)
				}
				for _, op := range rule.Operations {
					s := &r.read
					if op == OpWrite {
						s = &r.write
					}
					s.globs, s.from, s.dirs = append(s.globs, g), append(s.from, from), s.dirs || g.DirOnly()
				}
			}
		}
	}
	for _, s := range []*ruleSet{&r.read, &r.write} {
		if len(s.globs) > 0 {
			s.set = glob.NewSet(s.globs)
		}
	}
	return r, nil
}

func (m Mode) word() Mode {
	if m == "" {
		return ModeAllow
	}
	return m
}

// globForms are the ways to read a glob. One that begins with an entry's real
// path is also read with the entry's virtual name in its place, which is what
// objects are compared by. It keeps its own form too: a real path may look
// like the name of another entry, and a rule must not lose what it denies.
func (p *Policy) globForms(text string) []string {
	var best *mount
	for real, m := range p.mounts {
		if within(text, real) && (best == nil || len(real) > len(best.real)) {
			best = m
		}
	}
	if best == nil {
		return []string{text}
	}
	return []string{text, "/" + best.slugs[0] + "/" + strings.TrimLeft(text[len(best.real):], "/")}
}

// first finds the rule that decides an object by its names.
func (s *ruleSet) first(n *names, dir bool) (ruleGlob, bool) {
	plain := len(n.list)
	if dir && s.dirs {
		for _, name := range n.list[:plain] {
			n.add(name, "/")
		}
	}
	i := s.set.First(n.list...)
	n.list = n.list[:plain]
	if i < 0 {
		return ruleGlob{}, false
	}
	return s.from[i], true
}

// sets yields the rule sets that a permission asks: READ is read, WRITE and
// DELETE are write, EXECUTE is not covered.
func (r *rules) sets(perm Permission, yield func(*ruleSet) bool) bool {
	if perm&Read != 0 && r.read.set != nil && !yield(&r.read) {
		return false
	}
	return perm&(Write|Delete) == 0 || r.write.set == nil || yield(&r.write)
}

// names is a reusable list of an object's names for rules.
type names struct {
	list []string
	text []byte
}

var namesPool = sync.Pool{New: func() any { return new(names) }}

// namesOf lists the names that rules know an object by: /<slug>/rest for each
// entry that covers it, and /rest for the root entry unless a slug shadows
// it. With unrestricted paths it is the absolute path. The caller gives the
// list back to the pool and keeps none of the names.
func (p *Policy) namesOf(m *mount, real string) *names {
	n := namesPool.Get().(*names)
	n.list, n.text = n.list[:0], n.text[:0]
	if m == nil {
		n.list = append(n.list, real)
		return n
	}
	for ; m != nil; m = m.parent {
		rest := real[len(m.real):]
		if m.real == "/" {
			rest = real
		}
		for _, slug := range m.slugs {
			if rest == "/" {
				rest = ""
			}
			n.add("/", slug, rest)
			if slug != RootSlug {
				continue
			}
			switch {
			case rest == "":
				n.list = append(n.list, "/")
			case p.slugs[firstSegment(rest)] == nil:
				n.list = append(n.list, rest)
			}
		}
	}
	return n
}

// add makes a name in the list's own buffer. An earlier name keeps the buffer
// it was made in when append moves on to a larger one.
func (n *names) add(parts ...string) {
	start := len(n.text)
	for _, part := range parts {
		n.text = append(n.text, part...)
	}
	n.list = append(n.list, borrow(n.text[start:]))
}

func firstSegment(path string) string {
	path = strings.TrimLeft(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return path
}
