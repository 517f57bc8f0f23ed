package policy_test

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"paddock/policy"
)

const worlds = 150

// TestAgree holds what the policy says of folders, names and rights to what it
// says of each object, in random worlds.
func TestAgree(t *testing.T) {
	var m mix
	for seed := uint64(1); seed <= worlds; seed++ {
		w := newWorld(t, seed)
		m.count(w)
		for _, real := range w.objects {
			w.rightsAgree(t, real)
			w.roundTrip(t, real)
			if w.tree.nodes[real].Kind == policy.Dir {
				w.foldersAgree(t, real, &m)
			}
		}
		for range 30 {
			w.walksAgree(t, w.typed())
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, w.describe())
		}
	}
	m.report(t)
}

// mix counts what the generator made, so that a test of nothing is seen.
type mix struct {
	verdicts                 [3]int
	nested, few              int
	subsets                  map[policy.Permission]bool
	searchOnly, uniform      int
	safeDelete, through, gap int
}

func (m *mix) count(w *world) {
	if m.subsets == nil {
		m.subsets = map[policy.Permission]bool{}
	}
	nested := false
	for i, a := range w.facts.Places {
		if p := w.ctx.Paths[i].AllowedPermission; p != nil {
			m.subsets[*p] = true
		}
		for _, b := range w.facts.Places {
			nested = nested || strings.HasPrefix(a.Real, b.Real+"/")
		}
	}
	if nested {
		m.nested++
	}
	if len(w.facts.Places) < 3 {
		m.few++
	}
	for _, real := range w.objects {
		for _, right := range allRights {
			m.verdicts[w.verdict(w.policy, real, right)]++
		}
	}
}

func (m *mix) report(t *testing.T) {
	total := m.verdicts[0] + m.verdicts[1] + m.verdicts[2]
	t.Logf("%d worlds, %d verdicts: %d %% denied, %d %% ask; %d with nested entries, %d with fewer than three; %d right sets; %d search-only and %d uniform folders, %d safe to delete; of %d folders let through %d hold nothing",
		worlds, total, m.verdicts[0]*100/total, m.verdicts[1]*100/total, m.nested, m.few, len(m.subsets), m.searchOnly, m.uniform, m.safeDelete, m.through, m.gap)
	if m.verdicts[0]*100 < total*30 || m.verdicts[2]*100 < total*10 || m.verdicts[1]*100 < total*3 {
		t.Error("the verdicts are too much alike")
	}
	if m.nested < worlds*9/10 || m.few > 0 || len(m.subsets) != 16 || m.searchOnly < 50 || m.uniform < 50 || m.safeDelete < 50 {
		t.Error("too little of what is tested was made")
	}
}

// rightsAgree: Rights and Visible are what asking for each right says.
func (w *world) rightsAgree(t *testing.T, real string) {
	node := w.tree.nodes[real]
	held := w.held(w.policy, real)
	if got := w.policy.Rights(real, node); got != held {
		t.Errorf("the rights on %s are said to be %s and are %s", real, got, held)
	}
	for _, both := range []policy.Permission{policy.Read | policy.Write, policy.All, policy.Write | policy.Delete} {
		want := policy.Allow
		for _, right := range allRights {
			if both&right != 0 {
				want = min(want, w.verdict(w.policy, real, right))
			}
		}
		if got := w.verdict(w.policy, real, both); got != want {
			t.Errorf("%s on %s is %s and the rights one by one are %s", both, real, got, want)
		}
	}
	w.shellAgrees(t, real, held)
	visible := w.policy.Visible(real, node)
	if node.Kind != policy.Dir && visible != (held != policy.None) || held != policy.None && !visible {
		t.Errorf("%s with rights %s: visible is %v", real, held, visible)
	}
	if any := w.verdict(w.policy, real, policy.None) != policy.Deny; any != visible {
		t.Errorf("%s may be looked at: %v, and is visible: %v", real, any, visible)
	}
}

