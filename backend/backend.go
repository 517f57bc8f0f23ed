// Package backend is the contract between the Guard and a place that keeps files.
//
// A backend knows nothing of policy. It is handed names that were judged
// already and promises one thing in return: it acts on the object of exactly
// that name, or it fails. A symbolic link in any part of a name is therefore
// an error here; links are followed by the Guard, which judges each of them.
//
// Names are slash-separated, relative to the mount, clean (no empty, "." or
// ".." part) and written in the backend's own bytes; "." is the mount itself.
package backend

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// Errors that a caller tells apart; a backend wraps them with the name.
var (
	// ErrSwapped says that a name met a symbolic link, or that the object is
	// not the one that was judged: somebody changed the tree in between. The
	// caller resolves and judges again.
	ErrSwapped = errors.New("the path changed while it was being used")
	// ErrSpecial says that the object is a FIFO, a socket or a device. They
	// are refused before they are opened: opening one can block for ever or
	// act on a driver.
	ErrSpecial = errors.New("not a regular file or folder")
	// ErrIsDir and ErrNotDir say that the object is of the other kind.
	ErrIsDir  = errors.New("is a folder")
	ErrNotDir = errors.New("is not a folder")
	// ErrNotEmpty says that a folder still holds something.
	ErrNotEmpty = errors.New("the folder is not empty")
	// ErrName says that the backend cannot have such a name (too long, or of
	// characters it has no place for).
	ErrName = errors.New("not a possible name")
	// ErrUnsupported says that this backend has no such operation.
	ErrUnsupported = errors.New("not supported here")
)

// Kind is what an object is.
type Kind uint8

// The kinds of object. Missing is used by resolvers; no backend returns it
// without an error.
const (
	Missing Kind = iota
	File
	Dir
	Link
	Special
)

// ID tells objects of one backend apart. The zero ID means that the backend
// cannot tell.
type ID struct{ Dev, Ino uint64 }

// Info is what a backend knows of an object. It describes a link itself,
// never what the link points at.
type Info struct {
	Kind    Kind
	ID      ID
	Size    int64 // bytes
	ModTime time.Time
	Mode    fs.FileMode // permission bits
	Links   uint64      // names that the object has; 0 when unknown
	Target  string      // of a link: its text
}

// Entry is one name of a folder.
type Entry struct {
	Name string
	Info
}

// Reader is an open regular file.
type Reader interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Info describes the open object itself, whatever its name now means.
	Info() (Info, error)
}

// WriteOptions say what a Write may do.
type WriteOptions struct {
	// Create allows the file to be made, Replace allows an existing one to
	// be replaced. A file that is there without Replace is fs.ErrExist, one
	// that is not there without Create is fs.ErrNotExist.
	Create, Replace bool
	// Judged, if not nil, is the file the caller read or judged. Another one
	// under the name, or the same one changed since (size or time), is
	// ErrSwapped and nothing is written.
	Judged *Info
	// Mode is for a new file; 0 means 0o644 less the process's umask. An
	// existing file keeps its own.
	Mode fs.FileMode
	// Save, if not nil, is called with the old content before the file is
	// written in place, where an atomic replacement is not possible. An
	// error ends the write with nothing changed.
	Save func(old io.Reader) error
}

// WriteResult says how a file was written.
type WriteResult struct {
	Created bool // the file was not there before
	InPlace bool // not replaced as a whole: a crash could have left a mixture
	Info    Info // of the file as it is now
}

// Backend keeps files. Its methods may block on the disk or network, honour
// ctx where they can, and may be called at the same time from any number of
// goroutines.
type Backend interface {
	// Stat describes an object. fs.ErrNotExist when there is none.
	Stat(ctx context.Context, name string) (Info, error)
	// Open opens a regular file for reading: ErrSpecial, ErrIsDir.
	Open(ctx context.Context, name string) (Reader, error)
	// ReadDir lists a folder, sorted by name: ErrNotDir.
	ReadDir(ctx context.Context, name string) ([]Entry, error)
	// Write puts content in a file, whole or not at all: a reader, and a
	// crash at any moment, meets the old content or the new. The folder must
	// be there. Mode, owner and extended attributes of an existing file are
	// kept. Content is read until EOF; its error ends the write with nothing
	// changed.
	Write(ctx context.Context, name string, content io.Reader, o WriteOptions) (WriteResult, error)
	// Mkdir makes one folder: fs.ErrExist when something has the name.
	Mkdir(ctx context.Context, name string, mode fs.FileMode) error
	// Remove takes one name away: a file, a link (never its target), an
	// empty folder, a special file. judged is what the caller judged; another
	// object under the name is ErrSwapped. ErrNotEmpty for a folder in use.
	Remove(ctx context.Context, name string, judged Info) error
	// Rename gives an object another name in the same backend. judged is what
	// the caller judged under from. Without replace an object under to is
	// fs.ErrExist, decided in one step with the move.
	Rename(ctx context.Context, from, to string, judged Info, replace bool) error
	// Close lets go of what the backend holds. No other call may follow.
	Close() error
}
