package paddock

import (
	"context"

	"paddock/backend"
	"paddock/policy"
)

// holding is a Resolver for one decision that keeps hold of the object the
// decision is about: what is opened afterwards is what was judged, whoever
// changes the tree in between.
type holding struct {
	*mounts
	held backend.Held
	real string
}

// Plain implements policy.Resolver.
func (h *holding) Plain(real string) (policy.Node, bool) {
	b, name, err := h.find(real)
	if err != nil {
		return policy.Node{}, false
	}
	holder, ok := b.(backend.Holder)
	if !ok {
		return h.mounts.Plain(real)
	}
	held, ok := holder.Hold(name)
	if !ok {
		return policy.Node{}, false
	}
	h.close()
	h.held, h.real = held, real
	return node(held.Info()), true
}

// take takes hold of the object of a decision that walked a link: until it is
// opened a person may be asked, and the yes is for this object.
func (h *holding) take(d *policy.Decision) error {
	if d.Verdict == policy.Deny || d.Node.Kind != policy.File || h.held != nil && h.real == d.Real {
		return nil
	}
	h.close()
	if b, _, err := h.find(d.Real); err != nil {
		return err
	} else if _, ok := b.(backend.Holder); !ok {
		return nil
	}
	if n, ok := h.Plain(d.Real); !ok || n.Kind != policy.File {
		return backend.ErrSwapped
	}
	return nil
}

// open opens the object that was judged under a real path.
func (h *holding) open(ctx context.Context, real string) (backend.Reader, error) {
	if h.held != nil && h.real == real {
		return h.held.Open()
	}
	return h.mounts.open(ctx, real)
}

func (h *holding) close() {
	if h.held != nil {
		_ = h.held.Close() // it was only looked at
		h.held = nil
	}
}

// open opens the object of exactly a real path.
func (m *mounts) open(ctx context.Context, real string) (backend.Reader, error) {
	b, name, err := m.find(real)
	if err != nil {
		return nil, err
	}
	return b.Open(ctx, name)
}
