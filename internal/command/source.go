package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A source is a text that bash will read, with the tree made of it.
type source struct {
	text  string
	cr    string // what stands for a carriage return in the tree, or ""
	stmts []*syntax.Stmt
	rest  string // what comes after the last statement that could be parsed
	err   error  // why parsing ended there
}

// parse reads as many statements as can be read. Bash runs a text one complete
// command at a time, so what stands before a syntax error has run when the
// error is found, and is judged like any other.
//
// To the parser a carriage return is a blank, to bash it is a letter. It is
// replaced by a control character that is a letter to both.
func parse(text string) source {
	s := source{text: text}
	in := text
	if strings.Contains(text, "\r") {
		for c := byte(1); c < ' '; c++ {
			if c != '\t' && c != '\n' && c != '\r' && strings.IndexByte(text, c) < 0 {
				s.cr = string(c)
				break
			}
		}
		if s.cr == "" {
			s.rest = text
			s.err = errControl
			return s
		}
		in = strings.ReplaceAll(text, "\r", s.cr)
	}
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	end := 0
	for stmt, err := range p.StmtsSeq(strings.NewReader(in)) {
		if err != nil {
			// Don't leave the loop here: the parser may report an error twice,
			// which panics when nobody listens any more.
			if s.err == nil {
				s.err = err
			}
			continue
		}
		if s.err != nil {
			continue
		}
		s.stmts = append(s.stmts, stmt)
		end = min(int(stmt.End().Offset()), len(text))
	}
	if s.err != nil {
		s.rest = text[end:]
	}
	return s
}

type parseError string

func (e parseError) Error() string { return string(e) }

const errControl = parseError("it holds every control character there is")

// slice is the text of the node as it was written.
func (s *source) slice(from, to syntax.Pos) string {
	a, b := int(from.Offset()), int(to.Offset())
	if a > b || b > len(s.text) {
		return ""
	}
	return s.text[a:b]
}

func (s *source) of(n syntax.Node) string { return s.slice(n.Pos(), n.End()) }

// restore puts carriage returns back into text that comes from the tree.
func (s *source) restore(text string) string {
	if s.cr == "" {
		return text
	}
	return strings.ReplaceAll(text, s.cr, "\r")
}
