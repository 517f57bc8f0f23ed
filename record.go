package paddock

import (
	"context"
	"time"

	"paddock/policy"
)

// Recorder keeps what the Guard decided and did. Record returns when the event
// is safe where the recorder keeps it; effects wait for it, and do not happen
// when it fails. It is called from any number of goroutines.
type Recorder interface {
	Record(ctx context.Context, e Event) error
}

// Event is one line of the record.
type Event struct {
	Time    time.Time         `json:"time"`
	Call    string            `json:"call"` // groups the events of one tool call
	Agent   string            `json:"agent"`
	Tool    string            `json:"tool"`
	Step    Step              `json:"step"`
	Asked   string            `json:"asked,omitempty"`
	Real    string            `json:"real,omitempty"`
	Rights  policy.Permission `json:"rights,omitempty"`
	Verdict string            `json:"verdict,omitempty"` // allow, ask, deny; approve, edit, reject, respond
	Kind    policy.Kind       `json:"kind,omitempty"`
	Because []policy.Because  `json:"because,omitempty"`
	By      string            `json:"by,omitempty"`
	Bytes   int64             `json:"bytes,omitempty"`  // of content that is written; never the content
	SHA256  string            `json:"sha256,omitempty"` // of that content, in hex
	Error   string            `json:"error,omitempty"`
}

// Step says at which point of a call an event was made.
type Step string

// The steps of a call.
const (
	StepDecided  Step = "decided"  // the verdict on one need of the call
	StepAsked    Step = "asked"    // an approver was asked
	StepAnswered Step = "answered" // it answered, or did not in time
	StepEffect   Step = "effect"   // about to be done
	StepOutcome  Step = "outcome"  // done, or failed with Error
)
