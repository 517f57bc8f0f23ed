package sandbox

import (
	"fmt"

	"paddock/policy"
)

// nest compares each entry with the one around it. Landlock only adds: what is
// granted on a folder is granted below, whatever an inner rule says. So an
// inner entry may be wider and never narrower; a mount over it would be gone
// once somebody outside replaces the folder.
func (pl *Plan) nest(p *policy.Policy) {
	for i := range pl.Entries {
		inner := &pl.Entries[i]
		for j := i - 1; j >= 0; j-- {
			outer := &pl.Entries[j]
			if !within(inner.Real, outer.Real) || outer.Tier == TierAbsent {
				continue
			}
			if lost := outer.Rights &^ inner.Rights; lost != 0 {
				n := needAt(p, inner, fmt.Sprintf("entry %s takes %s away inside entry %s, which is not held for commands yet", inner.Slug, lost, outer.Slug))
				inner.Needs = append(inner.Needs, n)
				inner.Tier = TierGuard
			}
		}
	}
}

// What the sandbox itself grants: the system's programs to everybody, /etc for
// reading, and private folders with all rights.
const systemRights = policy.Read | policy.Execute

// systemFolders hold programs and what they need. They are read-only inside.
var systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// kernelFolders are made anew in each sandbox.
var kernelFolders = []string{"/dev", "/proc", "/sys"}

// systemPlace tells why an entry cannot be where it is, "" when it can.
func systemPlace(e *Entry) string {
	for _, dir := range append(append([]string{"/etc"}, systemFolders...), kernelFolders...) {
		if within(dir, e.Real) {
			return fmt.Sprintf("entry %s holds the system folder %s, which a command has in a form of its own", e.Slug, dir)
		}
	}
	for _, dir := range kernelFolders {
		if within(e.Real, dir) {
			return fmt.Sprintf("entry %s lies in %s, which a command has in a form of its own", e.Slug, dir)
		}
	}
	for _, dir := range systemFolders {
		if within(e.Real, dir) && systemRights&^e.Rights != 0 {
			return fmt.Sprintf("entry %s lies in %s, which every command may read and run", e.Slug, dir)
		}
	}
	return ""
}

// scratch chooses where the private HOME and temporary folder are. Rights on
// a private folder reach into the entries below it, so a narrower entry below
// /tmp moves the temporary folder away from there.
func (pl *Plan) scratch() {
	pl.home, pl.tmp = "/home/agent", "/tmp"
	for _, e := range pl.Entries {
		if within(e.Real, "/home/agent") || within("/home/agent", e.Real) {
			pl.home = "/run/paddock/home"
		}
		if within("/tmp", e.Real) || within(e.Real, "/tmp") && e.Rights != policy.All {
			pl.tmp = "/run/paddock/tmp"
		}
		pl.tmpPlain = pl.tmpPlain || within(e.Real, "/tmp")
	}
	pl.tmpPlain = pl.tmpPlain && pl.tmp != "/tmp"
	for i := range pl.Entries {
		e := &pl.Entries[i]
		if e.Tier != TierAbsent && (within("/run/paddock", e.Real) || within(e.Real, "/run/paddock")) {
			e.Tier = TierGuard
			e.Needs = append(e.Needs, Need{Because: policy.Because{Text: fmt.Sprintf("entry %s covers /run/paddock, where a command has its private folders", e.Slug)}})
		}
	}
}

// taken are the names at the top that no alias may have.
var taken = map[string]bool{
	"usr": true, "bin": true, "sbin": true, "lib": true, "lib32": true, "lib64": true, "libx32": true, "etc": true,
	"dev": true, "proc": true, "sys": true, "tmp": true, "home": true, "run": true, "var": true, "opt": true,
}

// names gives each entry its /slug, unless the name means something else
// inside: a system folder, or a folder on the way to an entry.
func (pl *Plan) names() {
	used := map[string]bool{}
	for _, e := range pl.Entries {
		used[base(e.Real)] = true
	}
	for i := range pl.Entries {
		e := &pl.Entries[i]
		for _, slug := range e.slugs {
			if slug == policy.RootSlug {
				pl.rootPath = e.Real
			}
			if e.Tier == TierBind && !taken[slug] && !used[slug] {
				e.Names = append(e.Names, "/"+slug)
				used[slug] = true
			}
		}
	}
}

// StartDir is where a command starts that asks for a folder: there when it
// lies in an entry, else in the root entry, else in the first entry that is a
// folder.
func (pl *Plan) StartDir(asked string) string {
	first := ""
	for _, e := range pl.Entries {
		if e.Tier != TierBind || e.File {
			continue
		}
		if within(asked, e.Real) {
			return asked
		}
		if first == "" || e.Real == pl.rootPath {
			first = e.Real
		}
	}
	if first == "" {
		return pl.home
	}
	return first
}
