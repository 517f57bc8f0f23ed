package paddock

import (
	"context"
	"encoding/json"
	"time"

	"paddock/policy"
)

// Approver asks for a person's agreement, or stands in for one.
// Request may block as long as ctx allows; the Guard bounds ctx by the
// policy's approval timeout. It is called from any number of goroutines. An
// error counts as no; the Guard never takes silence for a yes.
type Approver interface {
	Request(ctx context.Context, r ApprovalRequest) (Decision, error)
}

// ApprovalRequest is what an Approver shows.
type ApprovalRequest struct {
	Agent   string            // name of the context that asks
	Tool    string            // "write_file"
	Args    json.RawMessage   // of the call, as sent; nil when there are none
	Asked   string            // "write /notes.txt"
	Target  string            // virtual path, or the command line
	Detail  string            // a diff, or what else shows what would happen
	Rights  policy.Permission // that would be used
	Because []policy.Because  // why it asks
	// AtLeast is the floor of assurance: an answer below it is no answer.
	AtLeast policy.Assurance
	// Allowed are the decisions that the policy takes; empty means all.
	Allowed  []Answer
	Deadline time.Time // after it the answer is ApprovalTimeout
}

// Answer is the kind of a Decision.
type Answer string

// The answers. Edit, Reject and Respond carry more in the Decision.
const (
	Approve Answer = "approve"
	Edit    Answer = "edit"    // Args in place of the call's; judged from the start
	Reject  Answer = "reject"  // Reason is told to the model
	Respond Answer = "respond" // Reason is given to the model in place of a result
)

// Decision is an Approver's answer.
type Decision struct {
	Answer    Answer
	Args      json.RawMessage // for Edit
	Reason    string          // for Reject and Respond
	Assurance policy.Assurance
	By        string // who answered: "terminal", a login, a program's name
}
