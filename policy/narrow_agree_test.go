package policy_test

import (
	"reflect"
	"strings"
	"testing"

	"paddock/policy"
)

// TestChildrenOnlyNarrow: for random parents and the children they accept,
// nothing is allowed to the child, or free of approval, that is not to the
// parent; and so for whole chains. A child with lifted rules may be wider by
// its parent's rules alone.
func TestChildrenOnlyNarrow(t *testing.T) {
	accepted, refused, narrower, lifted, requests := 0, 0, 0, 0, 0
	for seed := uint64(1); seed <= worlds; seed++ {
		w := newWorld(t, seed)
		parent := w.policy
		for generation := 0; generation < 3; generation++ {
			worker, facts := w.worker()
			child, err := parent.SubContext("w", worker, facts)
			if err != nil {
				refused++
				if !strings.Contains(err.Error(), "sub_context cannot") {
					t.Fatalf("seed %d: refused with %q: %+v", seed, err, worker)
				}
				continue
			}
			accepted++
			if worker.RulesMayWiden && worker.Rules != nil {
				lifted++
				w.onlyRulesWiden(t, parent, child)
			} else {
				narrower += w.narrows(t, parent, child)
				requests += len(w.objects) * len(allRights)
			}
			if t.Failed() {
				t.Fatalf("seed %d generation %d: worker %+v of %s", seed, generation, worker, w.describe())
			}
			parent = child
		}
	}
	t.Logf("%d children accepted, %d refused, %d with lifted rules; of %d requests %d have a stricter answer", accepted, refused, lifted, requests, narrower)
	if accepted < 150 || refused < 80 || lifted < 15 || narrower*20 < requests {
		t.Error("too little of what is tested was made")
	}
}

// worker is a random narrower context, or one that tries to be wider.
func (w *world) worker() (policy.Worker, policy.Facts) {
	worker := policy.Worker{DeniedPathRegex: w.patterns(), Permissions: w.rights(30), RequireApprovalFor: w.rights(30)}
	if w.chance(50) {
		rules := w.rules()
		worker.Rules = &rules
		worker.RulesMayWiden = w.chance(30)
	}
	if w.chance(30) {
		worker.AllowedCommands = []string{"git *", "ls"}[:1+w.rnd.IntN(2)]
	}
	if w.chance(20) {
		worker.DeniedCommands = &[]string{"git push *"}
	}
	var facts policy.Facts
	if w.chance(50) {
		return worker, facts
	}
	for i, at := range w.facts.Places {
		if i > 0 && w.chance(40) {
			continue
		}
		e := policy.PathEntry{Slug: w.ctx.Paths[i].Slug, Path: at.Real, AllowedPermission: w.rights(100), DeniedPathRegex: w.patterns()}
		if held := w.ctx.Paths[i].AllowedPermission; held != nil && w.chance(85) {
			narrower := *held & *e.AllowedPermission
			e.AllowedPermission = &narrower
		}
		if w.chance(30) {
			at.Real = w.objects[w.rnd.IntN(len(w.objects))]
			at.File = w.tree.nodes[at.Real].Kind == policy.File
			if k := w.tree.nodes[at.Real].Kind; k != policy.Dir && k != policy.File {
				at.Real, at.File = w.facts.Places[i].Real, false
			}
		}
		worker.Paths = append(worker.Paths, e)
		facts.Places = append(facts.Places, at)
	}
	return worker, facts
}

