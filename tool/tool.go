// Package tool holds the tools that an agent sees. Each is one .go file, whose
// table at the top says which operation needs which right, and one .md file,
// which is its description for the model.
//
// A tool gets a Call of a Guard and reaches files by nothing else. Whatever
// goes wrong becomes a Result that the model can act on: "Denied: …" for a
// refusal of the policy, "Error: …" for the rest, never a host path, never the
// end of the process. Every path that a tool prints is accepted back by every
// tool, see Spell.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paddock"
	"paddock/policy"
)

// Tool is one tool. It never changes and is safe for concurrent use.
type Tool struct {
	Name  string // as the model calls it
	Title string // for people
	// Description tells the model what the tool does and how to call it.
	Description string
	// InputSchema and OutputSchema are JSON Schemas (2020-12) of the arguments
	// and of Result.Structured. OutputSchema is nil for a tool that returns no
	// structured content.
	InputSchema, OutputSchema json.RawMessage

	// The four hints of MCP, all of them true to what the tool does.
	ReadOnly, Destructive, Idempotent, OpenWorld bool

	// Rights tells for each operation of the tool the acts it does, and so the
	// rights it needs (policy.Needs).
	Rights Rights

	// Run does the work within a call. Its error is told to the model, so its
	// text names nothing that the model may not know; the Guard's errors do
	// not. Callers use the function Run.
	Run func(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error)
}

// Rights is the table of a tool: which acts an operation does.
type Rights map[string][]policy.Act

// Of are the rights that an operation needs.
func (r Rights) Of(operation string) policy.Permission {
	var need policy.Permission
	for _, act := range r[operation] {
		need |= policy.Needs(act)
	}
	return need
}

// String writes the table as a line of help: "edit needs read and write".
func (r Rights) String() string {
	var lines []string
	for operation := range r {
		need := "any right"
		if rights := r.Of(operation); rights != policy.None {
			need = strings.ReplaceAll(rights.String(), "|", " and ")
		}
		lines = append(lines, fmt.Sprintf("%s needs %s", operation, need))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// describe puts a description together: the text of the .md file and the
// table of rights.
func describe(text string, r Rights) string {
	return fmt.Sprintf("%s\n\nRights: %s.", strings.TrimSpace(text), r)
}

// Progress tells how far a tool is: done of total, 0 when the total is not
// known, in the unit that note names. done never falls. It may be nil.
type Progress func(done, total float64, note string)

func (p Progress) report(done, total float64, note string) {
	if p != nil {
		p(done, total, note)
	}
}

// Result is what a tool returns.
type Result struct {
	Text string // for the model; always there
	// Structured, if not nil, marshals to what OutputSchema describes.
	Structured any
	Images     []Image
	IsError    bool
	// Denied says that the policy refused, and Kind why.
	Denied bool
	Kind   policy.Kind
}

// Image is a picture for a model that can see.
type Image struct {
	MIME string
	Data []byte
}

// Rules are the file tools of the rules family, one for each verb.
func Rules() []Tool {
	return []Tool{list(), readFile(), writeFile(), editFile(), globFiles(), grepFiles(), remove()}
}
