package paddock

import (
	"context"
	"errors"
	"slices"
	"strings"

	"paddock/policy"
)

// Explanation is a decision with its reasons, for a person.
type Explanation struct {
	Verdict policy.Verdict   `json:"verdict"`
	Kind    policy.Kind      `json:"kind,omitempty"`
	Virtual string           `json:"virtual,omitempty"`
	Real    string           `json:"real,omitempty"` // where it is on this machine's disk
	Entry   string           `json:"entry,omitempty"`
	Because []policy.Because `json:"because"`
	Hint    string           `json:"hint,omitempty"`
}

// toolFor names the tool whose interrupt_on counts for a right.
var toolFor = map[policy.Permission]string{policy.Read: "read_file", policy.Write: "write_file", policy.Delete: "delete", policy.Execute: "execute"}

// Explain tells what a tool that uses a right on a path would meet, on disk:
// a delete includes what a folder holds, hard links count, interrupt_on makes
// it ask. It has no effect and asks nobody.
func (g *Guard) Explain(ctx context.Context, right policy.Permission, path string) (Explanation, error) {
	c := g.silent().Begin(toolFor[right], nil)
	needs, err := c.explained(ctx, right, path)
	if len(needs) == 0 {
		return Explanation{}, failed(path, err)
	}
	return c.explain(needs, err)
}

// silent is a Guard that keeps no record, for questions of a person.
func (g *Guard) silent() *Guard {
	quiet := *g
	quiet.recorder = nil
	return &quiet
}

// explained are the needs of the tool that uses a right on a path. What would
// make the tool fail after the policy let it is no concern here.
func (c *Call) explained(ctx context.Context, right policy.Permission, path string) ([]need, error) {
	if right == policy.Delete {
		needs, _, err := c.deletion(ctx, right.String(), path)
		return needs, err
	}
	n, err := c.decide(right.String(), policy.Request{Path: path, Perm: right})
	if err != nil {
		return nil, err
	}
	needs := []need{n}
	if d := &n.decision; right == policy.Write && d.Verdict != policy.Deny && d.Orphan && !d.Slash {
		parents, err := c.missingParents(d.Real)
		return append(needs, parents...), err
	}
	return needs, c.hardLinks(ctx, &n.decision)
}

// ExplainCommand tells what execute would meet with a command line.
func (g *Guard) ExplainCommand(ctx context.Context, line string) (Explanation, error) {
	c := g.silent().Begin(toolFor[policy.Execute], nil)
	needs, err := c.commandNeeds(ctx, line, nil, "")
	return c.explain(needs, err)
}

// explain sums up needs.
func (c *Call) explain(needs []need, err error) (Explanation, error) {
	var denial *Denial
	out := Explanation{Verdict: policy.Allow}
	first := &needs[0].decision
	out.Virtual, out.Entry, out.Because = first.Virtual(), first.Entry(), first.Because()
	var asks []policy.Because
	if out.Virtual != "" && !strings.HasPrefix(first.Real, "\x00") { // which is how what is not on disk is named
		out.Real = first.Real
	}
	if c.gated {
		_, because, _ := c.guard.policy.InterruptOn(c.tool)
		asks = append(asks, because)
	}
	for i := range needs {
		d := &needs[i].decision
		switch d.Verdict {
		case policy.Deny:
			denial := d.Denial(needs[i].asked)
			out.Verdict, out.Kind, out.Because, out.Hint = policy.Deny, d.Kind, d.Because(), denial.Reason
			return out, nil
		case policy.Ask:
			for _, b := range d.Because() {
				if !slices.Contains(asks, b) {
					asks = append(asks, b)
				}
			}
		}
	}
	if errors.As(err, &denial) {
		out.Verdict, out.Kind, out.Because, out.Hint = policy.Deny, denial.Kind, denial.Because, denial.Reason
		return out, nil
	}
	if len(asks) > 0 {
		out.Verdict, out.Because = policy.Ask, asks
	}
	return out, nil
}
