package policy

import (
	"fmt"
	"io"

	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// Bounds on the shape of a file. The parser below us recurses once a level and
// takes time in the square of the width of a block, so a small hostile file
// could hold it for minutes or overrun its stack.
const (
	maxNesting  = 20   // brackets in brackets
	maxSameLine = 20   // "a: b: c" and "- - - x" nest without brackets
	maxWidth    = 1000 // keys of one mapping
)

// tokenize splits a file into tokens, up to the first that is YAML and has no
// place in a policy: that is the last one, and what says why.
func tokenize(text string) (tokens token.Tokens, what string) {
	var s scanner.Scanner
	s.Init(text)
	var w tokenWatch
	for {
		found, err := s.Scan()
		if err == io.EOF {
			return tokens, ""
		}
		for _, tk := range found {
			tokens.Add(tk)
			if tk.Type == token.CommentType {
				continue
			}
			if what := w.refuse(tk); what != "" {
				return tokens, what
			}
			w.begun = true
		}
	}
}

// A tokenWatch sees the tokens of a file in order.
type tokenWatch struct {
	begun, ended bool
	depth        int     // of brackets
	line, onLine int     // marks seen on the line in hand
	open         []block // mappings without brackets, innermost last
}

// A block is a mapping that is written by indentation.
type block struct{ column, keys int }

// refuse says what is wrong with a token, or nothing.
func (w *tokenWatch) refuse(tk *token.Token) string {
	if w.ended {
		return secondDocument
	}
	switch tk.Type {
	case token.InvalidType:
		return syntaxText(tk.Error)
	case token.AnchorType:
		return "& begins an anchor in YAML, and anchors are not read; put a text that begins with & in quotes"
	case token.AliasType:
		return `* begins an alias in YAML, and aliases are not read; put a text that begins with * in quotes, such as "*.env"`
	case token.TagType:
		return `! begins a tag in YAML, and tags are not read; put a text that begins with ! in quotes, such as "!keep.log"`
	case token.MergeKeyType:
		return "merge keys (<<) are not read; write the keys out"
	case token.MappingKeyType:
		return "a key introduced by ? is not read; write key: value, and put a text that begins with ? in quotes"
	case token.DirectiveType:
		return "YAML directives (%) are not read; remove the line"
	case token.DocumentHeaderType:
		if w.begun {
			return secondDocument
		}
	case token.DocumentEndType:
		w.ended = true
	case token.MappingStartType, token.SequenceStartType:
		w.depth++
	case token.MappingEndType, token.SequenceEndType:
		w.depth--
	case token.MappingValueType, token.SequenceEntryType:
		return w.mark(tk)
	}
	if w.depth > maxNesting {
		return tooDeep
	}
	return ""
}

// mark counts the colons and dashes that nest without brackets.
func (w *tokenWatch) mark(tk *token.Token) string {
	if w.depth > 0 {
		return ""
	}
	if tk.Position.Line != w.line {
		w.line, w.onLine = tk.Position.Line, 0
	}
	if w.onLine++; w.onLine > maxSameLine {
		return tooDeep
	}
	column := tk.Position.Column
	if tk.Type == token.MappingValueType && tk.Prev != nil {
		column = tk.Prev.Position.Column // of the key
	}
	for len(w.open) > 0 && w.open[len(w.open)-1].column > column {
		w.open = w.open[:len(w.open)-1]
	}
	if tk.Type == token.SequenceEntryType {
		return ""
	}
	if len(w.open) == 0 || w.open[len(w.open)-1].column < column {
		w.open = append(w.open, block{column: column})
	}
	last := &w.open[len(w.open)-1]
	if last.keys++; last.keys > maxWidth {
		return fmt.Sprintf("this mapping has more than %d keys", maxWidth)
	}
	return ""
}

const (
	secondDocument = "a second document begins here; a file holds one, and the rest would go unread"
	tooDeep        = "this is nested too deeply for a policy; is a bracket not closed?"
)
