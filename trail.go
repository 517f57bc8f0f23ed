package paddock

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"paddock/policy"
)

// trail is what a call has told the recorder so far. Its events are kept in
// order.
type trail struct {
	last  chan struct{} // closed when the last event that nothing waited for is kept
	waits bool          // the call does more than read: its outcome is waited for
}

// End records what came of the call, also of one that was cancelled.
func (c *Call) End(err error) {
	if c.guard.recorder == nil {
		return
	}
	e := Event{Step: StepOutcome}
	if err != nil {
		e.Error = err.Error()
	}
	var denial *Denial
	if errors.As(err, &denial) {
		e.Verdict, e.Kind, e.Because = policy.Deny.String(), denial.Kind, denial.Because
	}
	if !c.trail.waits {
		c.recordLater(e)
		return
	}
	_ = c.record(context.Background(), e)
}

// record keeps an event, and waits until it is kept.
func (c *Call) record(ctx context.Context, e Event) error {
	g := c.guard
	if g.recorder == nil {
		return nil
	}
	c.trail.waits = true
	c.stamp(&e)
	if c.trail.last != nil {
		<-c.trail.last
	}
	if err := g.recorder.Record(ctx, e); err != nil {
		return &toldError{text: "the record could not be written, so nothing was done", whole: true, cause: err}
	}
	return nil
}

// recordLater keeps an event that nothing waits for: of a read or a refusal,
// which change nothing.
func (c *Call) recordLater(e Event) {
	g := c.guard
	if g.recorder == nil {
		return
	}
	c.stamp(&e)
	before, done := c.trail.last, make(chan struct{})
	c.trail.last = done
	g.backlog.add(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		_ = g.recorder.Record(context.Background(), e)
	})
}

// backlog holds the events that nothing waits for, of a Guard and its workers.
type backlog struct {
	under sync.WaitGroup
	room  chan struct{}
}

// maxBacklog bounds how far a slow recorder may fall behind the reads. Then
// they wait for it after all, rather than fill the memory.
const maxBacklog = 4096

func newBacklog() *backlog { return &backlog{room: make(chan struct{}, maxBacklog)} }

func (b *backlog) add(keep func()) {
	b.room <- struct{}{}
	b.under.Go(func() {
		defer func() { <-b.room }()
		keep()
	})
}

func (c *Call) stamp(e *Event) {
	e.Time, e.Call, e.Agent, e.Tool = time.Now(), c.id, c.guard.policy.Name(), c.tool
}

// maxEffects bounds how many needs of one call are recorded one by one: what a
// folder holds is counted behind them.
const maxEffects = 100

// recordEffects writes the record before the effect. What changes something
// waits for it; a read does not.
func (c *Call) recordEffects(ctx context.Context, needs []need) error {
	if c.guard.recorder == nil {
		return nil
	}
	more := 0
	if len(needs) > maxEffects {
		needs, more = needs[:maxEffects], len(needs)-maxEffects
	}
	for i := range needs {
		d := &needs[i].decision
		e := Event{
			Step: StepEffect, Asked: needs[i].asked, Real: d.Real, Rights: d.Perm, Verdict: d.Verdict.String(), Because: d.Because(),
		}
		if content := needs[i].content; content != nil {
			sum := sha256.Sum256(content)
			e.Bytes, e.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
		}
		if i == len(needs)-1 && more > 0 {
			e.Asked += fmt.Sprintf(" and %d more", more)
		}
		if d.Perm&^policy.Read == 0 && c.questions == 0 {
			c.recordLater(e)
			continue
		}
		if err := c.record(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