// shellAgrees: what a shell opens by the real name has the verdict of the
// object, wherever the shell stands.
func (w *world) shellAgrees(t *testing.T, real string, held policy.Permission) {
	if w.tree.nodes[real].Kind == policy.Link {
		return
	}
	for _, right := range allRights {
		d, err := w.policy.DecideFrom("/w", real, right, w.tree)
		if err != nil || (d.Verdict != policy.Deny) != held.Has(right) {
			t.Errorf("%s on %s from a shell: %s, %v; the rights are %s", right, real, d.Verdict, err, held)
		}
	}
}

// roundTrip: the name that is shown for an object leads back to it.
func (w *world) roundTrip(t *testing.T, real string) {
	virtual := w.policy.Virtual(real)
	d, err := w.policy.Decide(policy.Request{Path: virtual, KeepLink: true}, w.tree)
	if err != nil {
		t.Errorf("%s is shown as %s, which is an error: %v", real, virtual, err)
		return
	}
	stopped := d.Verdict == policy.Deny && strings.HasPrefix(real, d.Real+"/")
	if d.Real != real && !stopped {
		t.Errorf("%s is shown as %s, which leads to %s (%s)", real, virtual, d.Real, d.Verdict)
	}
}

// foldersAgree: what is said of a folder holds for everything in it.
func (w *world) foldersAgree(t *testing.T, dir string, m *mix) {
	p := w.policy
	uniform, mayDeny := p.Uniform(dir), p.MayDenyBelow(dir)
	granted := false
	for _, real := range w.below(dir) {
		granted = granted || w.held(p, real) != policy.None
		for _, right := range allRights {
			here, there := w.verdict(p, dir, right), w.verdict(p, real, right)
			if uniform && here != there {
				t.Errorf("%s is uniform, and %s is %s there and %s on %s", dir, right, here, there, real)
			}
			if _, asks := p.AskBelow(dir, right); there == policy.Ask && !asks {
				t.Errorf("nothing below %s asks for %s, and %s does", dir, right, real)
			}
			if right&(policy.Write|policy.Delete) != 0 && !mayDeny && here != policy.Deny && there == policy.Deny {
				t.Errorf("nothing below %s may be denied, and %s is on %s", dir, right, real)
			}
		}
	}
	reads := w.verdict(p, dir, policy.Read) != policy.Deny
	searchOnly := p.SearchOnly(dir)
	if granted && !p.Visible(dir, policy.Node{Kind: policy.Dir}) {
		t.Errorf("%s holds something that is granted and is not shown", dir)
	}
	if granted && !reads && !searchOnly || reads && searchOnly {
		t.Errorf("%s: search-only is %v; read is granted: %v, something below: %v", dir, searchOnly, reads, granted)
	}
	if searchOnly {
		m.searchOnly++
	}
	if uniform {
		m.uniform++
	}
	if !mayDeny {
		m.safeDelete++
	}
	if w.held(p, dir) == policy.None && p.Visible(dir, policy.Node{Kind: policy.Dir}) {
		m.through++
		if !granted {
			m.gap++
		}
	}
}