// narrows compares every request; it counts those with a stricter answer.
func (w *world) narrows(t *testing.T, parent, child *policy.Policy) (narrower int) {
	for _, real := range w.objects {
		node := w.tree.nodes[real]
		for _, right := range allRights {
			over, under := w.verdict(parent, real, right), w.verdict(child, real, right)
			if under > over {
				t.Errorf("%s on %s is %s to the parent and %s to the child", right, real, over, under)
			}
			if under < over {
				narrower++
			}
		}
		if more := child.Rights(real, node) &^ parent.Rights(real, node); more != policy.None {
			t.Errorf("the child has %s on %s and the parent does not", more, real)
		}
		if child.Visible(real, node) && !parent.Visible(real, node) {
			t.Errorf("the child sees %s and the parent does not", real)
		}
	}
	for _, line := range []string{"ls", "git status", "git push x", "sudo ls", "make"} {
		over, under := parent.Command(line), child.Command(line)
		if under.Verdict > over.Verdict {
			t.Errorf("%q is %s to the parent and %s to the child", line, over.Verdict, under.Verdict)
		}
	}
	for right := policy.None; right <= policy.All; right++ {
		over, under := parent.Pathless(right), child.Pathless(right)
		if under.Verdict > over.Verdict {
			t.Errorf("%s without a path is %s to the parent and %s to the child", right, over.Verdict, under.Verdict)
		}
	}
	return narrower
}

// onlyRulesWiden: a child whose list replaces its parent's rules has no right
// on an object that the parent's entries and patterns do not give.
func (w *world) onlyRulesWiden(t *testing.T, parent, child *policy.Policy) {
	for _, real := range w.objects {
		for _, right := range allRights {
			over := parent.Object(real, w.tree.nodes[real], right)
			because := over.Because()
			if w.verdict(child, real, right) > over.Verdict && !strings.HasPrefix(because[0].Text, "rule ") {
				t.Errorf("%s on %s is %s to the parent, by %v, and wider to the child", right, real, over.Verdict, because)
			}
		}
	}
}

