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
	last  []syntax.Comment // behind the last statement
	rest  string           // what comes after the last statement that could be parsed
	err   error            // why parsing ended there
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
	// To bash a comment ends with its line; to the parser a backslash at the end
	// carries it on, which would hide the next line. Such a backslash is
	// blanked, which may bring up another.
	patched := []byte(in)
	for range maxPatches {
		s.read(string(patched))
		if s.err != nil || !s.patchComments(patched) {
			return s
		}
	}
	s.stmts, s.rest, s.err = nil, text, errComments
	return s
}

const maxPatches = 32

// read parses in, which has the length of s.text.
func (s *source) read(in string) {
	s.stmts, s.rest, s.err = nil, "", nil
	options := []syntax.ParserOption{syntax.Variant(syntax.LangBash), syntax.KeepComments(true)}
	file, err := syntax.NewParser(options...).Parse(strings.NewReader(in), "")
	if err == nil {
		s.stmts, s.last = file.Stmts, file.Last
		return
	}
	s.err = err
	end, failed := 0, false
	for stmt, err := range syntax.NewParser(options...).StmtsSeq(strings.NewReader(in)) {
		// Don't leave the loop at an error: the parser may report a second
		// one, and panics when nobody listens any more.
		failed = failed || err != nil
		if !failed {
			s.stmts = append(s.stmts, stmt)
			end = min(int(stmt.End().Offset()), len(s.text))
		}
	}
	if strings.Contains(in, "#") {
		end = 0 // a comment may hide more than it should
	}
	s.rest = s.text[end:]
}

type parseError string

func (e parseError) Error() string { return string(e) }

const (
	errControl  = parseError("it holds every control character there is")
	errComments = parseError("too many comments end in a backslash")
)

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
