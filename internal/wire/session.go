package wire

import (
	"fmt"

	"paddock"
	"paddock/backend"
)

// Session makes the Guard of one more thread: the disk mounts are those of the
// setup, the memory mounts are its own and empty. With the name of a worker it
// has that worker's rights. end gives its mounts up; call it before the setup's
// Guard is closed.
func (setup *Setup) Session(worker string) (g *paddock.Guard, end func(), err error) {
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
	if worker == "" {
		return base, end, nil
	}
	g, err = base.Worker(worker, setup.Approver)
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("a new session of the worker %s: %w", worker, err)
	}
	return g, end, nil
}
