package policy_test

import (
	"testing"

	"paddock/policy"
)

// TestAgreeCatchesAFlippedVerdict is the control of TestAgree: a policy that
// differs in one line must be told from the world's own by what it says of
// folders and rights, in most of the worlds where the line means anything.
func TestAgreeCatchesAFlippedVerdict(t *testing.T) {
	planted, caught := 0, 0
	for seed := uint64(1); seed <= worlds; seed++ {
		w := newWorld(t, seed)
		faulty := w.faulty(t)
		if faulty == nil {
			continue
		}
		means, told := false, false
		for _, real := range w.objects {
			node := w.tree.nodes[real]
			means = means || w.held(w.policy, real) != w.held(faulty, real)
			// What TestAgree compares, with the faulty policy in one place.
			told = told || faulty.Rights(real, node) != w.held(w.policy, real) || faulty.Visible(real, node) != w.policy.Visible(real, node)
		}
		if means {
			planted++
			if told {
				caught++
			}
		}
	}
	t.Logf("%d faults planted that mean anything, %d caught", planted, caught)
	if planted < 30 || caught*10 < planted*9 {
		t.Error("the comparison misses faults")
	}
}

// faulty is the world's policy with one restriction gone: the last pattern of a
// list, or the mode of a rule turned round. Nil when there is none.
func (w *world) faulty(t *testing.T) *policy.Policy {
	c := *w.ctx
	switch {
	case len(c.DeniedPathRegex) > 0:
		c.DeniedPathRegex = c.DeniedPathRegex[:len(c.DeniedPathRegex)-1]
	case len(c.Rules) > 0:
		c.Rules = append([]policy.Rule(nil), c.Rules...)
		last := &c.Rules[len(c.Rules)-1]
		if last.Mode == policy.ModeDeny {
			last.Mode = policy.ModeAllow
		} else {
			last.Mode = policy.ModeDeny
		}
	default:
		return nil
	}
	p, err := policy.Compile(&c, w.facts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
