package policy

// Entry is the slug of the entry that governs the object, "" when none does.
func (d *Decision) Entry() string {
	if m := d.policy.cover(d.Real); m != nil {
		return m.slugs[0]
	}
	return ""
}

// Virtual is the path by which the agent may name the object, "" when the
// object lies outside every entry.
func (d *Decision) Virtual() string {
	if d.Real == "" {
		return ""
	}
	return d.policy.Virtual(d.Real)
}

// Allowed are the rights that every context grants on the object, approval or
// not.
func (d *Decision) Allowed() Permission { return d.policy.Rights(d.Real, d.judged) }

// Because lists the lines that spoke, for a person. A path simply allowed
// names the line that grants it.
func (d *Decision) Because() []Because {
	all := d.spoken
	if len(all) == 0 {
		q := d.policy
		for q.borrowed {
			q = q.parent
		}
		allowed, _, _ := q.rights(q.cover(d.Real))
		for _, l := range allowed.lines {
			all = append(all, spoken{q, l})
		}
	}
	out := make([]Because, 0, len(all))
	for _, s := range all {
		out = append(out, s.policy.explain(s.line))
	}
	return out
}

// explain finds the place of a line. A default stands in no file.
func (p *Policy) explain(l line) Because {
	b := p.because(l.address, l.text)
	if b.Line == 0 && (l.address == "permissions" || l.address == "require_approval_for") {
		b.Text = "default " + b.Text
	}
	if p.notice != "" {
		b.Text = p.notice
	}
	return b
}

// Denial makes the error of a refused request; asked is what the agent asked
// for, in its own words. Nil when the request was not refused.
func (d *Decision) Denial(asked string) *Denial {
	if d.Verdict != Deny {
		return nil
	}
	out := &Denial{Kind: d.Kind, Asked: asked, Because: d.Because(), Reason: d.hint}
	if len(d.spoken) > 0 && d.spoken[0].policy.notice != "" {
		out.Reason = d.spoken[0].policy.notice
	}
	// What else may be done there is told only of an object the agent may
	// know of: for anything else, and for what a link leads to, it would tell
	// that the name exists.
	if allowed := d.Allowed(); allowed != None && !d.linked {
		out.Allowed = &allowed
	}
	return out
}

// With adds to a decision the lines of another one about the same request.
func (d Decision) With(more Decision) Decision {
	d.spoken = append(d.spoken[:len(d.spoken):len(d.spoken)], more.spoken...)
	return d
}
