package policy_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"paddock/policy"
)

// A world is a random policy over a random tree. Equal seeds make equal
// worlds.
type world struct {
	rnd    *rand.Rand
	tree   *tree
	ctx    *policy.SecurityContext
	facts  policy.Facts
	policy *policy.Policy
	// objects are real paths: each node of the tree below an entry, and some
	// names that are not there.
	objects []string
}

// Names collide on purpose: with slugs, with patterns, with each other.
var (
	worldNames    = []string{"a", "b", "c", "d", ".env", "x.key", "m1", "root", "w", "é", "e\u0301", "B"}
	worldPatterns = []string{"*.key", ".env", "/a", "b/", "a/b", "**/c/**", "!x.key", "!a", "*", "!*/", "c/*", "!c/d", "m1", "é", "[ab]", "!b/"}
	worldGlobs    = []string{"/**", "/a", "/a/**", "/*/b", "/**/c", "/m1/**", "/root/**", "/root/a", "/m2", "/m2/a/*", "/{a,b}/**", "/*.key", "/**/.env", "/a/b/", "/?", "/m1/*/a/**", "/**/d/x.key"}
	worldModes    = []policy.Mode{policy.ModeAllow, policy.ModeDeny, policy.ModeInterrupt, ""}
	allRights     = []policy.Permission{policy.Read, policy.Write, policy.Execute, policy.Delete}
)

func newWorld(t testing.TB, seed uint64) *world {
	w := &world{rnd: rand.New(rand.NewPCG(seed, 42)), tree: newTree(t)}
	w.grow("/w", 0)
	w.policyOver(w.mountPoints())
	var err error
	if w.policy, err = policy.Compile(w.ctx, w.facts); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	for _, name := range slices.Sorted(maps.Keys(w.tree.nodes)) {
		w.objects = append(w.objects, name)
		if w.tree.nodes[name].Kind == policy.Dir {
			w.objects = append(w.objects, path.Join(name, w.name()), path.Join(name, w.name(), w.name()))
		}
	}
	slices.Sort(w.objects)
	w.objects = slices.Compact(w.objects)
	w.objects = slices.DeleteFunc(w.objects, func(name string) bool { return w.policy.Virtual(name) == "" || !w.straight(name) })
	return w
}

// straight tells whether no folder above a name is a link or a file.
func (w *world) straight(name string) bool {
	for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
		if k := w.tree.nodes[dir].Kind; k == policy.Link || k == policy.File {
			return false
		}
	}
	return true
}

func (w *world) name() string { return worldNames[w.rnd.IntN(len(worldNames))] }

func (w *world) chance(n int) bool { return w.rnd.IntN(100) < n }

// grow fills a folder.
func (w *world) grow(dir string, depth int) {
	w.tree.add(dir, policy.Node{Kind: policy.Dir})
	for range 2 + w.rnd.IntN(4) {
		name := path.Join(dir, w.name())
		if _, there := w.tree.nodes[name]; there {
			continue
		}
		switch n := w.rnd.IntN(10); {
		case n < 5 && depth < 4:
			w.grow(name, depth+1)
		case n < 6:
			w.tree.add(name, policy.Node{Kind: policy.Link, Target: w.target()})
		default:
			w.tree.add(name, policy.Node{Kind: policy.File})
		}
	}
}

// target is the text of a link.
func (w *world) target() string {
	parts := []string{}
	for range 1 + w.rnd.IntN(3) {
		part := w.name()
		if w.chance(30) {
			part = ".."
		}
		parts = append(parts, part)
	}
	if w.chance(20) {
		return "/w/" + strings.Join(parts, "/")
	}
	return strings.Join(parts, "/")
}

// mountPoints picks where entries lie: at least three, one in another.
func (w *world) mountPoints() []string {
	var folders []string
	for name, n := range w.tree.nodes {
		if n.Kind == policy.Dir && strings.HasPrefix(name, "/w/") {
			folders = append(folders, name)
		}
	}
	slices.Sort(folders)
	w.rnd.Shuffle(len(folders), func(i, j int) { folders[i], folders[j] = folders[j], folders[i] })
	points := append([]string{"/w"}, folders[:min(len(folders), 3+w.rnd.IntN(3))]...)
	for len(points) < 4 {
		points = append(points, path.Join(points[len(points)-1], "m"))
		w.tree.add(points[len(points)-1], policy.Node{Kind: policy.Dir})
	}
	if w.chance(15) {
		points = append(points, points[1]) // two entries on one directory
	}
	w.rnd.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	if w.chance(40) {
		return points[1:] // the whole is not always an entry
	}
	return points
}

