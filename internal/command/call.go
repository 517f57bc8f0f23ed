package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call looks at a simple command.
func (sc *scanner) call(st *syntax.Stmt, c *syntax.CallExpr, in text) {
	for _, a := range c.Assigns {
		sc.node(a, in)
	}
	for _, w := range c.Args {
		sc.node(w, in)
	}
	if len(c.Args) == 0 {
		for _, a := range c.Assigns {
			sc.assign(a)
		}
		return
	}
	p := part{show: sc.src.of(c)}
	p.texts, p.name = sc.written(c)
	p.redirected = sc.redirected(st, p.texts[0])
	p.spell(p.redirected)
	for _, t := range p.texts {
		p.spell(t)
	}
	harmless := len(c.Assigns) > 0
	for _, a := range c.Assigns {
		if sc.harmless(a, c) {
			continue
		}
		harmless = false
		sc.prefix(&p, a)
	}
	if harmless {
		bare, _ := sc.written(&syntax.CallExpr{Args: c.Args})
		p.texts = append(bare, p.texts...)
	}
	sc.readings(&p, c.Args, redirections(sc, st), in)
	sc.push(p)
}

// readings inspects each reading of a row of words, and if something in it is
// not known, once more with nothing in its place.
func (sc *scanner) readings(p *part, words []*syntax.Word, redirs string, in text) {
	for pass := range 2 {
		sc.empty = pass == 1
		unknown := false
		for _, argv := range sc.args(words) {
			for _, a := range argv {
				unknown = unknown || a.open
			}
			if len(argv) == 0 || pass == 1 && argv[0].text == "" {
				p.mark(p.name, "the program is known to bash alone")
				continue
			}
			if redirs != "" {
				p.spell(spelled(argv) + redirs)
			}
			sc.inspect(p, argv, in, 0)
		}
		if !unknown {
			break
		}
	}
	sc.empty = false
}

// written is the call as an entry that allows sees it: the text from the first
// to the last word, and the same with single blanks (redirections that stand
// between the words left out, as are line continuations).
func (sc *scanner) written(c *syntax.CallExpr) (texts []string, name string) {
	var words []string
	for _, a := range c.Assigns {
		words = append(words, sc.src.of(a))
	}
	for i, w := range c.Args {
		s := sc.src.of(w)
		if i == 0 {
			name = s
		}
		words = append(words, s)
	}
	joined := strings.Join(words, " ")
	texts = []string{joined}
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if s := sc.src.of(c); s != joined && bare(s) == bare(joined) {
		texts = append(texts, s)
	}
	return texts, name
}

// redirected is the command with its redirections behind it, as written. The
// bodies of here-documents are left out: they are data.
func (sc *scanner) redirected(st *syntax.Stmt, call string) string {
	if len(st.Redirs) == 0 {
		return ""
	}
	for _, r := range st.Redirs {
		call += " " + sc.src.slice(r.Pos(), r.Word.End())
	}
	return call
}

// redirections spells the redirections of a statement without quotes, for
// patterns such as > /dev/sd.
func redirections(sc *scanner, st *syntax.Stmt) string {
	var b strings.Builder
	for _, r := range st.Redirs {
		if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Word == nil {
			continue
		}
		b.WriteByte(' ')
		if r.N != nil {
			b.WriteString(r.N.Value)
		}
		b.WriteString(r.Op.String())
		b.WriteByte(' ')
		for _, a := range sc.word(r.Word)[0] {
			b.WriteString(a.text)
		}
	}
	return b.String()
}

// spelled is argv as a line with no more quotes than it needs: words that hold
// blanks or operators keep theirs, so that `echo "rm -rf" /` does not become
// `echo rm -rf /`.
func spelled(argv []arg) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a.text
		if !a.open && (a.text == "" || strings.ContainsAny(a.text, " \t\n'\";&|<>()`#")) {
			words[i] = quoteWord(a.text)
		}
	}
	return strings.Join(words, " ")
}

// join is the text of argv, as eval would make it.
func join(argv []arg) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = a.text
	}
	return strings.Join(words, " ")
}

// prefix looks at an assignment in front of a command. `GIT_EXTERNAL_DIFF=./x git
// diff` runs ./x, and there is no end to variables of this kind, so an entry must
// name the variable.
func (sc *scanner) prefix(p *part, a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	p.mark(name+"=", "the variable "+name+" is set for the command")
	sc.variable(name, a.Value)
}

// harmless reports an assignment in front of a command that changes no more than
// the language of its messages, or how read splits a line.
func (sc *scanner) harmless(a *syntax.Assign, c *syntax.CallExpr) bool {
	if a.Name == nil || a.Index != nil || a.Array != nil {
		return false
	}
	if a.Name.Value == "IFS" {
		name := c.Args[0].Lit()
		return name == "read" || name == "mapfile" || name == "readarray"
	}
	if a.Value == nil {
		return isHarmless(a.Name.Value)
	}
	value, literal := sc.literal(a.Value)
	return isHarmless(a.Name.Value) && literal && !strings.Contains(value, "/")
}

// assign looks at an assignment that stands alone. It stays in the shell unless
// the name is one that bash itself or a program reads.
func (sc *scanner) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	if !isSpecial(name) {
		return
	}
	s := sc.src.of(a)
	p := part{show: s, texts: []string{s}}
	p.mark(name+"=", "the variable "+name+" changes what later commands do")
	p.spell(s)
	sc.push(p)
	sc.variable(name, a.Value)
}

// variable looks for a denied command in the value of a variable that names
// one, such as GIT_PAGER or PS4.
func (sc *scanner) variable(name string, w *syntax.Word) {
	if w == nil || !isSpecial(name) || name == "PATH" || name == "IFS" {
		return
	}
	for _, reading := range sc.word(w) {
		sc.deeper(join(reading))
		sc.embedded(join(reading))
	}
}
