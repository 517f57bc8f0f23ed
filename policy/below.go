package policy

import "slices"

// mayGrantBelow tells whether some name below a folder may hold a right: an
// entry in it grants one, or a rule lets something through. It may say yes
// where there is nothing; it never says no where there is something.
func (p *Policy) mayGrantBelow(m *mount, dir string, withRules bool) bool {
	allowed, _, denied := p.rights(m)
	set := allowed.set &^ denied.set
	if set&Execute != 0 || !withRules && set != None {
		return true // rules do not cover EXECUTE
	}
	if set&Read != 0 && p.letsThrough(&p.rules.read, m, dir) || set&(Write|Delete) != 0 && p.letsThrough(&p.rules.write, m, dir) {
		return true
	}
	if !p.above[dir] {
		return false
	}
	for real, nested := range p.mounts {
		if len(real) > len(dir) && within(real, dir) && nested.allowed.set&^nested.denied.set != None {
			return true
		}
	}
	return false
}

// letsThrough tells whether a rule list may leave something below a folder
// undenied: some rule before the one that denies all of it may match there,
// or none denies all of it.
func (p *Policy) letsThrough(s *ruleSet, m *mount, dir string) bool {
	if s.set == nil {
		return true
	}
	n := p.namesOf(m, dir)
	defer namesPool.Put(n)
	for i, g := range s.globs {
		for _, name := range n.list {
			switch {
			case s.from[i].mode == ModeDeny:
				if g.CoversTree(name) {
					return false
				}
			case g.MayMatchBelow(name):
				return true
			}
		}
	}
	return true
}

// Uniform tells whether every object below a folder surely has the folder's
// own verdict for the rights, in every context of the chain: no pattern, rule,
// entry or own file makes a difference there. A walk then need not judge each
// name.
func (p *Policy) Uniform(dir string) bool {
	for q := range p.chain {
		m := q.cover(dir)
		if q.lists != nil || q.rules.read.set != nil || q.rules.write.set != nil || q.above[dir] || q.root != nil && m == nil || q.own.touches(dir) {
			return false
		}
		for ; m != nil; m = m.parent {
			if len(m.lists) > 0 {
				return false
			}
		}
	}
	return true
}

// MayDenyBelow answers for a folder whose content cannot be enumerated:
// whether something below it might be denied WRITE or DELETE. It says yes when
// unsure. Rules are compared by their geometry alone, as the rules model
// does; their order does not count.
func (p *Policy) MayDenyBelow(dir string) bool {
	for q, withRules := range p.chain {
		m := q.cover(dir)
		if q.above[dir] || q.own.touches(dir) || q.lists != nil || q.root != nil && m == nil {
			return true
		}
		for above := m; above != nil; above = above.parent {
			if len(above.lists) > 0 {
				return true
			}
		}
		if withRules && q.ruleMayDeny(m, dir) {
			return true
		}
	}
	return false
}

func (p *Policy) ruleMayDeny(m *mount, dir string) bool {
	n := p.namesOf(m, dir)
	defer namesPool.Put(n)
	for i, g := range p.rules.write.globs {
		if p.rules.write.from[i].mode != ModeDeny {
			continue
		}
		for _, name := range n.list {
			if g.DeleteBlocked(name) {
				return true
			}
		}
	}
	return false
}

// AskBelow tells whether reading on below a folder may come to something that
// needs approval, and which lines say so. A tool that walks asks once, before
// it begins, about all that it may meet.
func (p *Policy) AskBelow(dir string, perm Permission) (Decision, bool) {
	d := Decision{Request: Request{Perm: perm}, Verdict: Allow, Real: dir, Node: Node{Kind: Dir}, policy: p}
	for q, withRules := range p.chain {
		m := q.cover(dir)
		for _, l := range q.askLines(m, dir, perm, withRules) {
			d.Verdict = Ask
			if at := (spoken{q, l}); !slices.Contains(d.spoken, at) {
				d.spoken = append(d.spoken, at)
			}
		}
	}
	return d, d.Verdict == Ask
}

func (p *Policy) askLines(m *mount, dir string, perm Permission, withRules bool) []line {
	var lines []line
	allowed, required, _ := p.rights(m)
	if required.set&allowed.set&perm != 0 {
		lines = append(lines, required.lines...)
	}
	if p.above[dir] {
		for real, nested := range p.mounts {
			if len(real) > len(dir) && within(real, dir) && nested.required.set&nested.allowed.set&perm != 0 {
				lines = append(lines, nested.required.lines...)
			}
			if len(real) > len(dir) && within(real, dir) && withRules {
				lines = append(lines, p.ruleAsks(nested, real, perm)...)
			}
		}
	}
	if withRules {
		lines = append(lines, p.ruleAsks(m, dir, perm)...)
	}
	return lines
}

// ruleAsks are the interrupt rules that may match below a folder, by the names
// it has.
func (p *Policy) ruleAsks(m *mount, dir string, perm Permission) []line {
	var lines []line
	n := p.namesOf(m, dir)
	defer namesPool.Put(n)
	p.rules.sets(perm, func(s *ruleSet) bool {
		lines = append(lines, s.interrupts(n.list)...)
		return true
	})
	return lines
}

// interrupts lists the interrupt rules that may match below a folder before a
// rule that decides all of it.
func (s *ruleSet) interrupts(names []string) []line {
	var lines []line
	for i, g := range s.globs {
		for _, name := range names {
			switch {
			case s.from[i].mode != ModeInterrupt:
				if g.CoversTree(name) {
					return lines
				}
			case g.MayMatchBelow(name):
				lines = append(lines, line{s.from[i].address, s.from[i].text})
			}
		}
	}
	return lines
}
