package paddock

import (
	"errors"

	"paddock/policy"
)

// Plan is what a call would do: decided, and not done.
type Plan struct {
	// Steps are the needs of the call, the first is what was asked for. What a
	// folder holds is there only where it needs approval.
	Steps []Planned
	// Ask says that a person would be asked first. The answer to that question
	// counts for nothing but the call it was asked for, so a dry run asks
	// nobody.
	Ask bool
	// Because are the lines of the policy for which a person would be asked.
	Because []policy.Because
	// Objects is how many a delete or a move is about, what a folder holds
	// included; 0 for other calls.
	Objects int
}

// Planned is one need of a Plan.
type Planned struct {
	Asked  string // "delete /a.txt"
	Rights policy.Permission
	Ask    bool
}

// errPlanned ends a call of a dry run where its effect would begin.
var errPlanned = &toldError{text: "this was a dry run: nothing was done", whole: true}

// DryRun calls do, and every call of c in it goes as far as to its first
// effect: all is looked up and decided as it would be, what is refused is the
// error, nobody is asked and nothing is changed. do returns what the call
// returned. A call that only reads does so, unless a person would be asked.
func (c *Call) DryRun(do func() error) (Plan, error) {
	plan := new(Plan)
	c.plan = plan
	defer func() { c.plan = nil }()
	if err := do(); err != nil && !errors.Is(err, errPlanned) {
		return Plan{}, err
	}
	return *plan, nil
}

// planned keeps the needs of a call of a dry run, of which none is denied, and
// tells whether the call ends here: permit, which stands before each effect,
// asks. One that only reads goes on.
func (c *Call) planned(needs []need) bool {
	*c.plan = Plan{Objects: c.plan.Objects}
	if c.gated {
		_, because, _ := c.guard.policy.InterruptOn(c.gate)
		c.plan.Ask, c.plan.Because = true, append(c.plan.Because, because)
	}
	ends := c.plan.Ask
	for i := range needs {
		n := &needs[i]
		ends = ends || n.decision.Perm&^policy.Read != 0
		ask := n.decision.Verdict == policy.Ask && !c.hasAgreed(n.decision.Real, n.decision.Perm)
		if ask {
			ends, c.plan.Ask, c.plan.Because = true, true, append(c.plan.Because, n.decision.Because()...)
		}
		c.plan.Steps = append(c.plan.Steps, Planned{Asked: n.asked, Rights: n.decision.Perm, Ask: ask})
	}
	if !ends {
		return false
	}
	verdict := policy.Allow
	if c.plan.Ask {
		verdict = policy.Ask
	}
	for i := range needs[:min(1, len(needs))] {
		d := &needs[i].decision
		c.recordLater(Event{Step: StepDecided, Asked: "dry run: " + needs[i].asked, Real: d.Real, Rights: d.Perm, Verdict: verdict.String(), Because: c.plan.Because})
	}
	return true
}
