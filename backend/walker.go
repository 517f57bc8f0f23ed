package backend

import "context"

// Walker is what a backend may be besides: one that goes over many files in
// fewer steps than ReadDir and Open take.
type Walker interface {
	// Names is ReadDir for a caller that only wants names and kinds: of an
	// entry's Info, Kind is set, and Target for a link. What else is set is
	// as ReadDir has it.
	Names(ctx context.Context, name string) ([]Entry, error)
	// Folder takes hold of a folder no part of whose name is a link, and ok.
	// In every other case ok is false and the caller goes the long way.
	Folder(name string) (folder Folder, ok bool)
}

// Folder is a folder that stays the same whatever its name comes to mean.
// Whoever holds it for long may open files of a folder that is elsewhere by
// now. Open may be called by any number of goroutines, and not after Close.
type Folder interface {
	// Open opens, for reading, the regular file that has a name of one part
	// in the folder and that Names or ReadDir gave as a file, and describes
	// it. In every other case ok is false and the caller goes the long way to
	// learn why.
	Open(part string) (r Reader, info Info, ok bool)
	// Close lets go. A Reader made by Open stays open.
	Close() error
}
