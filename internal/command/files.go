package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect records one redirection.
func (m *mover) redirect(r *syntax.Redirect, at place) {
	var f Redirect
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		f.Write = true
	case syntax.DplOut: // >&file, unless it names a descriptor
		f.Write = true
	case syntax.RdrIn:
		f.Read = true
	case syntax.RdrInOut:
		f.Read, f.Write = true, true
	default:
		return
	}
	alts := m.word(r.Word)
	f.Literal = len(alts) == 1 && len(alts[0]) == 1
	if f.Literal {
		a := alts[0][0]
		if a.file != nil {
			return // a pipe to a process, not a file
		}
		f.Path, f.Literal = a.text, !a.open && !a.glob && !a.brace && !strings.HasPrefix(m.src.of(r.Word), "~")
	}
	if r.Op == syntax.DplOut && f.Literal && strings.Trim(f.Path, "0123456789-") == "" {
		return
	}
	if !f.Literal {
		f.Path = m.src.of(r.Word)
	}
	if f.Literal && isStream(f.Path) {
		return
	}
	if at.unknown && !strings.HasPrefix(f.Path, "/") {
		f.Literal = false
	}
	if !at.unknown && !strings.HasPrefix(f.Path, "/") {
		f.Dir = at.dir
	}
	m.files = append(m.files, f)
}

// isStream reports names that open no file of their own.
func isStream(name string) bool {
	switch name {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	fd, ok := strings.CutPrefix(name, "/dev/fd/")
	return ok && fd != "" && strings.Trim(fd, "0123456789") == ""
}

// nested follows a literal text that the command runs as a line: that of eval
// in this place, that of a shell in a place of its own.
func (m *mover) nested(c *syntax.CallExpr, at place) {
	if len(c.Args) == 0 || m.scanner.nested >= maxNested {
		return
	}
	argv := m.args(c.Args)[0]
	if len(argv) < 2 {
		return
	}
	s := ""
	switch base := baseName(argv[0].text); {
	case base == "eval":
		s = join(argv[1:])
	case isShell(base):
		for i := 1; i+1 < len(argv) && strings.HasPrefix(argv[i].text, "-"); i++ {
			if strings.HasSuffix(argv[i].text, "c") && !argv[i+1].open {
				s = argv[i+1].text
			}
		}
	}
	if s == "" || tooMuch(s) != "" || !m.shared.once("files:", s) {
		return
	}
	src := parse(s)
	inner := &mover{
		scanner: &scanner{expander: &expander{src: &src, facts: m.facts, work: m.work}, shared: m.shared, nested: m.scanner.nested + 1},
		moving:  m.moving,
		moves:   m.moves,
	}
	for _, st := range src.stmts {
		inner.findMoves(st)
	}
	inner.stmts(src.stmts, &at)
	m.files = append(m.files, inner.files...)
}
