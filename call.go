package paddock

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"

	"paddock/backend"
	"paddock/policy"
)

// Call is one tool call. Every need of it is decided before its first effect,
// and a person is asked at most once for what it walks over. It is not safe
// for concurrent use.
type Call struct {
	guard *Guard
	id    string
	tool  string
	args  json.RawMessage
	// gated says that interrupt_on asks for this tool; the first need of the
	// call carries the question, and a yes to it holds for the call.
	gated bool
	gate  string // the tool whose interrupt_on counts
	// agreed are the needs that were approved for a walk: below a folder.
	agreed    []agreement
	questions int   // asked so far
	plan      *Plan // not nil in a dry run
	trail     trail
}

type agreement struct {
	real   string
	rights policy.Permission
}

// Begin starts a call of a tool. End must be called.
func (g *Guard) Begin(tool string, args json.RawMessage) *Call {
	on, _, _ := g.policy.InterruptOn(tool)
	c := &Call{guard: g, tool: tool, gate: tool, args: args, gated: on.Ask}
	if g.recorder != nil {
		c.id = rand.Text()
	}
	return c
}

// need is one thing a call must be allowed.
type need struct {
	decision policy.Decision
	asked    string // "write /notes.txt"
	detail   func() string
	content  []byte // that would be written; the record holds its size and digest
	// from is the folder in which a shell would open the path, "" for a path
	// that is looked up in the mount table.
	from string
}

// decide judges a request. An error is for the agent.
func (c *Call) decide(verb string, req policy.Request) (need, error) {
	d, err := c.guard.policy.Decide(req, c.guard.mounts)
	n := need{decision: d, asked: verb + " " + req.Path}
	if err != nil {
		return n, failed(req.Path, err)
	}
	return n, nil
}

// permit lets a call go on: every need is decided already; what is denied ends
// it, what needs approval is asked in one question, decided once more, and the
// record is written. Only then may there be an effect.
func (c *Call) permit(ctx context.Context, needs ...need) error {
	if err := c.refuse(needs...); err != nil {
		return err
	}
	if c.plan != nil && c.planned(needs) {
		return errPlanned
	}
	if err := c.approve(ctx, needs); err != nil {
		return err
	}
	return c.recordEffects(ctx, needs)
}

// refuse ends a call of which something is denied. Nobody is asked.
func (c *Call) refuse(needs ...need) error {
	for i := range needs {
		d := &needs[i].decision
		denial := d.Denial(needs[i].asked)
		if denial == nil {
			continue
		}
		c.recordLater(Event{
			Step: StepDecided, Asked: needs[i].asked, Real: d.Real, Rights: d.Perm, Verdict: policy.Deny.String(), Kind: denial.Kind, Because: denial.Because,
		})
		return denial
	}
	return nil
}

// approve asks about every need that needs it, and about the tool itself where
// interrupt_on says so.
func (c *Call) approve(ctx context.Context, needs []need) error {
	q := question{call: c}
	if c.gated {
		_, because, _ := c.guard.policy.InterruptOn(c.gate)
		q.because = append(q.because, because)
	}
	for i := range needs {
		d := &needs[i].decision
		if d.Verdict == policy.Ask && !c.hasAgreed(d.Real, d.Perm) {
			for _, b := range d.Because() {
				if !slices.Contains(q.because, b) { // one line can want a yes for many needs
					q.because = append(q.because, b)
				}
			}
		}
	}
	if len(q.because) == 0 {
		return nil
	}
	for i := range needs {
		q.add(needs[i])
	}
	before := c.look(ctx, needs)
	c.questions++
	if err := q.ask(ctx); err != nil {
		return err
	}
	c.gated = false
	return c.decideAgain(ctx, needs, before)
}

// asks tells whether a person must be asked about a need.
func (c *Call) asks(n *need) bool {
	return c.gated || n.decision.Verdict == policy.Ask && !c.hasAgreed(n.decision.Real, n.decision.Perm)
}

// look describes what stands under the real path of each need; the zero Info
// where there is nothing.
func (c *Call) look(ctx context.Context, needs []need) []backend.Info {
	all := make([]backend.Info, len(needs))
	for i := range needs {
		if b, name, err := c.guard.mounts.find(needs[i].decision.Real); err == nil {
			all[i], _ = b.Stat(ctx, name) // what cannot be looked at is as good as missing
		}
	}
	return all
}

// decideAgain judges the needs once more after the wait for an answer: a yes
// was given to one object under one policy, and holds for nothing else.
func (c *Call) decideAgain(ctx context.Context, needs []need, seen []backend.Info) error {
	now := c.look(ctx, needs)
	for i := range needs {
		before := &needs[i].decision
		if !same(seen[i], now[i], before.Perm) {
			return backend.ErrSwapped
		}
		if before.Path == "" {
			continue // judged by its real path, which the effect is bound to
		}
		again, err := c.judge(needs[i].from, before.Request)
		if err != nil {
			return err
		}
		if denial := again.Denial(needs[i].asked); denial != nil {
			return denial
		}
		if again.Real != before.Real || again.Node != before.Node {
			return backend.ErrSwapped
		}
	}
	return nil
}

func (c *Call) judge(from string, req policy.Request) (policy.Decision, error) {
	if from != "" {
		return c.guard.policy.DecideFrom(from, req.Path, req.Perm, c.guard.mounts)
	}
	return c.guard.policy.Decide(req, c.guard.mounts)
}

// same tells whether an object is still the one that was seen. Who is asked
// about more than reading a file has agreed to change the content it had.
func same(before, now backend.Info, perm policy.Permission) bool {
	if before.Kind != now.Kind || before.ID != now.ID {
		return false
	}
	return now.Kind != backend.File || perm&^policy.Read == 0 || before.Size == now.Size && before.ModTime.Equal(now.ModTime)
}

func (c *Call) hasAgreed(real string, rights policy.Permission) bool {
	for _, a := range c.agreed {
		if a.rights.Has(rights) && under(real, a.real) {
			return true
		}
	}
	return false
}

func under(path, dir string) bool {
	return path == dir || dir == "/" || len(path) > len(dir) && path[:len(dir)] == dir && path[len(dir)] == '/'
}
