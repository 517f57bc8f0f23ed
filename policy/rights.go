package policy

// Rights are the rights on an object that every context of the chain grants,
// whether they need approval or not. The real path holds no link.
func (p *Policy) Rights(real string, node Node) Permission {
	set := All
	lifted := false
	for q := p; q != nil; q = q.parent {
		m := q.cover(real)
		if q.root != nil && m == nil || q.own.private(real) {
			return None
		}
		if _, denied := q.shut(m, real, node.Kind == Dir); denied {
			return None
		}
		set &= q.held(m, real, node.Kind == Dir, !lifted)
		lifted = q.liftRules
	}
	return set
}

// Visible tells whether a listing shows the object's name: it has some right
// left, or it is a folder below which there may be one.
func (p *Policy) Visible(real string, node Node) bool {
	return p.Rights(real, node) != None || node.Kind == Dir && p.passes(real)
}

// SearchOnly tells whether a folder is passed through by name but not listed:
// READ is denied and something below it may be granted.
func (p *Policy) SearchOnly(real string) bool {
	return p.Rights(real, Node{Kind: Dir})&Read == 0 && p.passes(real)
}

// passes tells whether no context shuts the folder and each may grant
// something below it.
func (p *Policy) passes(dir string) bool {
	lifted := false
	for q := p; q != nil; q = q.parent {
		m := q.cover(dir)
		if q.root != nil && m == nil {
			if !q.above[dir] {
				return false
			}
			continue
		}
		if _, denied := q.shut(m, dir, true); denied || q.own.private(dir) || !q.mayGrantBelow(m, dir, !lifted) {
			return false
		}
		lifted = q.liftRules
	}
	return true
}

// Gains tells which rights an object would have under another name that it
// has not under its own, or would have there without approval.
func (p *Policy) Gains(from, to string, node Node) Permission {
	var gained Permission
	for _, n := range permissionNames {
		before, after := p.Object(from, node, n.p).Verdict, p.Object(to, node, n.p).Verdict
		if after > before {
			gained |= n.p
		}
	}
	return gained
}

// HoldsMount tells whether a folder is the place of an entry, or holds one:
// such a folder cannot be deleted or moved.
func (p *Policy) HoldsMount(real string) bool {
	for q := range p.chain {
		if q.mounts[real] != nil || q.above[real] {
			return true
		}
	}
	return false
}
