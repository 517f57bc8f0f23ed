package policy

// CheckPath resolves a path and tells whether it lies where the context grants
// anything at all (check_path in the context model). It returns the real path, or a *Denial,
// or a *PathError.
func (p *Policy) CheckPath(path string, r Resolver) (string, error) {
	d, err := p.Decide(Request{Path: path}, r)
	if err != nil {
		return "", err
	}
	if denial := d.Denial("use " + path); denial != nil {
		return "", denial
	}
	return d.Real, nil
}

// CheckPathAccess resolves a path and judges the rights asked for (in the context model
// check_path_access). needsApproval says that a person must agree first.
func (p *Policy) CheckPathAccess(path string, perm Permission, r Resolver) (real string, needsApproval bool, err error) {
	d, err := p.Decide(Request{Path: path, Perm: perm}, r)
	if err != nil {
		return "", false, err
	}
	if denial := d.Denial(perm.String() + " " + path); denial != nil {
		return "", false, denial
	}
	return d.Real, d.Verdict == Ask, nil
}

// CheckPermission judges a request that has no path, by permissions and
// require_approval_for (check_permission in the context model).
func (p *Policy) CheckPermission(perm Permission) (needsApproval bool, err error) {
	d := p.Pathless(perm)
	if denial := d.Denial(perm.String()); denial != nil {
		return false, denial
	}
	return d.Verdict == Ask, nil
}

// Pathless judges a request that has no path.
func (p *Policy) Pathless(perm Permission) Decision {
	d := Decision{Request: Request{Perm: perm}, policy: p, Verdict: Allow}
	for q := p; q != nil; q = q.parent {
		r := ruling{verdict: Allow}
		switch {
		case !q.permission.Has(perm):
			r = ruling{Deny, PermissionDenied, q.contextDefault("permissions", q.permission).lines}
		case q.approval&perm != 0:
			r = ruling{Ask, "", q.contextDefault("require_approval_for", q.approval).lines}
		}
		if !d.take(q, r) {
			break
		}
	}
	return d
}
