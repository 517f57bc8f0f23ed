package paddock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"paddock/backend"
	"paddock/policy"
)

// Denial, PathError and the kinds of refusal are the policy's own.
type (
	// Denial is a refusal; errors.Is tells its kind.
	Denial = policy.Denial
	// PathError is a path that could not be used, whatever the policy says.
	PathError = policy.PathError
)

// The kinds of refusal.
const (
	PathAccessDenied = policy.PathAccessDenied
	PermissionDenied = policy.PermissionDenied
	CommandDenied    = policy.CommandDenied
	ApprovalDenied   = policy.ApprovalDenied
	ApprovalTimeout  = policy.ApprovalTimeout
)

// Edited is the error of a call whose arguments the approver changed: the call
// had no effect, and is to be run again with these, judged from the start.
type Edited struct{ Args json.RawMessage }

func (e *Edited) Error() string { return "the approver changed the arguments of the call" }

// Responded is the error of a call that the approver answered in place of the
// tool: the call had no effect, and Text is its result.
type Responded struct{ Text string }

func (e *Responded) Error() string { return "the approver answered in place of the tool" }

// reasons are the errors whose own text is safe to show.
var reasons = []error{
	backend.ErrSwapped, backend.ErrSpecial, backend.ErrIsDir, backend.ErrNotDir, backend.ErrNotEmpty, backend.ErrName, backend.ErrUnsupported,
	backend.ErrFull, policy.ErrNoFolder, policy.ErrNotDir, policy.ErrLinkLoop, policy.ErrLinkSlash,
	fs.ErrNotExist, fs.ErrExist, fs.ErrInvalid, fs.ErrPermission,
}

// failed tells an error of a backend in terms of the path that was asked for.
// A backend's own text can hold host paths and names behind links; the agent
// is told the bare reason, and errors.Is still finds it.
func failed(path string, err error) error {
	if err == nil {
		return nil
	}
	var (
		known     *PathError
		denial    *Denial
		edited    *Edited
		responded *Responded
		changed   *changeError
		told      *toldError
	)
	if errors.As(err, &known) || errors.As(err, &denial) || errors.As(err, &edited) || errors.As(err, &responded) || errors.As(err, &changed) {
		return err
	}
	if errors.As(err, &told) && told.whole {
		return err
	}
	return &PathError{Path: path, Reason: reason(err)}
}

func reason(err error) error {
	var told *toldError
	if errors.As(err, &told) {
		return told
	}
	for _, known := range reasons {
		if errors.Is(err, known) {
			return known
		}
	}
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
		return errno
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	default:
		return errFailed
	}
}

// errFailed stands for an error that cannot be shown.
var errFailed = errors.New("the operation failed")

// toldError is a reason of our own words, which name no host path.
type toldError struct {
	text  string
	whole bool // it is not about the path
	// partial says that something was done already: the call is not run anew.
	partial bool
	cause   error
}

// halfway is the error of a call that failed after a part of its effect.
func halfway(done, all int, what string, err error) error {
	if done == 0 || err == nil {
		return err
	}
	why := reason(err)
	return &toldError{text: fmt.Sprintf("%d of %d objects were %s, then: %v", done, all, what, why), partial: true, cause: why}
}

func isPartial(err error) bool {
	var told *toldError
	return errors.As(err, &told) && told.partial
}

// Unwrap gives the cause, which is not shown.
func (e *toldError) Unwrap() error { return e.cause }

func (e *toldError) Error() string { return e.text }
