package policy

import "strings"

// Request asks for rights on a path.
type Request struct {
	Path string     // as the agent typed it
	Perm Permission // all of them are needed; None asks for any right at all
	// KeepLink judges a link itself, not what it points at: for deleting,
	// moving and looking.
	KeepLink bool
	// Folder says that a missing object is to become a folder.
	Folder bool
}

// Decision is the answer to a Request: a value that says which object it is
// about and which lines spoke.
type Decision struct {
	Request
	Verdict Verdict
	Kind    Kind   // of a denial
	Real    string // the object's real path; where the walk stopped, if it did
	Node    Node
	Orphan  bool // the object is missing and so is its folder
	Slash   bool // the path ended in a slash

	policy *Policy
	spoken []spoken
	hint   string
	linked bool // a link was followed
	judged Node // what the object was taken for: a missing one can be a folder to be
}

// spoken is a line and the context it stands in.
type spoken struct {
	policy *Policy
	line
}

// Decide resolves a path and judges what it leads to, in this context and
// each that it narrows; the strictest verdict holds. An error is a *PathError:
// the path cannot be resolved, whatever the policy says. It may block where
// the Resolver does.
func (p *Policy) Decide(req Request, r Resolver) (Decision, error) {
	d := Decision{Request: req, policy: p}
	hint, ok := form(req.Path)
	if !ok {
		d.refuse(PathAccessDenied, spoken{p, line{"", "the form of the path"}}, hint)
		return d, nil
	}
	a := p.address(DecodeName(req.Path))
	if a.fellToRoot && len(p.mounts) > 1 {
		d.hint = "it was taken as a path inside " + RootSlug + ", because no mount has the name of its first part"
	}
	w, err := p.walk(a, req.Perm, req.KeepLink, r)
	return d, d.settle(w, err)
}

// settle turns the end of a walk into the answer.
func (d *Decision) settle(w walked, err error) error {
	d.Real, d.Node, d.Orphan, d.Slash, d.linked = w.real, w.node, w.orphan, w.slash, len(w.met) > 0
	switch err {
	case nil, errLink: // errLink: the link that was met last denies it
		d.judge(w)
		d.asMissing(w)
	case errOutside:
		d.refuse(PathAccessDenied, spoken{d.policy, line{"paths", "outside every entry of paths"}}, "it leads outside every mount")
	case errShut:
		d.judgeShut(w)
	default:
		d.refuse(PathAccessDenied, spoken{d.policy, line{"", "the path leads nowhere"}}, "")
		return &PathError{d.Path, err}
	}
	return nil
}

// DecideFrom judges a path as the kernel would resolve it from a folder: what
// a link in that folder leads to, or a file that a shell there opens. There is
// no mount table in it; an absolute path is the real one.
func (p *Policy) DecideFrom(dir, path string, perm Permission, r Resolver) (Decision, error) {
	d := Decision{Request: Request{Path: path, Perm: perm}, policy: p}
	if hint, ok := form(path); !ok && path != "~" {
		d.refuse(PathAccessDenied, spoken{p, line{"", "the form of the path"}}, hint)
		return d, nil
	}
	a := addressed{real: dir, rest: path}
	if strings.HasPrefix(path, "/") {
		a.real = p.linkRoot(dir)
	}
	w, err := p.walk(a, perm, false, r)
	return d, d.settle(w, err)
}

// Object judges an object whose real path is known and holds no link: an
// entry met in a listing. It asks no Resolver and cannot fail.
func (p *Policy) Object(real string, node Node, perm Permission) Decision {
	d := Decision{Request: Request{Perm: perm}, policy: p, Real: real, Node: node}
	d.judge(walked{real: real, node: node})
	return d
}

// judge asks every context of the chain about the links on the way and about
// the object.
func (d *Decision) judge(w walked) {
	node := w.node
	if node.Kind == Missing && (w.slash || d.Folder) {
		node.Kind = Dir
	}
	d.Verdict, d.judged = Allow, node
	lifted := false
	for q := d.policy; q != nil; q = q.parent {
		for _, link := range w.met {
			if !d.take(q, q.ruleLink(link, d.Perm, !lifted)) {
				return
			}
		}
		if !d.take(q, q.rule(w.real, node, d.Perm, !lifted)) {
			return
		}
		lifted = q.liftRules
	}
}

