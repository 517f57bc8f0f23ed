package command

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A place is the folder that a point of a line runs in.
type place struct {
	dir     string // relative to where the line starts, unless absolute
	unknown bool
}

// A mover follows a line in the order in which bash runs it, taking each cd to
// succeed.
type mover struct {
	*scanner
	files  []Redirect
	moving map[string]bool      // functions that change the folder
	moves  map[syntax.Node]bool // loops and functions with a change of folder inside
	depth  int
}

func redirects(sc *scanner) []Redirect {
	m := &mover{scanner: sc, moving: map[string]bool{}, moves: map[syntax.Node]bool{}}
	for _, st := range sc.src.stmts {
		m.findMoves(st)
	}
	at := place{}
	m.stmts(sc.src.stmts, &at)
	return m.files
}

func (m *mover) stmts(list []*syntax.Stmt, at *place) {
	for _, st := range list {
		m.stmt(st, at)
	}
}

func (m *mover) stmt(st *syntax.Stmt, at *place) {
	if st == nil || m.depth > maxNodes {
		return
	}
	m.depth++
	defer func() { m.depth-- }()
	for _, r := range st.Redirs {
		m.redirect(r, *at)
		m.inside(r, *at)
	}
	if st.Background || st.Coprocess {
		inner := *at
		at = &inner
	}
	switch c := st.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		m.inside(c, *at)
		m.nested(c, *at)
		m.move(c, at)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			left, right := *at, *at
			m.stmt(c.X, &left)
			m.stmt(c.Y, &right)
			return
		}
		m.stmt(c.X, at)
		if c.Op == syntax.OrStmt {
			m.branch(at, func(p *place) { m.stmt(c.Y, p) })
		} else {
			m.stmt(c.Y, at)
		}
	case *syntax.Block:
		m.stmts(c.Stmts, at)
	case *syntax.Subshell:
		inner := *at
		m.stmts(c.Stmts, &inner)
	case *syntax.TimeClause:
		m.stmt(c.Stmt, at)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			m.stmts(c.Cond, at)
			m.branch(at, func(p *place) { m.stmts(c.Then, p) })
		}
	case *syntax.CaseClause:
		m.inside(c.Word, *at)
		for _, item := range c.Items {
			m.branch(at, func(p *place) { m.stmts(item.Stmts, p) })
		}
	case *syntax.WhileClause:
		m.loop(at, c, c.Cond, c.Do)
	case *syntax.ForClause:
		m.inside(c.Loop, *at)
		m.loop(at, c, nil, c.Do)
	case *syntax.FuncDecl:
		if c.Name != nil {
			m.moving[c.Name.Value] = m.moves[c]
		}
		m.stmt(c.Body, &place{unknown: true})
	case *syntax.CoprocClause:
		inner := *at
		m.stmt(c.Stmt, &inner)
	default:
		m.inside(c, *at)
	}
}

// branch runs what may or may not run: if it moves, the place is unknown after.
func (m *mover) branch(at *place, run func(*place)) {
	inner := *at
	run(&inner)
	if inner != *at {
		*at = place{unknown: true}
	}
}

func (m *mover) loop(at *place, whole syntax.Node, cond, do []*syntax.Stmt) {
	if m.moves[whole] {
		*at = place{unknown: true}
	}
	m.stmts(cond, at)
	m.stmts(do, at)
}

// findMoves notes each loop and function with a change of folder inside, in one
// walk.
func (m *mover) findMoves(st *syntax.Stmt) {
	type open struct {
		n      syntax.Node
		before int
	}
	var stack []open
	count := 0
	syntax.Walk(st, func(n syntax.Node) bool {
		if n == nil {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			switch top.n.(type) {
			case *syntax.WhileClause, *syntax.ForClause, *syntax.FuncDecl:
				m.moves[top.n] = count > top.before
			}
			return true
		}
		if c, ok := n.(*syntax.CallExpr); ok {
			at := place{dir: "."}
			if m.move(c, &at); at != (place{dir: "."}) {
				count++
			}
		}
		stack = append(stack, open{n, count})
		return true
	})
}

// inside follows the substitutions in the words of a node. They run in a place
// of their own.
func (m *mover) inside(n syntax.Node, at place) {
	top := true
	syntax.Walk(n, func(child syntax.Node) bool {
		if top {
			top = false
			return true
		}
		inner := at
		switch child := child.(type) {
		case *syntax.CmdSubst:
			m.stmts(child.Stmts, &inner)
			return false
		case *syntax.ProcSubst:
			m.stmts(child.Stmts, &inner)
			return false
		}
		return true
	})
}

// move applies a command that changes the folder.
func (m *mover) move(c *syntax.CallExpr, at *place) {
	if len(c.Args) == 0 {
		return
	}
	argv := m.args(c.Args)[0]
	for len(argv) > 1 && (argv[0].text == "builtin" || argv[0].text == "command") {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return
	}
	switch name := argv[0]; {
	case name.open || name.glob || name.brace:
		*at = place{unknown: true}
	case name.text == "cd":
		rest := operands(argv)
		if len(rest) != 1 || rest[0].open || rest[0].glob || rest[0].brace || rest[0].text == "-" || strings.HasPrefix(m.src.of(c.Args[len(c.Args)-1]), "~") {
			*at = place{unknown: true}
			return
		}
		switch dir := rest[0].text; {
		case dir == "":
		case strings.HasPrefix(dir, "/"):
			*at = place{dir: path.Clean(dir)}
		case !at.unknown:
			at.dir = path.Join(at.dir, dir)
		}
	case slices.Contains([]string{"pushd", "popd", "eval", "source", "."}, name.text), m.moving[name.text]:
		*at = place{unknown: true}
	}
}
