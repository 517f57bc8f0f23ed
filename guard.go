package paddock

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"paddock/backend"
	"paddock/policy"
)

// Options are what a Guard is made of.
type Options struct {
	// Context is the policy. Nil is refused: NewUnrestricted is the way to
	// have none.
	Context *policy.SecurityContext
	// Mounts are the backends of the context's paths, by slug. One that tells
	// a Root (backend/disk does) is a real directory; the Guard works with
	// its real path. The Guard closes them.
	Mounts map[string]backend.Backend
	Own    policy.Own
	// Cap, if not nil, must agree with every request as well: for a policy
	// that was found and that nobody vouched for. CapNotice is said with
	// each denial it causes.
	Cap       *policy.Policy
	CapNotice string
	// Approver is asked for what needs approval; nil means that all of it is
	// denied.
	Approver Approver
	// Recorder keeps the record; nil means that nothing is kept.
	Recorder Recorder
	// Dir is where the relative paths of workers begin, and those of requests
	// when the context has no paths: absolute.
	Dir string
	// Save keeps the old content of a file that must be written in place,
	// where an atomic replacement is not possible. Nil: such a write fails.
	Save func(virtual string, old io.Reader) error
}

// rooted is a backend that is a real directory or file.
type rooted interface {
	Root() string
	IsFile() bool
}

// Guard decides and acts for one agent. It is safe for concurrent use.
type Guard struct {
	policy   *policy.Policy
	approver Approver
	recorder Recorder
	save     func(string, io.Reader) error
	mounts   *mounts
	alike    bool // no name makes a difference to READ
	// Shared with the workers:
	links   *linkIndex
	edits   *edits
	backlog *backlog
	// moving keeps every other change off the tree while a folder that was
	// judged name by name gets its new name.
	moving *sync.RWMutex
	room   *room
}

// New makes a Guard. The context is validated and compiled, and every path of
// it must have its backend.
func New(o Options) (*Guard, error) {
	if o.Context == nil {
		return nil, errors.New("a Guard needs a policy; NewUnrestricted is the one without")
	}
	places, err := placesOf(o.Context.Paths, o.Mounts)
	if err != nil {
		return nil, err
	}
	o.Own.Temp = backend.TempPrefix
	p, err := policy.Compile(o.Context, policy.Facts{Places: places, Own: o.Own, Dir: o.Dir})
	if err != nil {
		return nil, err
	}
	if o.Cap != nil {
		p = p.Under(o.Cap, o.CapNotice)
	}
	m := newMounts(o.Context.Paths, places, o.Mounts, o.Dir)
	return &Guard{
		policy: p, approver: o.Approver, recorder: o.Recorder, save: o.Save, mounts: m.named(p), alike: alike(p),
		links: &linkIndex{mounts: m}, edits: new(edits), backlog: newBacklog(), moving: new(sync.RWMutex), room: new(room),
	}, nil
}

// NewUnrestricted makes a Guard that grants everything below a directory: no
// policy at all, by a name that says so. It is for tests and for those who
// confine by other means.
func NewUnrestricted(root backend.Backend) (*Guard, error) {
	all := policy.All
	entry := policy.PathEntry{Path: ".", Slug: policy.RootSlug, AllowedPermission: &all}
	if _, real := root.(rooted); !real {
		entry.Path, entry.Backend = "", "given"
	}
	return New(Options{
		Context: &policy.SecurityContext{Name: "unrestricted", Permissions: &all, Paths: []policy.PathEntry{entry}},
		Mounts:  map[string]backend.Backend{policy.RootSlug: root},
	})
}

func placesOf(paths []policy.PathEntry, mounts map[string]backend.Backend) ([]policy.Place, error) {
	places := make([]policy.Place, len(paths))
	for i := range paths {
		e := &paths[i]
		b := mounts[e.Slug]
		if b == nil {
			return nil, fmt.Errorf("paths[%d]: no backend was given for the mount %s", i, e.Slug)
		}
		r, real := b.(rooted)
		switch {
		case real && e.OnDisk():
			places[i] = policy.Place{Real: r.Root(), File: r.IsFile()}
		case real || e.OnDisk():
			return nil, fmt.Errorf("paths[%d] (%s): the policy says backend %q and another kind was given", i, e.Slug, e.Backend)
		}
	}
	return places, nil
}

// Policy is what the Guard decides by.
func (g *Guard) Policy() *policy.Policy { return g.policy }

// Worker makes a Guard for a worker that the policy names: over the same
// mounts, never wider. Its paths must lie in mounts of this Guard.
func (g *Guard) Worker(name string, approver Approver) (*Guard, error) {
	w, ok := g.policy.Context().Workers[name]
	if !ok {
		return nil, fmt.Errorf("the policy has no worker %q", name)
	}
	return g.SubContext(name, w, approver)
}

// SubContext is Worker for a context that a program made.
func (g *Guard) SubContext(name string, w policy.Worker, approver Approver) (*Guard, error) {
	places := make([]policy.Place, len(w.Paths))
	for i := range w.Paths {
		place, err := g.mounts.worker(&w.Paths[i])
		if err != nil {
			return nil, err
		}
		places[i] = place
	}
	p, err := g.policy.SubContext(name, w, policy.Facts{Places: places})
	if err != nil {
		return nil, err
	}
	child := *g
	child.policy, child.approver = p, approver
	child.mounts = g.mounts.child(p)
	// A file in the worker's mounts can have a name in one of ours that the
	// worker does not see: what denies it there holds for the worker too.
	child.alike = g.alike && alike(p)
	return &child, nil
}

// Close waits until what was recorded is kept, and lets go of the mounts. No
// call may be under way. A worker's Guard has no mounts of its own to close.
func (g *Guard) Close() error {
	g.backlog.under.Wait()
	return g.mounts.close()
}