// typed is a path as an agent may write it.
func (w *world) typed() string {
	parts := []string{}
	for range 1 + w.rnd.IntN(5) {
		part := w.name()
		switch {
		case w.chance(15):
			part = ".."
		case w.chance(10):
			part = []string{".", "", "root", "m1", "m2"}[w.rnd.IntN(5)]
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, "/")
	switch {
	case w.chance(40):
		text = "/" + text
	case w.chance(20):
		text = w.objects[w.rnd.IntN(len(w.objects))] + "/" + text
	case w.chance(30):
		text = w.policy.Virtual(w.objects[w.rnd.IntN(len(w.objects))])
	}
	if w.chance(10) {
		text += "/"
	}
	return text
}

// walksAgree: the short cut and the walk part by part give one answer, and a
// refusal is the same whether the name exists or not.
func (w *world) walksAgree(t *testing.T, typed string) {
	if typed == "" {
		return
	}
	req := policy.Request{Path: typed, Perm: allRights[w.rnd.IntN(4)], KeepLink: w.chance(30)}
	slow := *w.tree
	slow.slow = true
	d1, err1 := w.policy.Decide(req, w.tree)
	d2, err2 := w.policy.Decide(req, &slow)
	if (err1 == nil) != (err2 == nil) || err1 != nil && err1.Error() != err2.Error() {
		t.Errorf("%q: %v by the short cut and %v walking", typed, err1, err2)
		return
	}
	if err1 != nil {
		var path *policy.PathError
		if !errors.As(err1, &path) {
			t.Errorf("%q: %T %v", typed, err1, err1)
		}
		return
	}
	if d1.Verdict != d2.Verdict || d1.Kind != d2.Kind || d1.Verdict != policy.Deny && d1.Real != d2.Real {
		t.Errorf("%+v: %s %s of %s by the short cut, %s %s of %s walking", req, d1.Verdict, d1.Kind, d1.Real, d2.Verdict, d2.Kind, d2.Real)
	}
	if d1.Verdict == policy.Deny {
		return
	}
	if w.policy.Virtual(d1.Real) == "" {
		t.Errorf("%q leads to %s, outside every entry", typed, d1.Real)
	}
	if d1.Node != w.tree.nodes[d1.Real] {
		t.Errorf("%q: the node of %s is %v and the decision says %v", typed, d1.Real, w.tree.nodes[d1.Real], d1.Node)
	}
}

// TestHiddenTellsNothing takes each object that has no right left out of the
// tree, and asks again: the answers must be the same.
func TestHiddenTellsNothing(t *testing.T) {
	hidden := 0
	for seed := uint64(1); seed <= worlds/2; seed++ {
		w := newWorld(t, seed)
		for _, real := range w.objects {
			node, there := w.tree.nodes[real]
			missing := w.policy.Object(real, policy.Node{}, policy.Read)
			if !there || w.policy.Rights(real, policy.Node{}) != policy.None || w.policy.Visible(real, node) || w.policy.Visible(real, policy.Node{Kind: policy.Dir}) {
				continue // a folder pattern is about folders only: what is missing is none
			}
			if w.holdsEntry(real) {
				continue // an entry is there, whatever it grants
			}
			if because := missing.Because(); node.Kind == policy.Link && !strings.HasPrefix(because[0].Text, "denied_path_regex") {
				continue // entry rights do not count for a link that is followed
			}
			hidden++
			without := &tree{t: t, nodes: map[string]policy.Node{}}
			for name, n := range w.tree.nodes {
				if name != real && !strings.HasPrefix(name, real+"/") {
					without.nodes[name] = n
				}
			}
			name := w.policy.Virtual(real)
			for _, typed := range []string{name, name + "/", name + "/x", name + "/../a", name + "/x/../..", path.Join(name, "a", "b")} {
				if before, after := w.said(typed, w.tree), w.said(typed, without); before != after {
					t.Fatalf("seed %d: %s tells that %s exists: %q, and %q without it: %s", seed, typed, real, before, after, w.describe())
				}
			}
		}
	}
	t.Logf("%d hidden objects", hidden)
	if hidden < 400 {
		t.Error("too few objects were hidden")
	}
}

// holdsEntry tells whether an entry lies at or below a path.
func (w *world) holdsEntry(real string) bool {
	return slices.ContainsFunc(w.facts.Places, func(p policy.Place) bool { return p.Real == real || strings.HasPrefix(p.Real, real+"/") })
}

// said is what an agent is told of a path.
func (w *world) said(typed string, r policy.Resolver) string {
	d, err := w.policy.Decide(policy.Request{Path: typed, Perm: policy.Read}, r)
	if err != nil {
		return err.Error()
	}
	if denial := d.Denial("read it"); denial != nil {
		return denial.Error()
	}
	if d.Node.Kind == policy.Missing {
		return fs.ErrNotExist.Error()
	}
	return "it is there"
}
