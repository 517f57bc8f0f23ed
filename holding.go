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
