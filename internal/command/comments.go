package command

import (
	"bytes"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// patchComments blanks the backslashes that end comments and reports whether
// there were any.
func (s *source) patchComments(in []byte) (found bool) {
	if !bytes.Contains(in, []byte("\\\n")) {
		return false
	}
	for _, c := range s.comments() {
		from := min(int(c.Hash.Offset()), len(in))
		if line := bytes.IndexByte(in[from:], '\n'); line > 0 && in[from+line-1] == '\\' {
			in[from+line-1] = ' '
			found = true
		}
	}
	return found
}

// comments lists every comment that the tree holds.
func (s *source) comments() []syntax.Comment {
	list := append([]syntax.Comment(nil), s.last...)
	for _, st := range s.stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.Comment); ok {
				list = append(list, *c)
			}
			return true
		})
	}
	return list
}

// strayDocument looks at a here-document within a substitution. Where its body
// lies behind the end of the substitution, or has a line such as `EOF)`, the
// document has ended to bash, and what the parser took for the body are commands.
func (sc *scanner) strayDocument(r *syntax.Redirect) {
	if r.Hdoc == nil || sc.until == 0 {
		return
	}
	body := sc.src.of(r.Hdoc)
	if r.Hdoc.Pos().Offset() < sc.until {
		var delimiter string
		for _, a := range sc.word(r.Word)[0] {
			delimiter = a.text
		}
		early := false
		text := strings.TrimSuffix(body, delimiter) // the body's node holds its end
		for line := range strings.Lines(text) {
			early = early || strings.HasPrefix(strings.TrimLeft(line, "\t"), delimiter)
		}
		if !early {
			return
		}
	}
	sc.opaque(r.Hdoc, "a here-document may end before it seems to")
	sc.deeper(body)
	sc.split(body)
}

// oddComments looks at comments that may be none to bash. Behind a blank or an
// operator both agree. Behind anything else, as in x=(a)#;rm y, bash goes on
// with the word.
func (sc *scanner) oddComments() {
	if !strings.Contains(sc.src.text, "#") {
		return
	}
	for _, c := range sc.src.comments() {
		at := int(c.Hash.Offset())
		if at == 0 || at > len(sc.src.text) || strings.IndexByte(" \t\n;&|(`", sc.src.text[at-1]) >= 0 {
			continue
		}
		s := sc.src.text[at:]
		sc.push(part{show: s, texts: []string{s}, marks: []mark{{"", "it may be a comment or not"}}})
		sc.split(s)
	}
}
