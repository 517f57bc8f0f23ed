package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A treeParser turns tokens into a tree.
type treeParser func(token.Tokens) (*ast.File, error)

func parseTree(tokens token.Tokens) (*ast.File, error) {
	// Doubled keys are found by us, together with everything else that is wrong.
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// readTree reads the one document of a file. The node is nil if and only if
// there is a problem.
func readTree(file string, data []byte, parse treeParser) (*node, *Problem) {
	if len(data) > MaxFile {
		return nil, &Problem{Position{file, 1, 1}, fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxFile)}
	}
	if i, what := firstBadByte(data); i >= 0 {
		line, column := lineColumn(data, i)
		return nil, &Problem{Position{file, line, column}, what}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	r := newRuler(file, data)
	tokens, what := tokenize(string(data))
	if what != "" {
		return nil, &Problem{r.place(tokens[len(tokens)-1]), what}
	}
	tree, err := parseGuarded(tokens, parse)
	if err != nil {
		tk, what := syntaxError(err)
		return nil, &Problem{r.place(tk), what}
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return nil, &Problem{r.place(nil), "the file is empty"}
	}
	return r.convert(tree.Docs[0].Body), nil
}

// A ruler places tokens. The parser's places can lie behind the end of a line,
// where an editor can't go.
type ruler struct {
	file   string
	widths []int // of each line, in characters
}

func newRuler(file string, data []byte) ruler {
	r := ruler{file: file}
	for line := range bytes.Lines(data) {
		r.widths = append(r.widths, utf8.RuneCount(bytes.TrimRight(line, "\r\n")))
	}
	return r
}

// place is where a token is, the beginning of the file for none.
func (r ruler) place(tk *token.Token) Position {
	if tk == nil || tk.Position == nil || tk.Position.Line > len(r.widths) {
		return Position{r.file, 1, 1}
	}
	width := r.widths[tk.Position.Line-1]
	return Position{r.file, tk.Position.Line, min(tk.Position.Column, width+1)}
}

// parseGuarded turns a panic of the parser into an error. A found policy is a
// stranger's text, and a crash on it would be a way to stop Paddock.
func parseGuarded(tokens token.Tokens, parse treeParser) (tree *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the YAML parser gave up on this text: %v", r)
		}
	}()
	return parse(tokens)
}

// firstBadByte finds what no policy holds: bytes that are not UTF-8, and
// control characters, which YAML forbids and which an editor doesn't show.
func firstBadByte(data []byte) (int, string) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return i, fmt.Sprintf("byte %#02x is not UTF-8; save the file as UTF-8", data[i])
		case r == 0:
			return i, "the file holds a NUL byte; a policy is text"
		case r == '\r' && !bytes.HasPrefix(data[i+1:], []byte("\n")):
			return i, "the file holds a carriage return inside a line, which hides text on a terminal; remove it"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f, isBidi(r):
			return i, fmt.Sprintf("the file holds the invisible character %U; remove it, or write it as an escape in double quotes", r)
		}
		i += size
	}
	return -1, ""
}

// isBidi tells whether a character changes the direction of the text around
// it, so that a rule reads other than it is.
func isBidi(r rune) bool { return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 }

// lineColumn turns an offset into a place, counting as the parser does.
func lineColumn(data []byte, offset int) (line, column int) {
	before := data[:offset]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// syntaxError takes the parser's error apart. Its own Error method is not used:
// it prints the neighbourhood in colour and takes long on a long line.
func syntaxError(err error) (*token.Token, string) {
	var placed interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &placed) {
		return placed.GetToken(), syntaxText(placed.GetMessage())
	}
	return nil, err.Error()
}

// syntaxText adds the fix to the parser's message where there is a usual one.
func syntaxText(message string) string {
	for _, hint := range [...]struct{ part, fix string }{
		{"character '\t'", "a tab cannot indent or begin a value here; use blanks"},
		{"mapping value is not allowed", `a second ": " stands here; put the text in quotes, or begin a new line`},
		{"map key-value is pre-defined", "text follows a finished value; put the whole value in quotes"},
		{"reserved character", "put the text in quotes"},
	} {
		if strings.Contains(message, hint.part) {
			return "not valid YAML: " + escaped(message) + ": " + hint.fix
		}
	}
	return "not valid YAML: " + escaped(message)
}

// convert copies the parser's tree into ours.
func (r ruler) convert(from ast.Node) *node {
	tk := from.GetToken()
	n := &node{at: r.place(tk), text: tk.Value}
	switch v := from.(type) {
	case *ast.MappingNode:
		n.kind = mapNode
		for _, pair := range v.Values {
			key, item := r.convert(pair.Key), r.convert(pair.Value)
			if pair.Value.GetToken().Type == token.ImplicitNullType {
				item.at = key.at // there is nothing to point at
			}
			n.keys, n.items = append(n.keys, key), append(n.items, item)
		}
		if !v.IsFlowStyle && len(n.keys) > 0 {
			n.at = n.keys[0].at // the parser's place is the first colon
		}
	case *ast.SequenceNode:
		n.kind = listNode
		for _, item := range v.Values {
			n.items = append(n.items, r.convert(item))
		}
	case *ast.LiteralNode:
		n.text = v.Value.Value
	case *ast.NullNode:
		n.kind = nullNode
	case *ast.BoolNode:
		n.kind = boolNode
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		n.kind = numberNode
	}
	return n
}
