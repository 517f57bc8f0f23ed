package glob

import "strings"

// Anchor returns the folder or name that everything the pattern matches lies at or below: its leading components that
// hold no wildcard, "/" if there are none. Of several alternatives it is what they share.
func (g *Glob) Anchor() string {
	shared := g.alts[0].fixed()
	for i := range g.alts[1:] {
		next := g.alts[i+1].fixed()
		n := 0
		for n < len(shared) && n < len(next) && shared[n].text == next[n].text {
			n++
		}
		shared = shared[:n]
	}
	return joinParts(shared)
}

// fixed returns the leading components without wildcards.
func (a *alternative) fixed() []part {
	for i, p := range a.parts {
		if p.kind != partText {
			return a.parts[:i]
		}
	}
	return a.parts
}

func joinParts(parts []part) string {
	if len(parts) == 0 {
		return "/"
	}
	var out strings.Builder
	for _, p := range parts {
		out.WriteByte('/')
		out.WriteString(p.text)
	}
	return out.String()
}

// MayMatchBelow reports whether the pattern could match dir or a name below it. It errs to true.
func (g *Glob) MayMatchBelow(dir string) bool {
	for i := range g.alts {
		if g.alts[i].mayMatchBelow(dir) {
			return true
		}
	}
	return false
}

func (a *alternative) mayMatchBelow(dir string) bool {
	rest := trimSlashes(dir)
	for _, p := range a.parts {
		if rest == "" || p.kind == partDirs {
			return true // some name fits what is left
		}
		var component string
		component, rest = cutComponent(rest)
		if !p.match(component, a.visible) {
			return false
		}
	}
	return rest == ""
}

// CoversTree reports whether the pattern surely matches dir and every name that can be below it. It errs to false.
func (g *Glob) CoversTree(dir string) bool {
	for i := range g.alts {
		if g.alts[i].coversTree(dir) {
			return true
		}
	}
	return false
}

// coversTree relies on `**` at the end: what it matched for dir it can lengthen by any component. Plain `*` components
// behind it only move along.
func (a *alternative) coversTree(dir string) bool {
	last := len(a.parts) - 1
	for last >= 0 && a.parts[last].kind == partWild && len(a.parts[last].ops) == 1 && a.parts[last].ops[0].kind == opStar {
		last--
	}
	return last >= 0 && a.parts[last].kind == partDirs && !a.dirOnly && a.match(dir)
}

// DeleteBlocked reports whether a rule that denies writing to what the pattern matches stands against the deletion of
// target with all that may be below it. It is for stores that can't list what is there, so it goes by the form of the
// pattern and errs to true. It asks whether the pattern could match target, a name below it, or a folder that target
// lies in. For the last it goes by the anchor: it says no only if a single component is left below that, in which no `**`
// stands, and that component doesn't match the folder towards target.
func (g *Glob) DeleteBlocked(target string) bool {
	for i := range g.alts {
		if g.alts[i].deleteBlocked(target) {
			return true
		}
	}
	return false
}

func (a *alternative) deleteBlocked(target string) bool {
	fixed := a.fixed()
	rest := trimSlashes(target)
	for _, p := range fixed {
		if rest == "" {
			return true // the anchor lies below target
		}
		var component string
		component, rest = cutComponent(rest)
		if component != p.text {
			return false // they lie apart
		}
	}
	wild := a.parts[len(fixed):]
	switch {
	case len(wild) == 0, rest == "", len(fixed) == 0:
		return true
	case len(wild) > 1 || wild[0].kind == partDirs:
		return true
	}
	component, _ := cutComponent(rest)
	return wild[0].match(component, a.visible)
}

// Overlap reports whether one of two paths is the other or lies below it, component by component.
func Overlap(a, b string) bool {
	for {
		a, b = trimHere(a), trimHere(b)
		if a == "" || b == "" {
			return true
		}
		var x, y string
		x, a = cutComponent(a)
		y, b = cutComponent(b)
		if x != y {
			return false
		}
	}
}

// trimHere drops leading slashes and `.` components.
func trimHere(path string) string {
	for {
		path = trimSlashes(path)
		if path != "." && !strings.HasPrefix(path, "./") {
			return path
		}
		path = path[1:]
	}
}
