package paddock

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

// WalkOptions say how far a walk goes.
type WalkOptions struct {
	// Mounts goes from the top into the mounts that lie outside the root
	// entry's tree, under their slugs.
	Mounts bool
	// Names says that of an object only its names, Kind and Target are
	// wanted: the rest of a Visit's Info may be zero. It costs far less.
	Names bool
}

// Visit is one object of a walk.
type Visit struct {
	Info
	// Rel is the path from where the walk began, "." for the start itself;
	// slash-separated, in the file system's own bytes.
	Rel string

	walk *walk
	real string
	err  error
	list []Info // of a folder: what it holds
}

// Err is not nil for a folder that could not be listed; the walk goes on
// beside it.
func (v *Visit) Err() error { return v.err }

// Entry finds what a folder of the walk holds under a name, as far as the agent
// may see it. It costs no look at the disk: the folder was listed already.
func (v *Visit) Entry(name string) (info Info, ok bool) {
	for i := range v.list {
		if v.list[i].Name == name {
			return v.list[i], true
		}
	}
	return Info{}, false
}

// Holds is how many entries the agent may see in a folder of the walk.
func (v *Visit) Holds() int { return len(v.list) }

// Open opens the file: its READ was judged by the walk. A name that may be
// seen and not read is a *Denial.
func (v *Visit) Open(ctx context.Context) (*File, error) {
	switch v.Kind {
	case backend.Dir:
		return nil, failed(v.Path, backend.ErrIsDir)
	case backend.Link, backend.Special:
		return nil, failed(v.Path, backend.ErrSpecial)
	}
	if err := v.readable(); err != nil {
		return nil, err
	}
	f, err := v.walk.open(ctx, v.real)
	return f, failed(v.Path, err)
}

// readable refuses a file that may be seen and not read.
func (v *Visit) readable() error {
	c := v.walk.call
	if v.walk.readable(v.real, policy.Node{Kind: policy.File}) {
		return nil
	}
	d := c.guard.policy.Object(v.real, policy.Node{Kind: policy.File}, policy.Read)
	if denial := d.Denial("read " + v.Path); denial != nil {
		return denial
	}
	return &Denial{Kind: ApprovalDenied, Asked: "read " + v.Path, Because: d.Because(), Reason: "it needs approval of its own"}
}

// walk is one walk under way.
type walk struct {
	call    *Call
	visit   func(*Visit) error
	uniform map[string]bool // folders below which every verdict is the folder's
	locked  bool
	names   bool
	entered map[string]bool
	near    nearby
}

// Walk visits a folder and what lies below it: parents before what they hold,
// names in order. It needs READ on the start. Links are visited and never
// entered; what the agent may not see is absent; a folder that may not be
// listed is visited and not entered. A folder in a mount of its own is judged
// by that mount. Where something below may need approval the question is asked
// once, before the first visit. visit may return fs.SkipDir and fs.SkipAll.
func (c *Call) Walk(ctx context.Context, path string, o WalkOptions, visit func(*Visit) error) error {
	n, err := c.decide("search", policy.Request{Path: path, Perm: policy.Needs(policy.ActSearch)})
	if err != nil {
		return err
	}
	w := &walk{call: c, visit: visit, uniform: map[string]bool{}, entered: map[string]bool{}, locked: c.guard.policy.DeniedNames() == policy.Locked, names: o.Names}
	defer func() {
		w.near.leave()
		w.near.over = true
	}()
	starts := []start{{need: n, path: path, rel: "."}}
	if o.Mounts && n.decision.Virtual() == "/" {
		if c.onlyMounts(&n) {
			starts = nil
		}
		starts = append(starts, w.mounts()...)
	}
	if err := c.askForWalk(ctx, n, starts); err != nil {
		return err
	}
	for _, s := range starts {
		if s.rel != "." && w.entered[s.need.decision.Real] {
			continue // it lies in the root entry's tree
		}
		switch err := w.begin(ctx, s); {
		case errors.Is(err, fs.SkipAll):
			return nil
		case err != nil && !errors.Is(err, fs.SkipDir):
			return err
		}
	}
	return nil
}

// start is where a walk begins.
type start struct {
	need      need
	path, rel string
}

