package paddock

import (
	"context"
	"errors"

	"paddock/policy"
)

// Explanation is a decision with its reasons, for a person.
type Explanation struct {
	Verdict policy.Verdict   `json:"verdict"`
	Kind    policy.Kind      `json:"kind,omitempty"`
	Virtual string           `json:"virtual,omitempty"`
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
	c := g.Begin(toolFor[right], nil)
	needs, err := c.explained(ctx, right, path)
	return c.explain(needs, err)
}

// explained are the needs of the tool that uses a right on a path.
func (c *Call) explained(ctx context.Context, right policy.Permission, path string) ([]need, error) {
	if right == policy.Delete {
		needs, _, err := c.deletion(ctx, path)
		return needs, err
	}
	n, err := c.decide(right.String(), policy.Request{Path: path, Perm: right})
	if err != nil || n.decision.Verdict == policy.Deny || n.decision.Node.Kind != policy.File {
		return []need{n}, err
	}
	b, name, err := c.guard.mounts.find(n.decision.Real)
	if err != nil {
		return nil, err
	}
	i, err := b.Stat(ctx, name)
	if err != nil {
		return nil, failed(path, err)
	}
	if right == policy.Read {
		err = c.hardRead(ctx, n.decision.Real, i)
	}
	if right == policy.Write {
		err = c.hardWrite(ctx, n.decision.Real, i)
	}
	return []need{n}, err
}

// ExplainCommand tells what execute would meet with a command line.
func (g *Guard) ExplainCommand(_ context.Context, line string) (Explanation, error) {
	c := g.Begin(toolFor[policy.Execute], nil)
	return c.explain(c.commandNeeds(line, nil, ""))
}

// explain sums up needs.
func (c *Call) explain(needs []need, err error) (Explanation, error) {
	var denial *Denial
	out := Explanation{Verdict: policy.Allow}
	if len(needs) > 0 {
		d := &needs[0].decision
		out.Virtual, out.Entry, out.Because = d.Virtual(), d.Entry(), d.Because()
	}
	if errors.As(err, &denial) {
		out.Verdict, out.Kind, out.Because, out.Hint = policy.Deny, denial.Kind, denial.Because, denial.Reason
		return out, nil
	}
	if err != nil {
		return out, failed("", err)
	}
	var asks []policy.Because
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
			asks = append(asks, d.Because()...)
		}
	}
	if len(asks) > 0 {
		out.Verdict, out.Because = policy.Ask, asks
	}
	return out, nil
}
