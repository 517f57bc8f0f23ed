package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// SubContext makes the context of a worker below p (sub_context in the context model). What
// the worker asks is judged by its own context and by every one above it, so
// narrowing holds by construction; a field that would have widened is refused
// here all the same, with a message that names it. f.Places are those of the
// worker's own paths; a worker without paths has its parent's.
func (p *Policy) SubContext(name string, w Worker, f Facts) (*Policy, error) {
	if w.UnrestrictedPaths && p.root != nil {
		return nil, fmt.Errorf("sub_context cannot grant unrestricted_paths: the parent is restricted to its mount table")
	}
	if w.RulesMayWiden && p.capped() {
		return nil, errors.New("rules_may_widen counts only in a policy that a person named or vouched for; remove it, or look at the file and run: paddock trust")
	}
	prefix := p.prefix + "workers." + name + "."
	c := w.context(name, p)
	if _, written := p.ctx.Workers[name]; !written {
		c.where = nil // a program made it: it stands in no file
	}
	if len(w.Paths) == 0 {
		f.Places = p.places
	}
	f.Dir = p.dir
	f.Own = Own{} // the parent's own files hold for the chain
	// Its mistakes are told by address: the places in the file are those of
	// the context it narrows.
	unplaced := *c
	unplaced.where = nil
	if err := unplaced.Validate(); err != nil {
		return nil, err
	}
	child, err := compile(&Policy{prefix: prefix, parent: p, borrowed: len(w.Paths) == 0}, c, f)
	if err != nil {
		return nil, err
	}
	child.liftRules = w.RulesMayWiden && w.Rules != nil
	if err := p.holds(child, &w); err != nil {
		return nil, err
	}
	return child, nil
}

// Worker makes the context of a worker that the policy names.
func (p *Policy) Worker(name string, f Facts) (*Policy, error) {
	w, ok := p.ctx.Workers[name]
	if !ok {
		return nil, fmt.Errorf("the policy has no worker %q", name)
	}
	return p.SubContext(name, w, f)
}

// context is a worker written as a whole context. What is left unset adds
// nothing of its own.
func (w *Worker) context(name string, parent *Policy) *SecurityContext {
	c := w.plain()
	c.Name, c.where = name, parent.ctx.where
	if len(w.Paths) == 0 {
		c.Paths = parent.lent(w)
	}
	if c.Permissions == nil {
		c.Permissions = &parent.permission
	}
	if c.DeniedCommands == nil {
		c.DeniedCommands = &[]string{}
	}
	return c
}

// lent are the context's entries as a worker without paths has them: the same
// places, of which the worker's own permissions and require_approval_for are
// the only restriction; the parent's hold beside them.
func (p *Policy) lent(w *Worker) []PathEntry {
	allowed, required, denied := All, None, None
	set(&allowed, w.Permissions)
	set(&required, w.RequireApprovalFor)
	required &= allowed
	paths := make([]PathEntry, len(p.ctx.Paths))
	for i := range p.ctx.Paths {
		e := &p.ctx.Paths[i]
		paths[i] = PathEntry{Path: e.Path, Slug: e.Slug, Backend: e.Backend, AllowedPermission: &allowed, RequiredPermission: &required, DeniedPermission: &denied}
	}
	return paths
}

// holds refuses each field of a child that would widen its parent.
func (p *Policy) holds(child *Policy, w *Worker) error {
	for _, check := range []func(*Policy, *Worker) error{
		p.holdsPaths, p.holdsRights, p.holdsCommands, p.holdsApproval, p.holdsNetwork, p.holdsLimits, p.holdsInterpreter,
	} {
		if err := check(child, w); err != nil {
			return err
		}
	}
	return nil
}

func (p *Policy) holdsPaths(child *Policy, w *Worker) error {
	if p.root == nil {
		return nil
	}
	for i := range w.Paths {
		e := &child.ctx.Paths[i]
		m := child.slugs[e.Slug]
		over := p.cover(m.real)
		if over == nil {
			//lint:ignore ST1005 the words are part of the interface
			return fmt.Errorf("sub_context cannot grant path '%s' outside parent's mount table.", e.Path)
		}
		allowed, _, _ := child.entryRights(i, m.parent)
		if more := allowed.set &^ over.allowed.set; more != None {
			//lint:ignore ST1005 the words are part of the interface
			return fmt.Errorf("sub_context cannot grant permission(s) %s on '%s' beyond parent '/%s [%s]'.", bracketed(more), e.Path, over.slugs[0], over.slugs[0])
		}
	}
	return nil
}

// bracketed writes rights as the context model does: ['EXECUTE', 'READ'].
func bracketed(p Permission) string {
	words := strings.Split(strings.ToUpper(p.String()), "|")
	return "['" + strings.Join(words, "', '") + "']"
}

func (p *Policy) holdsRights(child *Policy, _ *Worker) error {
	if !p.permission.Has(child.permission) {
		//lint:ignore ST1005 the words are part of the interface
		return fmt.Errorf("sub_context cannot grant permissions the parent lacks.")
	}
	return nil
}