// askForWalk permits a walk, in one question: its starts, and all that it may
// come to. Without a start it is about first alone.
func (c *Call) askForWalk(ctx context.Context, first need, starts []start) error {
	needs := []need{first}
	if len(starts) > 0 {
		needs = needs[:0]
	}
	for i := range starts {
		n := starts[i].need
		if n.decision.Verdict != policy.Deny && n.decision.Node.Kind == policy.Dir {
			if d, asks := c.guard.policy.AskBelow(n.decision.Real, n.decision.Perm); asks {
				n.decision.Verdict = policy.Ask
				n.decision = n.decision.With(d)
			}
		}
		needs = append(needs, n)
	}
	if err := c.permit(ctx, needs...); err != nil {
		return err
	}
	for i := range needs {
		if d := &needs[i].decision; d.Verdict == policy.Ask {
			c.agreed = append(c.agreed, agreement{d.Real, d.Perm})
		}
	}
	return nil
}

// begin visits where a walk begins.
func (w *walk) begin(ctx context.Context, s start) error {
	if err := missing(&s.need.decision); err != nil {
		return failed(s.path, err)
	}
	real := s.need.decision.Real
	b, name, err := w.call.guard.mounts.find(real)
	if err != nil {
		return failed(s.path, err)
	}
	i, err := b.Stat(ctx, name)
	if err == nil && i.Kind == backend.Link {
		err = backend.ErrSwapped
	}
	if err != nil {
		return failed(s.path, err)
	}
	return w.one(ctx, w.call.info(real, i), real, s.rel)
}

// one visits an object and, if it is a folder that may be listed, what it
// holds.
func (w *walk) one(ctx context.Context, info Info, real, rel string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	v := &Visit{Info: info, Rel: rel, walk: w, real: real}
	if info.Kind != backend.Dir || info.Locked || !w.readable(real, policy.Node{Kind: policy.Dir}) {
		return w.visit(v)
	}
	w.entered[real] = true
	w.near.leave()
	list, err := w.list(ctx, real)
	v.list, v.err = list, failed(info.Path, err)
	switch err := w.visit(v); {
	case errors.Is(err, fs.SkipDir):
		return nil
	case err != nil:
		return err
	}
	for i := range list {
		child := list[i].Name
		below := child
		if rel != "." {
			below = rel + "/" + child
		}
		if err := w.one(ctx, list[i], join(real, child), below); err != nil && !errors.Is(err, fs.SkipDir) {
			return err
		}
	}
	return nil
}

// list reads a folder. Below a folder where nothing makes a difference no name
// is judged one by one.
func (w *walk) list(ctx context.Context, dir string) ([]Info, error) {
	c := w.call
	if !w.isUniform(dir) {
		return c.list(ctx, dir, w.names)
	}
	entries, err := c.entries(ctx, dir, w.names)
	if err != nil {
		return nil, err
	}
	out := make([]Info, 0, len(entries))
	for i := range entries {
		e := &entries[i]
		real := join(dir, e.Name)
		if strings.HasPrefix(e.Name, backend.TempPrefix) {
			continue // somebody is writing
		}
		if e.Kind == backend.Link {
			if info, ok := c.see(real, e.Info, w.locked); ok {
				out = append(out, info)
			}
			continue
		}
		if e.Kind == backend.Dir {
			w.uniform[real] = true
		}
		info := c.info(real, e.Info)
		info.Name = e.Name
		out = append(out, info)
	}
	return out, nil
}

func (w *walk) isUniform(dir string) bool {
	known, ok := w.uniform[dir]
	if !ok {
		known = w.call.guard.policy.Uniform(dir)
	}
	delete(w.uniform, dir)
	return known
}

// readable tells whether READ is granted on an object, by the question that
// was asked before the walk where it needs approval.
func (w *walk) readable(real string, n policy.Node) bool {
	d := w.call.guard.policy.Object(real, n, policy.Read)
	return d.Verdict == policy.Allow || d.Verdict == policy.Ask && w.call.hasAgreed(real, policy.Read)
}

// mounts are the mounts beside the root entry, outer ones first, as far as they
// may be walked.
func (w *walk) mounts() []start {
	all := w.call.guard.policy.Mounts()
	slices.SortStableFunc(all, func(a, b policy.Mount) int { return cmp.Compare(len(a.Real), len(b.Real)) })
	var starts []start
	for _, m := range all {
		node := policy.Node{Kind: policy.Dir}
		if m.File {
			node.Kind = policy.File
		}
		n := need{asked: "search /" + m.Slug, decision: w.call.guard.policy.Object(placeOf(m), node, policy.Read)}
		if m.Slug != policy.RootSlug && n.decision.Verdict != policy.Deny {
			starts = append(starts, start{n, "/" + m.Slug, m.Slug})
		}
	}
	return starts
}
