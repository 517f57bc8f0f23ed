package paddock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

// mounts finds the backend that holds a real path. It is the policy's
// Resolver: what it tells of the tree comes from the same descriptors that the
// effects use.
type mounts struct {
	at    map[string]backend.Backend // by real path
	files map[string]bool            // of those that are single files
	// deepest is the length of the longest real path in at.
	deepest int
	slugs   map[string]string // by real path: what the agent calls it
	all     []backend.Backend // to be closed
	dir     string            // where relative paths begin
}

// plain is a backend's short cut past walking part by part.
type plain interface {
	Plain(name string) (backend.Info, bool)
}

func newMounts(paths []policy.PathEntry, places []policy.Place, given map[string]backend.Backend, dir string) *mounts {
	m := &mounts{at: map[string]backend.Backend{}, files: map[string]bool{}, dir: dir}
	for i := range paths {
		b := given[paths[i].Slug]
		m.all = append(m.all, b)
		real := places[i].Real
		if !paths[i].OnDisk() {
			real = policy.SyntheticRoot(paths[i].Slug)
		}
		if m.at[real] == nil {
			m.at[real], m.files[real] = b, places[i].File
		}
	}
	if b := given[""]; b != nil {
		m.all, m.at["/"] = append(m.all, b), b
	}
	for real := range m.at {
		m.deepest = max(m.deepest, len(real))
	}
	return m
}

// child shares the backends and closes none.
func (m *mounts) child(p *policy.Policy) *mounts {
	return (&mounts{at: m.at, files: m.files, deepest: m.deepest, dir: m.dir}).named(p)
}

// named learns what the entries of a policy are called.
func (m *mounts) named(p *policy.Policy) *mounts {
	m.slugs = map[string]string{}
	for _, e := range p.Mounts() {
		real := placeOf(e)
		if _, taken := m.slugs[real]; !taken || e.Slug == policy.RootSlug {
			m.slugs[real] = e.Slug
		}
	}
	return m
}

// placeOf is the real path of an entry.
func placeOf(e policy.Mount) string {
	if e.Real == "" {
		return policy.SyntheticRoot(e.Slug)
	}
	return e.Real
}

// name is the last part of an object's path as the agent may know it: what the
// folder of a mount is called outside is not for it.
func (m *mounts) name(real string) string {
	switch slug, mount := m.slugs[real]; {
	case slug == policy.RootSlug:
		return "/"
	case mount:
		return slug
	}
	return path.Base(real)
}

func (m *mounts) close() error {
	var errs []error
	for _, b := range m.all {
		errs = append(errs, b.Close())
	}
	m.all = nil
	return errors.Join(errs...)
}

// find gives the backend of a real path and the name in it.
func (m *mounts) find(real string) (backend.Backend, string, error) {
	path := real
	if len(path) > m.deepest {
		// No mount is deeper: what is cut off is in none of its own.
		if i := strings.LastIndexByte(path[:m.deepest+1], '/'); i > 0 {
			path = path[:i]
		} else if i == 0 {
			path = "/"
		}
	}
	for {
		if b := m.at[path]; b != nil {
			name := strings.TrimPrefix(real[len(path):], "/")
			if name == "" {
				name = "."
			}
			return b, name, nil
		}
		i := strings.LastIndexByte(path, '/')
		switch {
		case i < 0 || path == "/":
			return nil, "", fs.ErrNotExist
		case i == 0:
			path = "/"
		default:
			path = path[:i]
		}
	}
}

// onDisk refuses a path that no process and no tool of its own could open.
func (m *mounts) onDisk(real string) error {
	if real == "" || real[0] != '/' {
		return backend.ErrUnsupported
	}
	return nil
}

// worker finds where a worker's entry points. Its path is judged by the
// parent's mounts, so it must lie in one.
func (m *mounts) worker(e *policy.PathEntry) (policy.Place, error) {
	if !e.OnDisk() {
		return policy.Place{}, nil
	}
	real := e.Path
	if !filepath.IsAbs(real) {
		real = filepath.Join(m.dir, real)
	}
	real, err := filepath.EvalSymlinks(real)
	if err != nil {
		return policy.Place{}, fmt.Errorf("the worker's path %s: %w", e.Path, reason(err))
	}
	b, name, err := m.find(real)
	if err != nil {
		// Outside every mount: SubContext refuses it in its own words.
		return policy.Place{Real: real}, nil
	}
	info, err := b.Stat(context.Background(), name)
	if err != nil {
		return policy.Place{}, fmt.Errorf("the worker's path %s: %w", e.Path, reason(err))
	}
	return policy.Place{Real: real, File: info.Kind == backend.File}, nil
}

// Look implements policy.Resolver.
func (m *mounts) Look(real string) (policy.Node, error) {
	b, name, err := m.find(real)
	if err != nil {
		return policy.Node{}, err
	}
	info, err := b.Stat(context.Background(), name)
	if errors.Is(err, fs.ErrNotExist) {
		return policy.Node{}, nil
	}
	if err != nil {
		return policy.Node{}, reason(err)
	}
	return node(info), nil
}

// Plain implements policy.Resolver.
func (m *mounts) Plain(real string) (policy.Node, bool) {
	b, name, err := m.find(real)
	if err != nil {
		return policy.Node{}, false
	}
	if p, ok := b.(plain); ok {
		info, ok := p.Plain(name)
		return node(info), ok
	}
	return policy.Node{}, false
}

// node is what the policy must know of an object.
func node(i backend.Info) policy.Node {
	n := policy.Node{Target: i.Target}
	switch i.Kind {
	case backend.File:
		n.Kind = policy.File
	case backend.Dir:
		n.Kind = policy.Dir
	case backend.Link:
		n.Kind = policy.Link
	case backend.Special:
		n.Kind = policy.Special
	}
	return n
}
