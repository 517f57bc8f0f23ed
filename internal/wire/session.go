package wire

import (
	"context"
	"fmt"

	"paddock"
	"paddock/backend"
)

// Session makes the Guard of one more thread of a principal: the disk mounts
// are those of the setup, the memory mounts are its own and empty. With the
// name of a worker it has that worker's rights. The record, and who is asked,
// see the principal's name before that of the policy. end gives the mounts up;
// call it before the setup is closed.
func (setup *Setup) Session(principal, worker string) (g *paddock.Guard, end func(), err error) {
	own := map[string]backend.Backend{}
	for i := range setup.Context.Paths {
		if e := &setup.Context.Paths[i]; e.Backend == "memory" {
			own[e.Slug] = backend.NewMemory(memoryCap)
		}
	}
	base, err := setup.Guard.Session(own)
	if err != nil {
		return nil, nil, fmt.Errorf("a new session: %w", err)
	}
	end = func() { _ = base.Close() } // memory has nothing to lose
	by := principalOf(principal)
	ask := paddock.Approver(asking{setup.Approver, by})
	var keep paddock.Recorder
	if setup.Record != nil {
		keep = recording{setup.Record, by}
	}
	g = base.Through(ask, keep)
	if worker == "" {
		return g, end, nil
	}
	g, err = g.Worker(worker, ask)
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("a new session of the worker %s: %w", worker, err)
	}
	return g, end, nil
}

// principalOf writes a principal before the name of the context it acts in.
type principalOf string

func (p principalOf) agent(context string) string { return string(p) + ":" + context }

// asking and recording tell for whom.
type (
	asking struct {
		to paddock.Approver
		by principalOf
	}
	recording struct {
		to paddock.Recorder
		by principalOf
	}
)

// Request implements paddock.Approver.
func (a asking) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	r.Agent = a.by.agent(r.Agent)
	return a.to.Request(ctx, r)
}

// Record implements paddock.Recorder.
func (k recording) Record(ctx context.Context, e paddock.Event) error {
	e.Agent = k.by.agent(e.Agent)
	return k.to.Record(ctx, e)
}
