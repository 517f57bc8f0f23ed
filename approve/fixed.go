package approve

import (
	"context"
	"fmt"

	"paddock"
	"paddock/policy"
)

// The ways that have one answer for everything. AutoAllow is for tests and for
// programs that bound what may be asked by other means: whatever a policy marks
// as needing approval is then as free as what it allows. Both answers have the
// assurance of a program, so a floor of host or person is not met by them.
var (
	AutoAllow paddock.Approver = fixed{paddock.Approve, "auto"}
	AutoDeny  paddock.Approver = fixed{paddock.Reject, "auto_deny"}
	// None stands for nobody to ask: every request is refused with an error
	// that is policy.ApprovalDenied.
	None paddock.Approver = none{}
)

type fixed struct {
	answer paddock.Answer
	by     string
}

// Request answers at once. A request that does not take an approval is
// rejected by AutoAllow too.
func (f fixed) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	if err := ctx.Err(); err != nil {
		return paddock.Decision{}, err
	}
	d := paddock.Decision{Answer: f.answer, Assurance: policy.ByProgram, By: f.by}
	if d.Answer == paddock.Approve && !takes(r, paddock.Approve) {
		d.Answer, d.Reason = paddock.Reject, "the policy takes no plain approval for this"
	}
	if f.answer == paddock.Reject {
		d.Reason = "whatever needs approval is refused here"
	}
	return d, nil
}

type none struct{}

func (none) Request(_ context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	return paddock.Decision{}, fmt.Errorf("there is nobody to ask for %q: %w", r.Tool, policy.ApprovalDenied)
}
