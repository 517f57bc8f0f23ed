package command

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A part is one thing in a line that is judged.
type part struct {
	// show is the part as written, for people.
	show string
	// texts are what an entry that allows is matched against: the part as
	// written, without its redirections.
	texts []string
	// redirected is the same with its redirections, or empty. Only globs see
	// it: cat * was written with cat <x in mind, while a text that is found
	// anywhere could be found in the name of a file.
	redirected string
	// name is how the program is written, the first word of texts.
	name string
	// spellings are what entries that deny or ask are matched against.
	spellings []string
	folded    []string // the same, folded
	// inner are the commands that the part starts as a wrapper.
	inner []part
	// marks are what can't be seen through.
	marks []mark
	// free parts need no entry that allows them; they are here for denials.
	free bool
}

// A mark is a construct that hides what will run. An entry allows it only when
// it names it (or is the command itself, or is for everything).
type mark struct {
	needs string // the word an entry must hold; empty: no word will do
	why   string
}

func (p *part) spell(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || slices.Contains(p.spellings, s) {
		return false
	}
	p.spellings = append(p.spellings, s)
	p.folded = append(p.folded, fold(s))
	return true
}

func (p *part) mark(needs, why string) {
	if m := (mark{needs, why}); !slices.Contains(p.marks, m) {
		p.marks = append(p.marks, m)
	}
}

// A scanner takes a text apart.
type scanner struct {
	*expander
	shared *shared
	parts  []part
	nested int // how many texts lie around this one
	depth  int
	inTest bool // within [[ … ]]
	until  uint // where the innermost substitution ends, 0 outside of any
}

// shared is common to a line and to the texts in it.
type shared struct {
	words []string // names that the lists speak of, for patterns in the place of a program
	bytes int
	count int
	work  int
	over  string          // a cap was reached: the line is refused
	texts map[string]bool // texts within the line that were looked at
	// evaluates: something in the line evaluates the values of variables.
	evaluates bool
}

// once reports whether a text is looked at for the first time. Values that run
// each other would else be followed for ever.
func (sh *shared) once(kind, s string) bool {
	if sh.texts == nil {
		sh.texts = map[string]bool{}
	}
	if sh.texts[kind+s] || sh.over != "" {
		return false
	}
	sh.texts[kind+s] = true
	if sh.bytes += len(s); len(sh.texts) > maxTexts || sh.bytes > maxText {
		sh.over = overText
		return false
	}
	return true
}

// scan takes text apart. Parts of a text in a text (nested > 0) are looked at
// for denials alone.
func scan(s string, sh *shared, nested int, known *facts) *scanner {
	if known == nil {
		known = newFacts()
	}
	src := parse(s)
	sc := &scanner{
		expander: &expander{src: &src, facts: known, work: &sh.work},
		shared:   sh,
		nested:   nested,
	}
	sc.learn(src.stmts)
	for _, st := range src.stmts {
		sc.stmt(st, text{})
	}
	sc.oddComments()
	if src.err != nil {
		sc.unparsed()
	}
	if nested == 0 && sh.evaluates {
		sc.evaluated()
	}
	if sh.work > maxWork && sh.over == "" {
		sh.over = overText
	}
	return sc
}

func (sc *scanner) push(p part) {
	if p.free = p.free || sc.nested > 0; p.free && sc.nested > 0 {
		p.marks = nil
	}
	sc.shared.count++
	for _, s := range p.spellings {
		sc.shared.bytes += len(s)
	}
	switch {
	case sc.shared.count > maxParts:
		sc.shared.over = "the line holds more commands than can be judged"
	case sc.shared.bytes > maxText:
		sc.shared.over = overText
	}
	if sc.shared.over == "" {
		sc.parts = append(sc.parts, p)
	}
}

// deeper scans a text that the line runs as a line.
func (sc *scanner) deeper(s string) {
	if strings.TrimSpace(s) == "" || !sc.shared.once(strconv.Itoa(len(sc.facts.position)), s) {
		return
	}
	if sc.nested >= maxNested {
		sc.shared.over = "text that runs text is nested too deeply"
		return
	}
	if why := tooMuch(s); why != "" {
		sc.shared.over = why
		return
	}
	inner := scan(s, sc.shared, sc.nested+1, sc.facts)
	sc.parts = append(sc.parts, inner.parts...)
}

// stmt looks at a statement; in is what it reads from its standard input.
func (sc *scanner) stmt(st *syntax.Stmt, in text) {
	if sc.shared.over != "" || st == nil {
		return
	}
	if sc.depth++; sc.depth > maxNodes {
		sc.shared.over = overDeep
		return
	}
	defer func() { sc.depth-- }()
	for _, r := range st.Redirs {
		sc.node(r, in)
	}
	in = sc.stdin(st, in)
	switch c := st.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		sc.call(st, c, in)
	case *syntax.BinaryCmd:
		sc.binary(c, in)
	default:
		sc.node(c, in)
	}
}

// node looks at anything else and at what lies in it.
func (sc *scanner) node(n syntax.Node, in text) {
	if sc.shared.over != "" {
		return
	}
	if sc.depth++; sc.depth > maxNodes {
		sc.shared.over = overDeep
		return
	}
	defer func() { sc.depth-- }()
	switch n := n.(type) {
	case *syntax.DeclClause:
		sc.declare(n)
	case *syntax.LetClause:
		sc.let(n)
	case *syntax.TestClause:
		sc.test(n)
		sc.inTest = true
		defer func() { sc.inTest = false }()
	case *syntax.ArithmCmd:
		sc.arithmetic(n, n.X)
	case *syntax.ArithmExp:
		sc.arithmetic(n, n.X)
	case *syntax.WordIter:
		sc.special(n, n.Name)
	case *syntax.CoprocClause:
		if n.Name != nil {
			sc.special(n.Name, &syntax.Lit{Value: n.Name.Lit()})
		}
	case *syntax.CStyleLoop:
		sc.arithmetic(n, n.Init, n.Cond, n.Post)
	case *syntax.ParamExp:
		sc.parameter(n)
	case *syntax.ExtGlob:
		sc.extGlob(n)
	case *syntax.Assign:
		sc.subscript(n)
	case *syntax.Redirect:
		sc.strayDocument(n)
		if n.N != nil {
			sc.special(n, &syntax.Lit{Value: strings.Trim(n.N.Value, "{}")})
		}
	case *syntax.CmdSubst, *syntax.ProcSubst:
		defer func(outer uint) { sc.until = outer }(sc.until)
		sc.until = n.End().Offset()
	}
	top := true
	syntax.Walk(n, func(child syntax.Node) bool {
		if top {
			top = false
			return true
		}
		switch child := child.(type) {
		case nil, *syntax.Comment:
		case *syntax.Stmt:
			if _, subst := n.(*syntax.CmdSubst); subst {
				sc.stmt(child, text{})
			} else {
				sc.stmt(child, in)
			}
		default:
			sc.node(child, in)
		}
		return false
	})
}

// special marks constructs other than assignments that set a variable which
// later commands obey: for PATH in x.
func (sc *scanner) special(n syntax.Node, name *syntax.Lit) {
	if !isSpecial(name.Value) {
		return
	}
	s := sc.src.of(n)
	p := part{show: s, texts: []string{s}}
	sc.named(&p, name.Value)
	sc.push(p)
}

// opaque records a construct that needs an entry of its own.
func (sc *scanner) opaque(n syntax.Node, why string) {
	s := sc.src.of(n)
	sc.push(part{show: s, texts: []string{s}, marks: []mark{{"", why}}})
}
