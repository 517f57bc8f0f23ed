package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Arithmetic in bash is not harmless: a variable that holds the text
// x[$(rm y)] runs rm when it is evaluated as a number. So an expression is only
// seen through when every variable in it holds numbers for all the line tells.

// arithmetic looks at the expressions of node.
func (sc *scanner) arithmetic(n syntax.Node, exprs ...syntax.ArithmExpr) {
	for _, e := range exprs {
		if e == nil {
			continue
		}
		if why := sc.textual(e); why != "" {
			sc.opaque(n, why)
			sc.quotedIn(e)
			sc.shared.evaluates = true
			return
		}
	}
}

// textual says why an expression may evaluate a text, or "".
func (sc *scanner) textual(e syntax.ArithmExpr) (why string) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			if sc.isCount(n) {
				return false
			}
			why = "arithmetic on what a command prints"
			return false
		case *syntax.SglQuoted, *syntax.DblQuoted:
			why = "arithmetic on quoted text"
			return false
		case *syntax.ParamExp:
			if n.Param != nil && (n.Length || strings.Contains("#?$!", n.Param.Value)) {
				return false
			}
			if n.Param == nil || strings.Trim(n.Param.Value, "0123456789@*_-") == "" {
				why = "arithmetic on a parameter"
			}
			if n.Param != nil && n.Exp != nil && n.Exp.Word != nil {
				if s, ok := sc.literal(n.Exp.Word); !ok || !isNumber(s) {
					why = "arithmetic on a text"
				}
			}
		case *syntax.Lit:
			if isSpecial(n.Value) {
				why = "arithmetic on the variable " + n.Value
			}
			if sc.facts.texts[n.Value] {
				why = "arithmetic on the variable " + n.Value + ", which may hold a text"
			}
		}
		return why == ""
	})
	return why
}

// quotedIn looks for denied commands in the quoted texts of an expression.
func (sc *scanner) quotedIn(e syntax.ArithmExpr) {
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.SglQuoted:
			sc.embedded(n.Value)
		case *syntax.DblQuoted:
			for _, p := range sc.double(n.Parts) {
				sc.embedded(strings.Join(p.fields, " "))
			}
			return false
		}
		return true
	})
}

// evaluated looks for denied commands in every text that the line gives to a
// variable: arithmetic, indirection and prompts expand it once more.
func (sc *scanner) evaluated() {
	for _, values := range sc.facts.vars {
		for _, v := range values {
			for _, s := range v {
				sc.embedded(s)
			}
		}
	}
	for _, list := range sc.facts.position {
		for _, s := range list {
			sc.embedded(s)
		}
	}
}

// parameter looks at an expansion: subscripts and offsets are arithmetic, and
// some operators evaluate the value itself.
func (sc *scanner) parameter(n *syntax.ParamExp) {
	switch {
	case n.Excl && n.Names == 0 && (n.Index == nil || !isWhole(n.Index)):
		sc.opaque(n, "an indirect expansion evaluates the value of the variable")
		sc.shared.evaluates = true
	case n.Exp != nil && n.Exp.Op == syntax.OtherParamOps && n.Exp.Word != nil && n.Exp.Word.Lit() == "P":
		sc.opaque(n, "@P evaluates the value of the variable")
		sc.shared.evaluates = true
	}
	if n.Exp != nil && n.Param != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
		sc.special(n, n.Param)
	}
	if n.Index != nil && !isWhole(n.Index) {
		sc.arithmetic(n, n.Index)
	}
	if n.Slice != nil {
		sc.arithmetic(n, n.Slice.Offset, n.Slice.Length)
	}
}

func isWhole(e syntax.ArithmExpr) bool {
	w, ok := e.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// subscript looks at the index in a[i]=x.
func (sc *scanner) subscript(a *syntax.Assign) {
	if a.Index != nil {
		sc.arithmetic(a, a.Index)
	}
}
