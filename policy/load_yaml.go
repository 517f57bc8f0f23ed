package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds on the shape of a file. The parser below us recurses once a level and
// takes time in the square of the width of a block, so a small hostile file
// could hold it for minutes or overrun its stack.
const (
	maxNesting  = 20
	maxKeys     = 10_000
	maxSameLine = 20
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
	tokens := lexer.Tokenize(string(data))
	if tk, what := firstBadToken(tokens); tk != nil {
		return nil, &Problem{r.place(tk), what}
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

// firstBadToken refuses what is YAML and has no place in a policy, before the
// parser spends time on it.
func firstBadToken(tokens token.Tokens) (*token.Token, string) {
	var w tokenWatch
	for _, tk := range tokens {
		if tk.Type == token.CommentType {
			continue
		}
		if what := w.refuse(tk); what != "" {
			return tk, what
		}
		w.begun = true
	}
	return nil, ""
}

// A tokenWatch sees the tokens of a file in order.
type tokenWatch struct {
	begun, ended bool
	depth, keys  int
	line, onLine int // marks seen on the line in hand
}

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
	if tk.Type == token.MappingValueType {
		w.keys++
	}
	if w.keys > maxKeys {
		return fmt.Sprintf("the file has more than %d keys", maxKeys)
	}
	return ""
}

const (
	secondDocument = "a second document begins here; a file holds one, and the rest would go unread"
	tooDeep        = "this is nested too deeply for a policy; is a bracket not closed?"
)

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