// asMissing gives a refusal the reason that it would have if nothing were
// there, when that would be refused too: the reason must not tell a folder, a
// file and a link from each other, nor from nothing.
func (d *Decision) asMissing(w walked) {
	if d.Verdict != Deny || w.node.Kind == Missing {
		return
	}
	end := Node{}
	if w.slash || d.Folder {
		end.Kind = Dir
	}
	for q, withRules := range d.policy.chain {
		if r := q.rule(w.lexical(), end, d.Perm, withRules); r.verdict == Deny {
			d.take(q, r)
			return
		}
	}
}

// ruleLink judges a link that was followed: by patterns and rules alone, the
// entry's rights count for what it leads to.
func (p *Policy) ruleLink(link string, perm Permission, withRules bool) ruling {
	m := p.cover(link)
	if p.root != nil && m == nil {
		return ruling{Deny, PathAccessDenied, []line{{"paths", "a link on the way lies outside every entry of paths"}}}
	}
	if p.own.private(link) {
		return ruling{Deny, PathAccessDenied, []line{{"", "Paddock keeps its own state here"}}}
	}
	if at, denied := p.shut(m, link, false); denied {
		return ruling{Deny, PathAccessDenied, []line{at}}
	}
	if !withRules {
		return ruling{verdict: Allow}
	}
	mode, lines := p.ruled(m, link, false, perm)
	if perm == None {
		mode, lines = p.ruledWhole(m, link)
	}
	switch mode {
	case ModeDeny:
		return ruling{Deny, PathAccessDenied, lines}
	case ModeInterrupt:
		return ruling{Ask, "", lines}
	}
	return ruling{verdict: Allow}
}

// ruledWhole is what rules say of any right on a link: they deny it when they
// deny both operations that they know. To follow the link would tell that it
// is there.
func (p *Policy) ruledWhole(m *mount, link string) (Mode, []line) {
	mode, lines := p.ruled(m, link, false, Read)
	if write, _ := p.ruled(m, link, false, Write); mode == ModeDeny && write == ModeDeny {
		return ModeDeny, lines
	}
	return ModeAllow, nil
}

// take merges what one context says; false when that ends the matter.
func (d *Decision) take(q *Policy, r ruling) bool {
	switch r.verdict {
	case Deny:
		d.Verdict, d.Kind, d.spoken = Deny, r.kind, nil
		for _, l := range r.lines {
			d.refuse(r.kind, spoken{q, l}, "")
		}
		return false
	case Ask:
		d.Verdict = Ask
		for _, l := range r.lines {
			d.spoken = append(d.spoken, spoken{q, l})
		}
	}
	return true
}

func (d *Decision) refuse(kind Kind, s spoken, hint string) {
	d.Verdict, d.Kind = Deny, kind
	d.spoken = append(d.spoken, s)
	if hint != "" {
		d.hint = hint
	}
}

// judgeShut gives the refusal of a walk that stopped at a shut folder: the one
// that the name at its end would have, whether that exists or not, else the
// folder's own.
func (d *Decision) judgeShut(w walked) {
	end := Node{}
	if w.slash || d.Folder {
		end.Kind = Dir
	}
	if w.node.Kind == Missing {
		w.node.Kind = Dir
	}
	d.judged = w.node
	d.refuse(PathAccessDenied, spoken{d.policy, line{"", "a folder on the way is shut"}}, "")
	for _, o := range []struct {
		real string
		node Node
		perm Permission
	}{{w.lexical(), end, d.Perm}, {w.real, w.node, d.Perm}, {w.real, w.node, None}} {
		for q, withRules := range d.policy.chain {
			if r := q.rule(o.real, o.node, o.perm, withRules); r.verdict == Deny {
				d.Real, d.judged = o.real, o.node
				d.take(q, r)
				return
			}
		}
	}
}
