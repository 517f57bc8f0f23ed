package paddock

import (
	"errors"
	"fmt"
	"maps"

	"paddock/backend"
	"paddock/policy"
)

// Session makes a Guard for one more thread of work under the same policy:
// with mounts of its own in place of those named, by slug, and the others
// shared. Only entries that are not on disk can be replaced. The new Guard
// closes the mounts it was given and no others; close it before this one.
func (g *Guard) Session(own map[string]backend.Backend) (*Guard, error) {
	m := g.mounts.child(g.policy)
	m.at = maps.Clone(m.at)
	for _, e := range g.policy.Mounts() {
		b := own[e.Slug]
		if b == nil {
			continue
		}
		if _, real := b.(rooted); real || e.Real != "" {
			return nil, fmt.Errorf("the mount %s is on disk, which sessions share", e.Slug)
		}
		m.at[policy.SyntheticRoot(e.Slug)] = b
		m.all = append(m.all, b)
	}
	if len(m.all) != len(own) {
		return nil, errors.New("a session can replace the mounts of its policy and no others")
	}
	s := *g
	s.mounts = m
	s.backlog = newBacklog()
	return &s, nil
}
