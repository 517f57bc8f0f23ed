package policy

import (
	"fmt"
	"strings"
)

// Kind is a kind of refusal (the five of the context model). It is an error itself, so
// errors.Is(err, PathAccessDenied) tells the kinds apart.
type Kind string

// The kinds of refusal.
const (
	PathAccessDenied Kind = "PathAccessDenied"
	PermissionDenied Kind = "PermissionDenied"
	CommandDenied    Kind = "CommandDenied"
	ApprovalDenied   Kind = "ApprovalDenied"
	ApprovalTimeout  Kind = "ApprovalTimeout"
)

func (k Kind) Error() string { return string(k) }

// Because is one line of a policy that spoke. Line is 0 for a default and for
// a context that a program made.
type Because struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// Denial is a refusal by policy. Its Error is written for the agent: it names
// the kind, what was asked in the agent's own words, the line of the policy
// and what would be allowed, and never a pattern, a real path or another name.
// The full reasons, for a person, are in Because.
type Denial struct {
	Kind    Kind
	Asked   string // "read /notes.txt", as the agent wrote it
	Because []Because
	Reason  string      // a sentence that gives nothing away; may be empty
	Allowed *Permission // what may be done there instead; nil: not told
}

func (d *Denial) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s", d.Asked, d.Kind)
	for _, line := range d.Because {
		if line.Line > 0 {
			fmt.Fprintf(&b, ", policy line %d", line.Line)
			break
		}
	}
	b.WriteString(")")
	if d.Reason != "" {
		b.WriteString(": " + d.Reason)
	}
	if d.Allowed != nil {
		fmt.Fprintf(&b, "; allowed here: %s", d.Allowed)
	}
	return b.String()
}

// Is makes errors.Is work with a Kind.
func (d *Denial) Is(target error) bool { return target == error(d.Kind) }
