package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare looks at declare, export, local, readonly, typeset. They are commands
// like others and need an entry.
func (sc *scanner) declare(n *syntax.DeclClause) {
	s := sc.src.of(n)
	p := part{show: s, texts: []string{s}, name: n.Variant.Value}
	p.spell(s)
	argv := []arg{{text: n.Variant.Value}}
	numeric := false
	for _, a := range n.Args {
		if a.Naked && a.Name == nil {
			// The word is made at run time and may be an option or an
			// assignment.
			for _, w := range sc.word(a.Value)[0] {
				argv = append(argv, w)
				if w.open {
					p.mark("", "the words of "+n.Variant.Value+" are known to bash alone")
				}
				if strings.HasPrefix(w.text, "-") && strings.ContainsAny(w.text, "ni") {
					numeric = true
				}
				if strings.HasPrefix(w.text, "-") && strings.Contains(w.text, "n") {
					p.mark("-n", "a reference stands for another variable")
				}
				if name, v, ok := strings.Cut(w.text, "="); ok {
					sc.named(&p, name)
					sc.deeperIf(isSpecial(name), v)
				}
			}
			continue
		}
		if !a.Naked {
			sc.named(&p, a.Name.Value)
		}
		sc.variable(a.Name.Value, a.Value)
		argv = append(argv, arg{text: sc.src.of(a)})
		if numeric && a.Value != nil {
			if s, ok := sc.literal(a.Value); !ok || strings.ContainsAny(s, "$`[") {
				p.mark("", "the value of "+a.Name.Value+" is evaluated by bash")
				sc.shared.evaluates = true
			}
		}
	}
	p.spell(spelled(argv))
	sc.targets(&p, argv)
	sc.push(p)
}

func (sc *scanner) deeperIf(yes bool, s string) {
	if yes {
		sc.deeper(s)
	}
}

// named marks a declaration of a variable that later programs obey.
func (sc *scanner) named(p *part, name string) {
	if isSpecial(name) {
		p.mark(name+"=", "the variable "+name+" changes what later commands do")
	}
}

func (sc *scanner) let(n *syntax.LetClause) {
	s := sc.src.of(n)
	p := part{show: s, texts: []string{s}, name: "let"}
	p.spell(s)
	sc.push(p)
	sc.arithmetic(n, n.Exprs...)
}

// test looks at [[ … ]], which needs no entry but evaluates some operands.
func (sc *scanner) test(n *syntax.TestClause) {
	syntax.Walk(n.X, func(m syntax.Node) bool {
		switch m := m.(type) {
		case *syntax.UnaryTest:
			if m.Op == syntax.TsVarSet || m.Op == syntax.TsRefVar {
				sc.evaluates(n, m.X)
			}
		case *syntax.BinaryTest:
			switch m.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				sc.evaluates(n, m.X)
				sc.evaluates(n, m.Y)
			}
		}
		return true
	})
}

// evaluates looks at an operand that bash evaluates as arithmetic or as the name
// of a variable.
func (sc *scanner) evaluates(n *syntax.TestClause, operand syntax.TestExpr) {
	w, ok := operand.(*syntax.Word)
	if !ok {
		return
	}
	s, literal := sc.literal(w)
	switch {
	case literal && !strings.ContainsAny(s, "$`[") && !sc.facts.texts[s]:
		return
	case literal:
		sc.embedded(s)
	case sc.numeric(w):
		return
	}
	sc.opaque(n, "[[ evaluates "+sc.src.of(w))
	sc.shared.evaluates = true
}

// numeric reports a word that can only be a number: expansions of variables
// that hold numbers, $# and their like.
func (sc *scanner) numeric(w *syntax.Word) bool {
	ok := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.SglQuoted, *syntax.ExtGlob, *syntax.ProcSubst:
			ok = false
		case *syntax.ArithmExp:
			return false
		case *syntax.ParamExp:
			ok = ok && sc.textual(&syntax.Word{Parts: []syntax.WordPart{n}}) == ""
			return false
		}
		return ok
	})
	return ok
}

// extGlob looks at a pattern such as !(x). Bash knows these only after shopt -s
// extglob; before that !(x) negates a subshell.
func (sc *scanner) extGlob(n *syntax.ExtGlob) {
	if sc.inTest {
		return // always known there
	}
	sc.opaque(n, "extended patterns mean something else when bash is not told of them")
	sc.deeper(sc.src.restore(n.Pattern.Value))
}
