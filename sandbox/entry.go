package sandbox

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"paddock/policy"
)

// entriesOf collects the entries on disk of every context of the chain: a
// narrower context's own, and those above, since each may change what is
// granted from its place on. Outer ones come first.
func entriesOf(p *policy.Policy) []Entry {
	var all []Entry
	at := map[string]int{}
	for q := p; q != nil; q = q.Parent() {
		for _, m := range q.Mounts() {
			if m.Real == "" {
				continue // memory and the like are for tools only
			}
			i, known := at[m.Real]
			if !known {
				i = len(all)
				at[m.Real] = i
				all = append(all, Entry{Slug: m.Slug, Real: m.Real, File: m.File, Rights: p.Rights(m.Real, nodeOf(m.File))})
			}
			if q == p {
				all[i].slugs = append(all[i].slugs, m.Slug)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Real, "/"), strings.Count(b.Real, "/")), cmp.Compare(a.Real, b.Real))
	})
	return all
}

func nodeOf(file bool) policy.Node {
	if file {
		return policy.Node{Kind: policy.File}
	}
	return policy.Node{Kind: policy.Dir}
}

// place decides the tier of one entry by itself.
func (pl *Plan) place(p *policy.Policy, own policy.Own, i int) {
	e := &pl.Entries[i]
	e.Tier = TierAbsent
	if e.Rights == policy.None {
		return
	}
	e.Tier = TierBind
	e.Needs = append(e.Needs, unevenness(p, e)...)
	e.Needs = append(e.Needs, approvals(p, e)...)
	e.Needs = append(e.Needs, shape(p, e)...)
	e.Needs = append(e.Needs, ownFiles(p, own, e)...)
	if why := systemPlace(e); why != "" {
		e.Needs = append(e.Needs, needAt(p, e, why))
	}
	if len(e.Needs) > 0 {
		e.Tier = TierGuard
	}
}

// unevenness tells what may make one object of an entry differ from another.
func unevenness(p *policy.Policy, e *Entry) []Need {
	var needs []Need
	add := func(c *policy.SecurityContext, address, text string) {
		at := c.Where(address)
		file := at.File
		if file == "" {
			file = c.File()
		}
		needs = append(needs, Need{Because: policy.Because{File: file, Line: at.Line, Text: text}})
	}
	for q := p; q != nil; q = q.Parent() {
		c := q.Context()
		if len(c.DeniedPathRegex) > 0 {
			add(c, "denied_path_regex", "denied_path_regex: patterns are not held for commands yet")
		}
		if len(c.Rules) > 0 {
			add(c, "rules", "rules: path rules are not held for commands yet")
		}
		for _, m := range q.Mounts() {
			if m.Real != "" && (within(e.Real, m.Real) || within(m.Real, e.Real)) && len(c.Paths[m.Index].DeniedPathRegex) > 0 {
				add(c, fmt.Sprintf("paths[%d].denied_path_regex", m.Index), fmt.Sprintf("denied_path_regex of %s: patterns are not held for commands yet", m.Slug))
			}
		}
	}
	return needs
}

// approvals tells which rights of an entry wait for a person.
func approvals(p *policy.Policy, e *Entry) []Need {
	var needs []Need
	for _, right := range []policy.Permission{policy.Read, policy.Write, policy.Execute, policy.Delete} {
		if e.Rights&right == 0 {
			continue
		}
		d := p.Object(e.Real, nodeOf(e.File), right)
		if d.Verdict != policy.Ask {
			continue
		}
		for _, b := range d.Because() {
			b.Text = fmt.Sprintf("%s: a command cannot wait for approval of %s yet", b.Text, right)
			needs = append(needs, Need{Because: b})
		}
	}
	return needs
}

// shape refuses sets of rights that a mount and Landlock hold only in part.
func shape(p *policy.Policy, e *Entry) []Need {
	switch {
	case e.Rights&policy.Read == 0:
		// The kernel's floor leaves getxattr and the like open on what may
		// not be read.
		return []Need{needAt(p, e, fmt.Sprintf("entry %s grants %s without read, which is not held for commands yet", e.Slug, e.Rights))}
	case e.Rights&(policy.Write|policy.Delete) == policy.Delete:
		// Landlock has no say in chmod, utime and setxattr; only a read-only
		// mount has, and that would take the delete away.
		return []Need{needAt(p, e, fmt.Sprintf("entry %s grants delete without write, which is not held for commands yet", e.Slug))}
	}
	return nil
}

// ownFiles tells which of Paddock's own files a command could reach in an
// entry. A mount over such a file would not do: it is gone as soon as somebody
// outside replaces the file, and it cannot be on a name that is not there.
func ownFiles(p *policy.Policy, own policy.Own, e *Entry) []Need {
	var needs []Need
	for _, dir := range own.Private {
		if within(dir, e.Real) {
			n := needAt(p, e, fmt.Sprintf("entry %s holds the folder in which Paddock keeps its state (%s)", e.Slug, dir))
			n.Advice = "move the state with PADDOCK_STATE to a folder outside of it"
			needs = append(needs, n)
		}
	}
	if e.Rights&(policy.Write|policy.Delete) == 0 {
		return needs
	}
	for _, file := range own.Files {
		if within(file, e.Real) {
			n := needAt(p, e, fmt.Sprintf("a command could write %s in entry %s, and Paddock itself depends on that name", file, e.Slug))
			n.Advice = "keep the policy outside of that folder, start from outside of it, and name the policy with --policy"
			needs = append(needs, n)
			break // one says it
		}
	}
	return needs
}

// needAt is a need that comes from where the entry is written.
func needAt(p *policy.Policy, e *Entry, text string) Need {
	for q := p; q != nil; q = q.Parent() {
		for _, m := range q.Mounts() {
			if m.Real == e.Real && m.Slug == e.Slug {
				at := q.Context().Where(fmt.Sprintf("paths[%d]", m.Index))
				return Need{Because: policy.Because{File: at.File, Line: at.Line, Text: text}}
			}
		}
	}
	return Need{Because: policy.Because{Text: text}}
}

// within tells whether a path is a folder or lies in it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// base is the first part of an absolute path.
func base(p string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path.Clean(p), "/"), "/")
	return first
}
