package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"paddock"
)

// maxEdits is how often the approver may change a call before it has to be
// called anew: each change is judged from the start and may be asked about.
const maxEdits = 5

// Run runs a tool: it begins the call, runs it, and turns every error into a
// Result. Where the approver changed the arguments the tool runs again with
// those; where the approver answered in place of the tool, that answer is the
// result. It never panics and never returns without having ended the call.
func Run(ctx context.Context, g *paddock.Guard, t Tool, args json.RawMessage, progress Progress) Result {
	for range maxEdits {
		result, err := once(ctx, g, t, args, progress)
		var edited *paddock.Edited
		if !errors.As(err, &edited) {
			if err != nil {
				return failure(err)
			}
			return result
		}
		args = edited.Args
	}
	return failure(errorf("the approver changed the arguments %d times without agreeing to the call; nothing was done", maxEdits))
}

// once is one attempt: one call of the Guard.
func once(ctx context.Context, g *paddock.Guard, t Tool, args json.RawMessage, progress Progress) (result Result, err error) {
	c := g.Begin(t.Name, args)
	defer func() {
		outcome := err
		if p := recover(); p != nil {
			outcome = bugOf(p)
			result, err = Result{}, outcome
		}
		c.End(outcome)
	}()
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return t.Run(ctx, c, args, progress)
}

// bug is a panic, which is a mistake of ours. Its text can hold anything, so it
// is for the record and not for the model.
type bug struct{ detail string }

func (b *bug) Error() string { return b.detail }

func bugOf(p any) error { return &bug{fmt.Sprintf("panic: %v\n%s", p, debug.Stack())} }
