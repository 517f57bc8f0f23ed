package wire

import (
	"fmt"

	"paddock"
	"paddock/approve"
	"paddock/policy"
)

// approver makes the chain that the policy names; without one the terminal is
// asked. An untrusted policy must not answer its own questions.
func approver(c *policy.SecurityContext, trusted bool) (paddock.Approver, error) {
	if len(c.Approval.Chain) == 0 {
		return approve.NewTerminal(), nil
	}
	var ways []paddock.Approver
	var problems []policy.Problem
	for i, way := range c.Approval.Chain {
		switch way {
		case "terminal":
			ways = append(ways, approve.NewTerminal())
		case "auto_deny":
			ways = append(ways, approve.AutoDeny)
		case "auto":
			if trusted {
				ways = append(ways, approve.AutoAllow)
			}
		default:
			at := fmt.Sprintf("approval.chain[%d]", i)
			problems = append(problems, problem(c, at, "%s: this version cannot ask by %q yet; write terminal, auto or auto_deny", at, way))
		}
	}
	if len(problems) > 0 {
		return nil, &policy.LoadError{Problems: problems}
	}
	if len(ways) == 1 {
		return ways[0], nil
	}
	return approve.Chain(ways...), nil
}
