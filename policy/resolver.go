package policy

import (
	"errors"
	"fmt"
	"io/fs"
)

// NodeKind is what a name of the real tree is.
type NodeKind uint8

// The kinds of node.
const (
	Missing NodeKind = iota
	File
	Dir
	Link
	Special // FIFO, socket, device
)

// Node is what a Resolver sees under a name.
type Node struct {
	Kind   NodeKind
	Target string // of a link: its text
}

// Resolver answers for the real tree. Paths are absolute and clean, lie under
// an entry, and hold no link but perhaps as the last part.
type Resolver interface {
	// Look tells what a name is, following nothing. A name that is not there
	// is the zero Node and no error.
	Look(real string) (Node, error)
	// Plain is a short cut for the usual case: the node under a path of
	// which no part, the last one included, is a link. False when that is
	// not so, or not known; the path is then walked part by part.
	Plain(real string) (Node, bool)
}

// PathError is a path that cannot be resolved: not a refusal by policy. Path
// is as the agent wrote it.
type PathError struct {
	Path   string
	Reason error // fs.ErrNotExist, ErrNotDir, ErrLinkLoop, ErrLinkSlash or the resolver's own
}

// Reasons of a PathError.
var (
	ErrNotDir    = errors.New("a part of the path is not a folder")
	ErrLinkLoop  = errors.New("too many links on the way")
	ErrLinkSlash = errors.New("is a link; leave the slash at its end away to name the link itself")
	ErrNoFolder  = fmt.Errorf("a folder on the way does not exist: %w", fs.ErrNotExist)
)

func (e *PathError) Error() string { return EncodeName(e.Path) + ": " + e.Reason.Error() }

// Unwrap gives the reason.
func (e *PathError) Unwrap() error { return e.Reason }