func (p *Policy) holdsCommands(_ *Policy, w *Worker) error {
	if w.UnlistedCommands == "" {
		return nil
	}
	order := []Unlisted{UnlistedDeny, UnlistedAsk, UnlistedAllow}
	if slices.Index(order, w.UnlistedCommands) > slices.Index(order, p.unlisted()) {
		return fmt.Errorf("sub_context cannot grant unlisted_commands %s: the parent's is %s", w.UnlistedCommands, p.unlisted())
	}
	return nil
}

// unlisted is the setting after its default.
func (p *Policy) unlisted() Unlisted {
	switch {
	case p.ctx.UnlistedCommands != "":
		return p.ctx.UnlistedCommands
	case len(p.ctx.AllowedCommands) > 0:
		return UnlistedDeny
	default:
		return UnlistedAllow
	}
}

func (p *Policy) holdsApproval(_ *Policy, w *Worker) error {
	if w.Approval == nil {
		return nil
	}
	for right, floor := range w.Approval.AtLeast {
		if parent, ok := p.ctx.Approval.AtLeast[right]; ok && rank(floor) < rank(parent) {
			return fmt.Errorf("sub_context cannot lower approval.at_least.%s to %s: the parent's is %s", right, floor, parent)
		}
	}
	if t := p.ctx.Approval.Timeout; t > 0 && w.Approval.Timeout > t {
		return fmt.Errorf("sub_context cannot raise approval.timeout to %s: the parent's is %s", w.Approval.Timeout, t)
	}
	for _, way := range w.Approval.Chain {
		if len(p.ctx.Approval.Chain) > 0 && way != "delegate" && !slices.Contains(p.ctx.Approval.Chain, way) {
			return fmt.Errorf("sub_context cannot ask by %s: the parent's approval.chain has no such way", way)
		}
	}
	return nil
}

func (p *Policy) holdsNetwork(_ *Policy, w *Worker) error {
	if w.Network == nil {
		return nil
	}
	for _, host := range w.Network.Allow {
		if !slices.ContainsFunc(p.ctx.Network.Allow, func(parent string) bool { return coversHost(parent, host) }) {
			return fmt.Errorf("sub_context cannot grant network %s: the parent does not allow it", host)
		}
	}
	for _, c := range w.Network.Credentials {
		if !slices.Contains(p.ctx.Network.Credentials, c) {
			return fmt.Errorf("sub_context cannot grant a network credential for %s: the parent has no such credential", c.Host)
		}
	}
	if w.Network.UnixSockets == "inside" && p.ctx.Network.UnixSockets != "inside" {
		return fmt.Errorf("sub_context cannot grant network unix_sockets inside: the parent's is pairs")
	}
	return nil
}

// coversHost tells whether a parent's host[:port] pattern covers a child's. No
// port means every port.
func coversHost(parent, child string) bool {
	parentHost, parentPort := splitHost(parent)
	childHost, childPort := splitHost(child)
	if parentPort != "" && parentPort != childPort {
		return false
	}
	if suffix, wild := strings.CutPrefix(parentHost, "*"); wild {
		return strings.HasSuffix(childHost, suffix) && len(childHost) > len(suffix)
	}
	return parentHost == childHost
}

func splitHost(text string) (host, port string) {
	if i := strings.LastIndexByte(text, ':'); i >= 0 && !strings.HasSuffix(text, "]") {
		return strings.ToLower(text[:i]), text[i+1:]
	}
	return strings.ToLower(text), ""
}

func (p *Policy) holdsLimits(_ *Policy, w *Worker) error {
	if w.Limits == nil {
		return nil
	}
	l, parent := w.Limits, &p.ctx.Limits
	for _, bound := range []struct {
		name          string
		child, parent int64
	}{
		{"timeout", int64(l.Timeout), int64(parent.Timeout)}, {"memory", l.Memory, parent.Memory},
		{"processes", int64(l.Processes), int64(parent.Processes)}, {"output", l.Output, parent.Output},
	} {
		if bound.parent > 0 && bound.child > bound.parent {
			return fmt.Errorf("sub_context cannot raise limits.%s above the parent's", bound.name)
		}
	}
	if l.Exec == "anywhere" && parent.Exec == "mounts-only" {
		return fmt.Errorf("sub_context cannot grant limits.exec anywhere: the parent's is mounts-only")
	}
	return nil
}

func (p *Policy) holdsInterpreter(_ *Policy, w *Worker) error {
	if w.Interpreter == nil {
		return nil
	}
	i, parent := w.Interpreter, &p.ctx.Interpreter
	for _, tool := range i.PTC {
		if !slices.Contains(parent.PTC, tool) {
			return fmt.Errorf("sub_context cannot grant interpreter.ptc %s: the parent does not", tool)
		}
	}
	if parent.Timeout > 0 && i.Timeout > parent.Timeout || parent.Memory > 0 && i.Memory > parent.Memory {
		return fmt.Errorf("sub_context cannot raise interpreter timeout or memory above the parent's")
	}
	if i.Clock == "coarse" && parent.Clock != "coarse" {
		return fmt.Errorf("sub_context cannot grant interpreter.clock: the parent's code has no clock")
	}
	return nil
}
