package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stdin is what a statement reads from its standard input: what its own
// redirections give it, else what is piped in.
func (x *expander) stdin(st *syntax.Stmt, in text) text {
	for _, r := range st.Redirs {
		if r.N != nil && r.N.Value != "0" {
			continue
		}
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			in = text{}
			if r.Hdoc != nil {
				in = x.document(r)
			}
		case syntax.WordHdoc:
			in = text{}
			if alt := x.word(r.Word)[0]; len(alt) == 1 {
				in = text{true, alt[0].text + "\n"}
			}
		case syntax.RdrIn:
			in = text{}
			if alt := x.word(r.Word)[0]; len(alt) == 1 && alt[0].file != nil {
				in = *alt[0].file
			}
		}
	}
	return in
}

// document is the body of a here-document. What is not known in it stands as
// written, which is how a shell that reads it would see an escaped expansion.
func (x *expander) document(r *syntax.Redirect) text {
	if x.src.isQuoted(r.Word) {
		var b strings.Builder
		for _, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				b.WriteString(x.src.restore(lit.Value))
			}
		}
		return text{true, b.String()}
	}
	pieces := x.double(r.Hdoc.Parts)
	return text{true, strings.Join(pieces[0].fields, " ")}
}
