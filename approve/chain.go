package approve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"paddock"
	"paddock/policy"
)

// Chain asks the ways in order: the first that can ask decides, yes or no. A
// way that returns a *CannotAsk is passed over, and so is a yes below the floor
// of assurance that the policy sets, which is no answer; a no counts whoever
// says it. Any other error ends the question, because a way that failed
// half-way may have been answered. When no way is left, the error is
// policy.ApprovalTimeout and holds each way's reason.
func Chain(ways ...paddock.Approver) paddock.Approver { return chain(ways) }

type chain []paddock.Approver

func (c chain) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	var cannot []error
	for _, way := range c {
		if err := ctx.Err(); err != nil {
			return paddock.Decision{}, err
		}
		d, err := way.Request(ctx, r)
		var pass *CannotAsk
		var end *nobody
		switch {
		case err == nil && (d.Answer == paddock.Reject || d.Assurance.Enough(r.AtLeast)):
			return d, nil
		case err == nil:
			cannot = append(cannot, &CannotAsk{
				Way: d.By, Why: fmt.Sprintf("its answer counts as one by %s and the policy wants %s", d.Assurance, r.AtLeast),
			})
		case errors.As(err, &pass), errors.As(err, &end):
			cannot = append(cannot, err)
		default:
			return paddock.Decision{}, err
		}
	}
	return paddock.Decision{}, &nobody{cannot}
}

// nobody is the error of a chain that came to its end.
type nobody struct{ reasons []error }

func (e *nobody) Error() string {
	if len(e.reasons) == 0 {
		return "nobody could be asked: the approval chain is empty"
	}
	texts := make([]string, len(e.reasons))
	for i, err := range e.reasons {
		texts[i] = err.Error()
	}
	return "nobody could be asked: " + strings.Join(texts, "; ")
}

// ForAgent leaves out what a system call said, which may name host paths.
func (*nobody) ForAgent() string { return "nobody could be asked" }

func (e *nobody) Unwrap() []error { return append([]error{policy.ApprovalTimeout}, e.reasons...) }
