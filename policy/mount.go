package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// mount is what the entries on one directory say together, after inheritance
// (the context model: "Nesting & inheritance"): allowed is their intersection; required,
// denied and patterns are the union.
type mount struct {
	real    string
	file    bool
	entries []int    // indexes in paths, first in the file first
	slugs   []string // one for each entry
	parent  *mount   // the nearest entry above, nil at the top

	allowed, required, denied granted
	lists                     []*patternList // of this directory, one for each entry
}

// granted is a set of rights and the addresses of the lines that say so.
type granted struct {
	set   Permission
	lines []line
}

// line is an address of the written policy and, for a person, what it says.
type line struct{ address, text string }

// synthetic begins the "real" path of an entry that is not on disk. A NUL can
// be in no path that is typed, so no such path is ever addressed by it.
const synthetic = "\x00"

// SyntheticRoot is what stands for the real path of an entry that is not on
// disk.
func SyntheticRoot(slug string) string { return synthetic + slug }

// mountAll builds the mount table, outer entries first, so that a nested one
// finds what it inherits.
func (p *Policy) mountAll(places []Place) error {
	p.mounts, p.slugs, p.above = map[string]*mount{}, map[string]*mount{}, map[string]bool{}
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	real := func(i int) string {
		if e := &p.ctx.Paths[i]; !e.OnDisk() {
			return SyntheticRoot(e.Slug)
		}
		return places[i].Real
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(real(a)), len(real(b))) })
	for _, i := range order {
		if err := p.mountOne(i, real(i), places[i].File); err != nil {
			return err
		}
	}
	p.root = p.slugs[RootSlug]
	for path := range p.mounts {
		p.deepest = max(p.deepest, len(path))
		for dir, ok := up(path); ok && !p.above[dir]; dir, ok = up(dir) {
			p.above[dir] = true
		}
	}
	return nil
}

func (p *Policy) mountOne(i int, real string, file bool) error {
	e := &p.ctx.Paths[i]
	if real == "" || real[0] != '/' && e.OnDisk() {
		return fmt.Errorf("paths[%d] (%s): no absolute path was given for it", i, e.Slug)
	}
	m := p.mounts[real]
	if m == nil {
		m = &mount{real: real, file: file, allowed: granted{set: All}}
		for dir, ok := up(real); ok && m.parent == nil; dir, ok = up(dir) {
			m.parent = p.mounts[dir]
		}
		p.mounts[real] = m
	}
	m.entries = append(m.entries, i)
	m.slugs = append(m.slugs, e.Slug)
	p.slugs[e.Slug] = m

	allowed, required, denied := p.entryRights(i, m.parent)
	m.allowed.set &= allowed.set
	m.allowed.lines = append(m.allowed.lines, allowed.lines...)
	m.required.add(required)
	m.denied.add(denied)

	list, err := newPatternList(m.base(), e.DeniedPathRegex, index("paths", i)+".denied_path_regex")
	if err != nil {
		return err
	}
	if list != nil {
		m.lists = append(m.lists, list)
	}
	return nil
}

// entryRights is what one entry grants and takes away, inherited or its own.
func (p *Policy) entryRights(i int, parent *mount) (allowed, required, denied granted) {
	e := &p.ctx.Paths[i]
	at := func(key string, set *Permission) granted {
		if p.borrowed {
			return p.contextDefault(lentKeys[key], *set)
		}
		return granted{*set, []line{{index("paths", i) + "." + key, fmt.Sprintf("%s of %s: %s", key, e.Slug, *set)}}}
	}
	switch {
	case e.AllowedPermission != nil:
		allowed = at("allowed_permission", e.AllowedPermission)
	case parent != nil:
		allowed = granted{None, []line{{index("paths", i), fmt.Sprintf("entry %s grants nothing of its own", e.Slug)}}}
	default:
		allowed = p.contextDefault("permissions", p.permission)
	}
	switch {
	case e.RequiredPermission != nil:
		required = at("required_permission", e.RequiredPermission)
	case parent != nil:
		required = parent.required
	default:
		required = p.contextDefault("require_approval_for", p.approval)
	}
	switch {
	case e.DeniedPermission != nil:
		denied = at("denied_permission", e.DeniedPermission)
	case parent != nil:
		denied = parent.denied
	}
	return allowed, required, denied
}

// lentKeys are the keys of a worker that stand behind those of an entry lent
// to it.
var lentKeys = map[string]string{
	"allowed_permission": "permissions", "required_permission": "require_approval_for", "denied_permission": "permissions",
}

func (p *Policy) contextDefault(key string, set Permission) granted {
	return granted{set, []line{{key, fmt.Sprintf("%s: %s", key, set)}}}
}

func (g *granted) add(h granted) {
	g.set |= h.set
	if h.set != None {
		g.lines = append(g.lines, h.lines...)
	}
}

// cover finds the deepest mount that a real path lies in.
func (p *Policy) cover(real string) *mount {
	for path, ok := clip(real, p.deepest), true; ok; path, ok = up(path) {
		if m := p.mounts[path]; m != nil {
			return m
		}
	}
	return nil
}

// clip cuts a path to the longest prefix of whole parts that is not longer
// than max.
func clip(path string, max int) string {
	if len(path) <= max {
		return path
	}
	switch i := strings.LastIndexByte(path[:max+1], '/'); {
	case i > 0:
		return path[:i]
	case i == 0:
		return "/"
	default:
		return path // one part, or none
	}
}

// contextBase is the directory that the context's own patterns are relative
// to: the root entry's, else the top of what there is.
func (p *Policy) contextBase() string {
	if p.root == nil {
		return "/"
	}
	return p.root.base()
}

// Mount describes an entry to those who list or wire them.
type Mount struct {
	Slug  string
	Real  string // "" when not on disk
	File  bool
	Index int // in the context's paths
}

// Mounts are the entries of this context, in the order of the file.
func (p *Policy) Mounts() []Mount {
	all := make([]Mount, len(p.ctx.Paths))
	for i := range p.ctx.Paths {
		e := &p.ctx.Paths[i]
		all[i] = Mount{Slug: e.Slug, Real: p.places[i].Real, File: p.places[i].File, Index: i}
	}
	return all
}
