package paddock

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"time"

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
	// agreed are the needs that were approved for a walk: below a folder.
	agreed    []agreement
	questions int            // asked so far
	pending   sync.WaitGroup // records of reads, which nothing waits for
}

type agreement struct {
	real   string
	rights policy.Permission
}

// Begin starts a call of a tool. End must be called.
func (g *Guard) Begin(tool string, args json.RawMessage) *Call {
	on, _, _ := g.policy.InterruptOn(tool)
	c := &Call{guard: g, tool: tool, args: args, gated: on.Ask}
	if g.recorder != nil {
		c.id = rand.Text()
	}
	return c
}

// End records what came of the call.
func (c *Call) End(err error) {
	c.pending.Wait()
	e := Event{Step: StepOutcome}
	if err != nil {
		e.Error = err.Error()
	}
	// The outcome is recorded even of a call that was cancelled.
	_ = c.record(context.Background(), e)
}

func (c *Call) record(ctx context.Context, e Event) error {
	if c.guard.recorder == nil {
		return nil
	}
	e.Time, e.Call, e.Agent, e.Tool = time.Now(), c.id, c.guard.policy.Name(), c.tool
	return c.guard.record(ctx, e)
}

// need is one thing a call must be allowed.
type need struct {
	decision policy.Decision
	asked    string // "write /notes.txt"
	detail   func() string
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
	for i := range needs {
		if denial := needs[i].decision.Denial(needs[i].asked); denial != nil {
			return c.denied(ctx, needs[i], denial)
		}
	}
	if err := c.approve(ctx, needs); err != nil {
		return err
	}
	for i := range needs {
		if err := c.recordEffect(ctx, needs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Call) denied(ctx context.Context, n need, denial *Denial) error {
	err := c.record(ctx, Event{
		Step: StepDecided, Asked: n.asked, Real: n.decision.Real, Rights: n.decision.Perm,
		Verdict: policy.Deny.String(), Kind: denial.Kind, Because: denial.Because,
	})
	if err != nil {
		return err
	}
	return denial
}

// approve asks about every need that needs it, and about the tool itself where
// interrupt_on says so.
func (c *Call) approve(ctx context.Context, needs []need) error {
	q := question{call: c}
	if c.gated {
		_, because, _ := c.guard.policy.InterruptOn(c.tool)
		q.because = append(q.because, because)
	}
	for i := range needs {
		d := &needs[i].decision
		if d.Verdict == policy.Ask && !c.hasAgreed(d.Real, d.Perm) {
			q.because = append(q.because, d.Because()...)
		}
		q.add(needs[i])
	}
	if len(q.because) == 0 {
		return nil
	}
	c.questions++
	if err := q.ask(ctx); err != nil {
		return err
	}
	c.gated = false
	return c.decideAgain(needs)
}

// decideAgain judges the needs once more after the wait for an answer: a yes
// was given to one object under one policy, and holds for nothing else.
func (c *Call) decideAgain(needs []need) error {
	for i := range needs {
		before := &needs[i].decision
		if before.Request.Path == "" {
			continue // judged by its real path, which the effect is bound to
		}
		now, err := c.guard.policy.Decide(before.Request, c.guard.mounts)
		if err != nil {
			return failed(before.Path, err)
		}
		if denial := now.Denial(needs[i].asked); denial != nil {
			return denial
		}
		if now.Real != before.Real || now.Node != before.Node {
			return failed(before.Path, backend.ErrSwapped)
		}
	}
	return nil
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

// recordEffect writes the record before the effect. What changes something
// waits for it; a read does not.
func (c *Call) recordEffect(ctx context.Context, n need) error {
	if c.guard.recorder == nil {
		return nil
	}
	e := Event{
		Step: StepEffect, Asked: n.asked, Real: n.decision.Real, Rights: n.decision.Perm,
		Verdict: n.decision.Verdict.String(), Because: n.decision.Because(),
	}
	if n.decision.Perm&^policy.Read != 0 {
		return c.record(ctx, e)
	}
	c.pending.Go(func() { _ = c.record(context.WithoutCancel(ctx), e) })
	return nil
}
