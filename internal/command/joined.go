package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// joined is the text with each line that ends in a backslash joined to the next,
// which bash does before it looks for words. Single quotes, here-documents with
// a quoted delimiter and comments are left alone, as bash does.
func (s *source) joined() string {
	if !strings.Contains(s.text, "\\\n") {
		return s.text
	}
	keep := s.verbatim()
	var b strings.Builder
	slashes := 0
	for i := range len(s.text) {
		c := s.text[i]
		for len(keep) > 0 && i >= keep[0][1] {
			keep = keep[1:]
		}
		if len(keep) > 0 && i >= keep[0][0] {
			slashes = 0
			b.WriteByte(c)
			continue
		}
		switch {
		case c == '\\':
			slashes++
			if slashes%2 == 1 && i+1 < len(s.text) && s.text[i+1] == '\n' {
				continue // the line end goes below
			}
		case c == '\n' && slashes%2 == 1:
			slashes = 0
			continue
		default:
			slashes = 0
		}
		b.WriteByte(c)
	}
	return b.String()
}

// verbatim lists the spans of the text in which a backslash means nothing, in
// order.
func (s *source) verbatim() [][2]int {
	var spans [][2]int
	add := func(from, to syntax.Pos) {
		spans = append(spans, [2]int{int(from.Offset()), int(to.Offset())})
	}
	for _, st := range s.stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.SglQuoted:
				add(n.Pos(), n.End())
			case *syntax.Redirect:
				if n.Hdoc != nil && s.isQuoted(n.Word) {
					add(n.Hdoc.Pos(), n.Hdoc.End())
				}
			case *syntax.Comment:
				add(n.Pos(), n.End())
			}
			return true
		})
	}
	for i := range s.last {
		add(s.last[i].Pos(), s.last[i].End())
	}
	// The body of a here-document comes before the rest of its line in the tree.
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	return spans
}

// isQuoted reports a delimiter that makes the body of a here-document literal.
func (s *source) isQuoted(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if _, plain := p.(*syntax.Lit); !plain || strings.Contains(s.of(p), `\`) {
			return true
		}
	}
	return false
}
