package policy

// Verdict is the answer to a request.
type Verdict uint8

// The verdicts. The zero Verdict is Deny, so that a forgotten answer is one.
const (
	Deny Verdict = iota
	Ask
	Allow
)

func (v Verdict) String() string { return [...]string{"deny", "ask", "allow"}[v] }

// MarshalText writes the verdict as explain prints it.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// ruling is what one context says of one object.
type ruling struct {
	verdict Verdict
	kind    Kind
	lines   []line // what spoke; nil when simply allowed
}

// rule judges one object by one context: own files, patterns, rules, entry
// rights, in that order. perm None asks for any right at all.
func (p *Policy) rule(real string, node Node, perm Permission, withRules bool) ruling {
	if text := p.own.deny(real, perm); text != "" {
		return ruling{Deny, PathAccessDenied, []line{{"", text}}}
	}
	m := p.cover(real)
	if p.root != nil && m == nil {
		return ruling{Deny, PathAccessDenied, []line{{"paths", "outside every entry of paths"}}}
	}
	if at, denied := p.shut(m, real, node.Kind == Dir); denied {
		return ruling{Deny, PathAccessDenied, []line{at}}
	}
	if perm == None {
		return p.anyRight(m, real, node, withRules)
	}
	var asks []line
	if withRules {
		mode, lines := p.ruled(m, real, node.Kind == Dir, perm)
		if mode == ModeDeny {
			return ruling{Deny, PathAccessDenied, lines}
		}
		asks = lines
	}
	allowed, required, denied := p.rights(m)
	switch {
	case denied.set&perm != 0:
		return ruling{Deny, PathAccessDenied, denied.lines}
	case !allowed.set.Has(perm):
		return ruling{Deny, PermissionDenied, allowed.lines}
	}
	if required.set&perm != 0 {
		asks = append(asks, required.lines...)
	}
	if len(asks) > 0 {
		return ruling{Ask, "", asks}
	}
	return ruling{verdict: Allow}
}

// ruled finds what the rules say of an object: deny, interrupt, or nothing.
func (p *Policy) ruled(m *mount, real string, dir bool, perm Permission) (Mode, []line) {
	if p.rules.read.set == nil && p.rules.write.set == nil {
		return ModeAllow, nil
	}
	n := p.namesOf(m, real)
	defer namesPool.Put(n)
	mode, lines := ModeAllow, []line(nil)
	p.rules.sets(perm, func(s *ruleSet) bool {
		from, found := s.first(n, dir)
		switch {
		case found && from.mode == ModeDeny:
			mode, lines = ModeDeny, []line{{from.address, from.text}}
			return false
		case found && from.mode == ModeInterrupt:
			mode, lines = ModeInterrupt, append(lines, line{from.address, from.text})
		}
		return true
	})
	return mode, lines
}

// rights are what the governing entry says after inheritance; without entries
// the context's own.
func (p *Policy) rights(m *mount) (allowed, required, denied granted) {
	if m == nil {
		return p.contextDefault("permissions", p.permission), p.contextDefault("require_approval_for", p.approval), granted{}
	}
	return m.allowed, m.required, m.denied
}

// anyRight judges stat, access and readlink: any right will do, and a folder
// below which there may be one.
func (p *Policy) anyRight(m *mount, real string, node Node, withRules bool) ruling {
	if p.held(m, real, node.Kind == Dir, withRules) != None || node.Kind == Dir && p.mayGrantBelow(m, real, withRules) {
		return ruling{verdict: Allow}
	}
	allowed, _, denied := p.rights(m)
	if set := allowed.set &^ denied.set; set != None {
		// The entry grants something; it is what Paddock lives on, or the
		// rules, that leave nothing.
		if text := p.own.deny(real, set); text != "" {
			return ruling{Deny, PathAccessDenied, []line{{"", text}}}
		}
		_, lines := p.ruled(m, real, node.Kind == Dir, set)
		return ruling{Deny, PathAccessDenied, lines}
	}
	if denied.set != None {
		return ruling{Deny, PathAccessDenied, denied.lines}
	}
	return ruling{Deny, PermissionDenied, allowed.lines}
}

// held are the rights on an object that patterns do not shut, approval or not.
func (p *Policy) held(m *mount, real string, dir, withRules bool) Permission {
	allowed, _, denied := p.rights(m)
	set := allowed.set &^ denied.set
	for _, right := range [...]Permission{Write, Delete} {
		if set&right != 0 && p.own.deny(real, right) != "" {
			set &^= right
		}
	}
	if !withRules || p.rules.read.set == nil && p.rules.write.set == nil {
		return set
	}
	if set&Read != 0 {
		if mode, _ := p.ruled(m, real, dir, Read); mode == ModeDeny {
			set &^= Read
		}
	}
	if set&(Write|Delete) != 0 {
		if mode, _ := p.ruled(m, real, dir, Write); mode == ModeDeny {
			set &^= Write | Delete
		}
	}
	return set
}

// closedLink tells whether some context of the chain denies a link that is to
// be followed.
func (p *Policy) closedLink(link string, perm Permission) bool {
	for q, withRules := range p.chain {
		if q.ruleLink(link, perm, withRules).verdict == Deny {
			return true
		}
	}
	return false
}

// closed tells whether a context of the chain leaves nothing of an object and
// of what is below it. Nothing may be told of what lies beyond.
func (p *Policy) closed(w walked) bool {
	for q, withRules := range p.chain {
		m := q.cover(w.real)
		if q.root != nil && m == nil {
			if q.above[w.real] {
				continue
			}
			return true
		}
		if _, denied := q.shut(m, w.real, w.node.Kind != File); denied || q.own.private(w.real) {
			return true
		}
		if q.held(m, w.real, w.node.Kind == Dir, withRules) == None && !q.mayGrantBelow(m, w.real, withRules) {
			return true
		}
	}
	return false
}
