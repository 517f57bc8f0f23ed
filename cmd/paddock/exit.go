package main

import (
	"errors"

	"paddock/audit"
	"paddock/policy"
)

// The exit codes. They are part of the interface: scripts tell them apart.
const (
	exitOK        = 0
	exitError     = 1
	exitUsage     = 2
	exitDenied    = 3
	exitAsk       = 4 // approval is needed, or pending
	exitRefused   = 5 // approval was refused, or nobody gave it in time
	exitUnhealthy = 6
	exitAudit     = 7
)

const exitHelp = `Exit codes: 0 ok, 1 error, 2 usage, 3 denied by the policy, 4 approval needed
or pending, 5 approval refused or expired, 6 unhealthy, 7 audit broken.`

// coded is an outcome with an exit code of its own. A nil error says that
// everything there is to say was printed already.
type coded struct {
	code int
	err  error
}

func (e coded) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e coded) Unwrap() error { return e.err }

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var c coded
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &c):
		return c.code
	case errors.Is(err, audit.ErrBroken):
		return exitAudit
	default:
		return exitError
	}
}

// codeOfKind is the exit code of a refusal.
func codeOfKind(k policy.Kind) int {
	if k == policy.ApprovalDenied || k == policy.ApprovalTimeout {
		return exitRefused
	}
	return exitDenied
}
