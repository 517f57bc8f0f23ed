package policy

import "strings"

// A nodeKind says what a value of a file is.
type nodeKind int

const (
	textNode nodeKind = iota
	numberNode
	boolNode
	nullNode
	listNode
	mapNode
)

// A node is one value of a file with its place.
type node struct {
	kind  nodeKind
	text  string // of a scalar, without its quotes
	at    Position
	items []*node // of a list or mapping
	keys  []*node // of a mapping, one for each item
}

// is describes a value in an error.
func (n *node) is() string {
	switch n.kind {
	case textNode:
		return "the text " + quoted(n.text)
	case numberNode:
		return "the number " + escaped(n.text)
	case boolNode:
		return escaped(n.text)
	case nullNode:
		return "empty"
	case listNode:
		return "a list"
	}
	return "a mapping (key: value)"
}

// escaped is quoted without the quotes, for words such as true.
func escaped(value string) string {
	q := quoted(value)[1:]
	if cut, long := strings.CutSuffix(q, `"…`); long {
		return cut + "…"
	}
	return strings.TrimSuffix(q, `"`)
}
