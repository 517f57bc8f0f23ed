package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"paddock/policy"
)

// TestCapped: an outermost context keeps a policy that nobody vouched for.
func TestCapped(t *testing.T) {
	own := compileYAML(t, append(slices.Clone(twoEntries), "workers: {w: {description: helps}}"))
	limit := compileYAML(t, []string{"permissions: none", "paths: [{slug: root, path: /w, allowed_permission: read}]", "unlisted_commands: deny"})
	p := own.Under(limit, "run paddock trust")
	worker, err := p.Worker("w", policy.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []*policy.Policy{p, worker, worker.Under(limit, "twice")} {
		d := q.Object("/w/a", policy.Node{}, policy.Write)
		if denial := d.Denial("write /a"); denial == nil || denial.Reason == "" || !strings.Contains(denial.Error(), "allowed here: read") {
			t.Errorf("capped: %v", denial)
		}
		if d := q.Object("/w/a", policy.Node{}, policy.Read); d.Verdict != policy.Allow {
			t.Errorf("the cap allows reading: %v", d.Because())
		}
		if q.Name() == "" || q.Context() == nil || q.Parent() == nil {
			t.Error("a capped policy has a name, a context and a parent")
		}
	}
	c := p.Command("git status")
	if denial := c.Denial(); denial == nil || denial.Reason != "run paddock trust" || denial.Because[0].Text != "run paddock trust" {
		t.Errorf("capped: %v", denial)
	}
	if own.Parent() != nil || own.Name() != "default" || worker.Name() != "w" {
		t.Errorf("names: %q %q", own.Name(), worker.Name())
	}
}

func TestSettingsOfAChain(t *testing.T) {
	parent := compileYAML(t, []string{
		"paths: [{slug: root, path: /w, allowed_permission: all}]", "approval: {timeout: 5m, at_least: {delete: host, write: person}}", "denied_names: locked", "interrupt_on: {delete: true}",
		"workers: {w: {approval: {timeout: 1m, at_least: {delete: person}}}, v: {permissions: read}}",
	})
	child, err := parent.Worker("w", policy.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		p      *policy.Policy
		rights policy.Permission
		want   policy.Assurance
	}{{parent, policy.Delete, policy.ByHost}, {parent, policy.Write, policy.ByPerson}, {parent, policy.Execute, policy.ByProgram}, {child, policy.Delete, policy.ByPerson}} {
		if got := c.p.AtLeast(c.rights); got != c.want {
			t.Errorf("at least for %s: %s; want %s", c.rights, got, c.want)
		}
	}
	if !policy.ByPerson.Enough(policy.ByHost) || policy.ByProgram.Enough(policy.ByHost) || policy.Assurance("").Enough(policy.ByProgram) {
		t.Error("the order of assurances is wrong")
	}
	bare := compileYAML(t, []string{"unrestricted_paths: true"})
	for p, want := range map[*policy.Policy]time.Duration{parent: 5 * time.Minute, child: time.Minute, bare: policy.DefaultApprovalTimeout} {
		if got := p.ApprovalTimeout(); got != want {
			t.Errorf("the timeout is %s; want %s", got, want)
		}
	}
	hidden := compileYAML(t, []string{"unrestricted_paths: true", "denied_names: hidden"})
	for _, c := range []struct {
		p    *policy.Policy
		want policy.DeniedNames
	}{{parent, policy.Locked}, {child, policy.Locked}, {bare, policy.Hidden}, {hidden, policy.Hidden}, {parent.Under(hidden, ""), policy.Hidden}} {
		if got := c.p.DeniedNames(); got != c.want {
			t.Errorf("denied names are %s; want %s", got, c.want)
		}
	}
	if _, err := parent.Worker("nobody", policy.Facts{}); err == nil {
		t.Error("a worker that is not there was made")
	}
}

// TestDecisionsOfAChain: a person may answer only as every context allows.
func TestDecisionsOfAChain(t *testing.T) {
	parent := compileYAML(t, []string{
		"paths: [{slug: root, path: /w, allowed_permission: all}]", "interrupt_on: {delete: {allowed_decisions: [approve, reject]}}",
		"workers:", "  same: {interrupt_on: {delete: true}}", "  fewer: {interrupt_on: {delete: {allowed_decisions: [approve, edit]}}}", "  other: {interrupt_on: {delete: {allowed_decisions: [respond]}}}",
	})
	for name, want := range map[string][]string{"same": {"approve", "reject"}, "fewer": {"approve"}, "other": {"reject"}} {
		child, err := parent.Worker(name, policy.Facts{})
		if err != nil {
			t.Fatal(err)
		}
		if on, _, ok := child.InterruptOn("delete"); !ok || !on.Ask || !slices.Equal(on.AllowedDecisions, want) {
			t.Errorf("%s: %+v; want %v", name, on, want)
		}
	}
}

// TestCappedLiftsNoRules: a policy that nobody vouched for may not let a
// worker out of its rules; the same policy, vouched for, may.
func TestCappedLiftsNoRules(t *testing.T) {
	own := compileYAML(t, append(slices.Clone(twoEntries), "rules: [{operations: [read], paths: [/a], mode: deny}]", "workers: {w: {rules: [], rules_may_widen: true}}"))
	limit := compileYAML(t, []string{"paths: [{slug: root, path: /w, allowed_permission: read}]"})
	_, err := own.Under(limit, "run paddock trust").Worker("w", policy.Facts{})
	if err == nil || !strings.Contains(err.Error(), "rules_may_widen") {
		t.Errorf("capped: %v", err)
	}
	if _, err := own.Worker("w", policy.Facts{}); err != nil {
		t.Errorf("vouched for: %v", err)
	}
}