func (w *world) policyOver(points []string) {
	w.ctx = &policy.SecurityContext{DeniedPathRegex: w.patterns(), Permissions: w.rights(60), RequireApprovalFor: w.rights(30), Rules: w.rules()}
	for i, point := range points {
		e := policy.PathEntry{Path: point, Slug: fmt.Sprintf("m%d", i), AllowedPermission: w.rights(80), DeniedPermission: w.rights(20), DeniedPathRegex: w.patterns()}
		if i == 0 {
			e.Slug = policy.RootSlug
		}
		if e.AllowedPermission != nil && w.chance(40) {
			required := *e.AllowedPermission & policy.Permission(w.rnd.IntN(16))
			e.RequiredPermission = &required
		}
		w.ctx.Paths = append(w.ctx.Paths, e)
		w.facts.Places = append(w.facts.Places, policy.Place{Real: point})
	}
	if w.chance(20) {
		w.facts.Own.Files = []string{path.Join(points[0], w.name())}
		w.facts.Own.Private = []string{path.Join(points[0], w.name(), w.name())}
	}
	w.facts.Dir = "/w"
}

// rights is a random set, nil when chance does not have it written.
func (w *world) rights(chance int) *policy.Permission {
	set := policy.Permission(w.rnd.IntN(16))
	if !w.chance(chance) {
		return nil
	}
	if w.chance(60) && chance > 50 {
		set |= policy.Read
	}
	return &set
}

func (w *world) patterns() []string {
	if w.chance(60) {
		return nil
	}
	var list []string
	for range 1 + w.rnd.IntN(3) {
		list = append(list, worldPatterns[w.rnd.IntN(len(worldPatterns))])
	}
	return list
}

func (w *world) rules() []policy.Rule {
	var list []policy.Rule
	for w.chance(55) && len(list) < 6 {
		r := policy.Rule{Operations: []policy.Operation{policy.OpRead}, Mode: worldModes[w.rnd.IntN(len(worldModes))]}
		if w.chance(50) {
			r.Operations[0] = policy.OpWrite
		}
		if w.chance(40) {
			r.Operations = []policy.Operation{policy.OpRead, policy.OpWrite}
		}
		for range 1 + w.rnd.IntN(2) {
			r.Paths = append(r.Paths, worldGlobs[w.rnd.IntN(len(worldGlobs))])
		}
		list = append(list, r)
	}
	return list
}

// below are the objects in a folder.
func (w *world) below(dir string) []string {
	var all []string
	for _, o := range w.objects {
		if strings.HasPrefix(o, dir+"/") {
			all = append(all, o)
		}
	}
	return all
}

// verdict judges one object for one set of rights.
func (w *world) verdict(p *policy.Policy, real string, perm policy.Permission) policy.Verdict {
	d := p.Object(real, w.tree.nodes[real], perm)
	return d.Verdict
}

// held are the rights on an object, asked one by one.
func (w *world) held(p *policy.Policy, real string) policy.Permission {
	var set policy.Permission
	for _, right := range allRights {
		if w.verdict(p, real, right) != policy.Deny {
			set |= right
		}
	}
	return set
}

// describe is what a failure needs to be understood.
func (w *world) describe() string {
	var b strings.Builder
	for i, e := range w.ctx.Paths {
		fmt.Fprintf(&b, "\n  %s at %s: allowed %v required %v denied %v patterns %q", e.Slug, w.facts.Places[i].Real, show(e.AllowedPermission), show(e.RequiredPermission), show(e.DeniedPermission), e.DeniedPathRegex)
	}
	return fmt.Sprintf("%s\n  patterns %q permissions %v rules %+v own %+v", b.String(), w.ctx.DeniedPathRegex, show(w.ctx.Permissions), w.ctx.Rules, w.facts.Own)
}

func show(p *policy.Permission) string {
	if p == nil {
		return "-"
	}
	return p.String()
}
