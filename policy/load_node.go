package policy

import "strconv"

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
		return "the number " + quotedBare(n.text)
	case boolNode:
		return quotedBare(n.text)
	case nullNode:
		return "empty"
	case listNode:
		return "a list"
	}
	return "a mapping (key: value)"
}

// quotedBare is quoted without the quotes, for words such as true.
func quotedBare(value string) string {
	q := quoted(value)
	if bare, err := strconv.Unquote(q); err == nil && bare == value {
		return q[1 : len(q)-1]
	}
	return q
}