// TestEveryWorkerFieldIsHeld: each field of a worker either cannot widen, or
// its widening is refused with a message that names it. A new field fails here
// until it is decided which.
func TestEveryWorkerFieldIsHeld(t *testing.T) {
	minute := policy.Limits{Timeout: 60e9, Memory: 1 << 20, Processes: 4, Output: 1 << 10, Exec: "mounts-only"}
	parent := compileYAML(t, []string{
		"permissions: read", "paths: [{slug: root, path: /w, allowed_permission: read}]", "unlisted_commands: deny",
		"network: {allow: ['a.example.org:443']}", "limits: {timeout: 60s, memory: 1MiB, processes: 4, output: 1KiB, exec: mounts-only}",
		"interpreter: {ptc: [read_file], timeout: 1s, memory: 1MiB}", "approval: {chain: [terminal], timeout: 1m, at_least: {read: person}}",
	})
	cannot := map[string]string{
		"Description": "a text", "DeniedPathRegex": "the parent's still hold", "Rules": "the parent's still hold",
		"RulesMayWiden":   "the seed's own behaviour, for files that a person vouched for",
		"AllowedCommands": "the parent's still hold", "DeniedCommands": "the parent's still hold", "AskCommands": "the parent's still hold",
		"RequireApprovalFor": "the parent's still hold", "InterruptOn": "the parent's still hold",
	}
	all, read := policy.All, policy.Read
	wider := []struct {
		field, name string
		worker      policy.Worker
	}{
		{"Paths", "path", policy.Worker{Paths: []policy.PathEntry{{Slug: "root", Path: "/other", AllowedPermission: &read}}}},
		{"Paths", "permission(s) ['WRITE', 'EXECUTE', 'DELETE']", policy.Worker{Paths: []policy.PathEntry{{Slug: "root", Path: "/w", AllowedPermission: &all}}}},
		{"Permissions", "permissions", policy.Worker{Permissions: &all}},
		{"UnlistedCommands", "unlisted_commands", policy.Worker{UnlistedCommands: policy.UnlistedAsk}},
		{"Approval", "approval.at_least.read", policy.Worker{Approval: &policy.Approval{AtLeast: map[string]policy.Assurance{"read": policy.ByHost}}}},
		{"Approval", "approval.timeout", policy.Worker{Approval: &policy.Approval{Timeout: 120e9}}},
		{"Approval", "auto", policy.Worker{Approval: &policy.Approval{Chain: []string{"auto"}}}},
		{"Network", "network b.example.org", policy.Worker{Network: &policy.Network{Allow: []string{"b.example.org"}}}},
		{"Network", "credential", policy.Worker{Network: &policy.Network{Credentials: []policy.Credential{{Host: "a.example.org", Header: "X", Env: "TOKEN"}}}}},
		{"Network", "unix_sockets", policy.Worker{Network: &policy.Network{UnixSockets: "inside"}}},
		{"Limits", "limits.timeout", policy.Worker{Limits: with(minute, func(l *policy.Limits) { l.Timeout++ })}},
		{"Limits", "limits.memory", policy.Worker{Limits: with(minute, func(l *policy.Limits) { l.Memory++ })}},
		{"Limits", "limits.processes", policy.Worker{Limits: with(minute, func(l *policy.Limits) { l.Processes++ })}},
		{"Limits", "limits.output", policy.Worker{Limits: with(minute, func(l *policy.Limits) { l.Output++ })}},
		{"Limits", "limits.exec", policy.Worker{Limits: with(minute, func(l *policy.Limits) { l.Exec = "anywhere" })}},
		{"Interpreter", "interpreter.ptc", policy.Worker{Interpreter: &policy.Interpreter{PTC: []string{"delete"}}}},
		{"Interpreter", "interpreter", policy.Worker{Interpreter: &policy.Interpreter{Timeout: 2e9}}},
		{"Interpreter", "interpreter.clock", policy.Worker{Interpreter: &policy.Interpreter{Clock: "coarse"}}},
		{"UnrestrictedPaths", "unrestricted_paths", policy.Worker{UnrestrictedPaths: true}},
	}
	decided := map[string]bool{}
	for _, wide := range wider {
		decided[wide.field] = true
		facts := policy.Facts{}
		for _, e := range wide.worker.Paths {
			facts.Places = append(facts.Places, policy.Place{Real: e.Path})
		}
		_, err := parent.SubContext("w", wide.worker, facts)
		if err == nil || !strings.Contains(err.Error(), "sub_context cannot") || !strings.Contains(err.Error(), wide.name) {
			t.Errorf("%s wider than the parent's: %v; want %q in it", wide.field, err, wide.name)
		}
	}
	if _, err := parent.SubContext("w", policy.Worker{Rules: &[]policy.Rule{{}}}, policy.Facts{}); err == nil || !strings.Contains(err.Error(), "rules[0]") {
		t.Errorf("a worker that is no context: %v", err)
	}
	if _, err := parent.SubContext("w", policy.Worker{Paths: []policy.PathEntry{{Slug: "root", Path: "/w"}}}, policy.Facts{}); err == nil || !strings.Contains(err.Error(), "places") {
		t.Errorf("a worker without places: %v", err)
	}
	open := compileYAML(t, []string{"unrestricted_paths: true"})
	if _, err := open.SubContext("w", policy.Worker{UnlistedCommands: policy.UnlistedAllow, UnrestrictedPaths: true}, policy.Facts{}); err != nil {
		t.Errorf("a worker as free as its parent: %v", err)
	}
	for _, worker := range []policy.Worker{{}, {Limits: &minute}, {Permissions: &read}, {UnlistedCommands: policy.UnlistedDeny}} {
		if _, err := parent.SubContext("w", worker, policy.Facts{}); err != nil {
			t.Errorf("a worker that is no wider is refused: %v", err)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[policy.Worker]()) {
		if decided[f.Name] == (cannot[f.Name] != "") {
			t.Errorf("Worker.%s: nothing says whether it could widen, or two things do", f.Name)
		}
	}
}

func with(l policy.Limits, change func(*policy.Limits)) *policy.Limits {
	change(&l)
	return &l
}

// compileYAML makes a policy whose entries lie where they say.
func compileYAML(t testing.TB, lines []string) *policy.Policy {
	t.Helper()
	c, err := policy.Parse("policy.yaml", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	facts := policy.Facts{Dir: "/w"}
	for _, e := range c.Paths {
		facts.Places = append(facts.Places, policy.Place{Real: e.Path})
	}
	p, err := policy.Compile(c, facts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
