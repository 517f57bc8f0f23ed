package approve

import (
	"context"
	"fmt"

	"paddock"
	"paddock/policy"
)

// Callback asks a function of the embedding program. The answer has the
// assurance of a program whatever the function says: a function cannot vouch
// for a person. It is called from any number of goroutines.
func Callback(ask func(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error)) paddock.Approver {
	return callback{ask}
}

type callback struct {
	ask func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error)
}

// Request runs the function. A panic in it is an error, and so a no: the agent
// chooses what the function sees and must not be able to end the process.
func (c callback) Request(ctx context.Context, r paddock.ApprovalRequest) (d paddock.Decision, err error) {
	if c.ask == nil {
		return d, &CannotAsk{Way: "callback", Why: "no function was given"}
	}
	defer func() {
		if p := recover(); p != nil {
			d, err = paddock.Decision{}, fmt.Errorf("the approval function panicked: %v", p)
		}
	}()
	d, err = c.ask(ctx, r)
	if err != nil {
		return paddock.Decision{}, err
	}
	d.Assurance = policy.ByProgram
	if d.By == "" {
		d.By = "callback"
	}
	return d, nil
}
