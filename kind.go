package paddock

import "paddock/backend"

// Kind is what an object is. It stands here again, with the errors below, so
// that a tool needs the Guard alone and can reach no backend.
type Kind = backend.Kind

// The kinds of object.
const (
	KindFile    = backend.File
	KindDir     = backend.Dir
	KindLink    = backend.Link
	KindSpecial = backend.Special
)

// Errors of the Guard's calls that a tool tells apart, beside those of io/fs.
var (
	ErrSwapped     = backend.ErrSwapped
	ErrSpecial     = backend.ErrSpecial
	ErrIsDir       = backend.ErrIsDir
	ErrNotDir      = backend.ErrNotDir
	ErrNotEmpty    = backend.ErrNotEmpty
	ErrName        = backend.ErrName
	ErrFull        = backend.ErrFull
	ErrUnsupported = backend.ErrUnsupported
)
