package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A value is what a variable may hold: one text, or the elements of an array.
type value []string

// facts are what a line says about its own variables and functions, without
// regard to order: a variable has every value it is ever given. A name that is
// not here comes from outside of the line, that is, from an environment which
// the agent doesn't control.
type facts struct {
	vars     map[string][]value
	position []value         // every list the positional parameters may be
	texts    map[string]bool // variables that may hold more than a number
	calls    map[string]bool // names of functions
	bytes    int
}

// Caps on what is remembered: values of one variable, and bytes of all. Beyond,
// a variable is not known.
const (
	maxValues     = 16
	maxRemembered = 1 << 20
)

func newFacts() *facts {
	return &facts{
		vars:  map[string][]value{},
		texts: map[string]bool{},
		calls: map[string]bool{},
	}
}

func (f *facts) give(name string, v value) {
	if len(v) != 1 || !isNumber(v[0]) {
		f.texts[name] = true
	}
	for _, known := range f.vars[name] {
		if slices.Equal(known, v) {
			return
		}
	}
	for _, s := range v {
		f.bytes += len(s) + 1
	}
	if f.bytes > maxRemembered {
		f.texts[name] = true
		return
	}
	if len(f.vars[name]) < maxValues {
		f.vars[name] = append(f.vars[name], v)
	}
}

func isNumber(s string) bool {
	return s == "" || strings.Trim(s, "0123456789") == "" && len(s) < 20
}

// learn collects the facts of a text. It goes through the tree twice, so that a
// variable that is made of another one is known as well.
func (x *expander) learn(stmts []*syntax.Stmt) {
	for range 2 {
		for _, st := range stmts {
			syntax.Walk(st, func(n syntax.Node) bool {
				x.learnNode(n)
				return true
			})
		}
	}
}

func (x *expander) learnNode(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		x.learnAssign(n)
	case *syntax.FuncDecl:
		if n.Name != nil {
			x.facts.calls[n.Name.Value] = true
		}
	case *syntax.WordIter:
		items := n.Items
		if len(items) == 1 && x.counts(items[0]) {
			return
		}
		for _, reading := range x.args(items) {
			for _, a := range reading {
				x.learnWord(n.Name.Value, a)
			}
		}
		if !n.InPos.IsValid() {
			x.facts.texts[n.Name.Value] = true
			for _, list := range x.facts.position {
				for _, s := range list {
					x.facts.give(n.Name.Value, value{s})
				}
			}
		}
	case *syntax.ParamExp:
		if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
			x.facts.texts[n.Param.Value] = true
			if s, ok := x.literal(n.Exp.Word); ok {
				x.facts.give(n.Param.Value, value{s})
			}
		}
	case *syntax.Stmt:
		if call, ok := n.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			for _, argv := range x.args(call.Args) {
				x.learnCall(n, argv)
			}
		}
		x.learnInput(n)
	}
}

func (x *expander) learnAssign(a *syntax.Assign) {
	if a.Name == nil || a.Naked {
		return
	}
	name := a.Name.Value
	if a.Array != nil {
		x.facts.texts[name] = true
		var words []*syntax.Word
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				words = append(words, e.Value)
			}
		}
		for _, reading := range x.args(words) {
			var v value
			for _, r := range reading {
				v = append(v, r.text)
			}
			x.facts.give(name, v)
		}
		return
	}
	if a.Value == nil {
		x.facts.give(name, value{""})
		return
	}
	for _, reading := range x.word(a.Value) {
		x.learnReading(a, name, reading)
	}
}

// learnReading gives a variable one reading of the word on the right. Bash does
// not split there, so the fields are put together again.
func (x *expander) learnReading(a *syntax.Assign, name string, reading []arg) {
	var fields []string
	for _, r := range reading {
		fields = append(fields, r.text)
		if r.open && !x.counts(a.Value) {
			x.facts.texts[name] = true
		}
	}
	s := strings.Join(fields, " ")
	if a.Append {
		x.facts.texts[name] = x.facts.texts[name] || !isNumber(s)
		for _, v := range append([]value(nil), x.facts.vars[name]...) {
			if len(v) == 1 && len(v[0])+len(s) <= maxLine {
				x.facts.give(name, value{v[0] + s})
			}
		}
	}
	if len(reading) == 1 && reading[0].open && x.counts(a.Value) {
		return
	}
	x.facts.give(name, value{s})
}

func (x *expander) learnWord(name string, a arg) {
	if a.open || a.glob {
		x.facts.texts[name] = true
	}
	x.facts.give(name, value{a.text})
}
