package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// counts reports a word whose value is a number whatever is in it: arithmetic,
// or the output of a program that only counts.
func (x *expander) counts(w *syntax.Word) bool {
	if w == nil || len(w.Parts) != 1 {
		return false
	}
	part := w.Parts[0]
	if quoted, ok := part.(*syntax.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	switch part := part.(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.CmdSubst:
		return x.isCount(part)
	}
	return false
}

// isCount reports a substitution such as $(seq 3), $(wc -l <f) or $(date +%s).
func (x *expander) isCount(c *syntax.CmdSubst) bool {
	if len(c.Stmts) != 1 {
		return false
	}
	st := c.Stmts[0]
	for {
		pipe, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe {
			break
		}
		st = pipe.Y
	}
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 || x.facts.calls[call.Args[0].Lit()] {
		return false
	}
	rest := call.Args[1:]
	switch call.Args[0].Lit() {
	case "seq", "nproc":
		for _, w := range rest {
			if lit := w.Lit(); lit != "" && strings.Trim(lit, "-0123456789") != "" {
				return false // seq -f 'x[$(y)]' 1
			}
			for _, p := range w.Parts {
				switch p.(type) {
				case *syntax.Lit:
				default:
					return false
				}
			}
		}
		return true
	case "date":
		return len(rest) == 1 && rest[0].Lit() == "+%s"
	case "wc":
		return len(rest) == 1 && (rest[0].Lit() == "-l" || rest[0].Lit() == "-c" || rest[0].Lit() == "-w")
	}
	return false
}
