package tool

import (
	"fmt"
	"strings"

	"paddock"
)

// dry is the part of an answer that a dry run has.
type dry struct {
	DryRun   bool `json:"dry_run,omitempty"`
	WouldAsk bool `json:"would_ask,omitempty"`
}

func dryOf(p paddock.Plan) dry { return dry{DryRun: true, WouldAsk: p.Ask} }

// maxSteps is how many needs of a call a dry run names.
const maxSteps = 20

// dryText says what a call would do, by which rights, and whether a person
// would be asked: a yes cannot be had in advance.
func dryText(p paddock.Plan, would string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Dry run, nothing was done. This would %s.\n\nIt is decided:", would)
	for i, s := range p.Steps {
		if i == maxSteps {
			fmt.Fprintf(&b, "\n- and %d more", len(p.Steps)-maxSteps)
			break
		}
		verdict := "allowed"
		if s.Ask {
			verdict = "needs approval"
		}
		fmt.Fprintf(&b, "\n- %s: %s (%s)", line(s.Asked), verdict, strings.ReplaceAll(s.Rights.String(), "|", " and "))
	}
	if p.Ask {
		b.WriteString("\n\nA person would be asked first" + policyLine(p) + ", and may say no.")
	}
	return b.String()
}

// policyLine names the first line of the policy that wants a person asked.
func policyLine(p paddock.Plan) string {
	for _, because := range p.Because {
		if because.Line > 0 {
			return fmt.Sprintf(" (policy line %d)", because.Line)
		}
	}
	return ""
}
