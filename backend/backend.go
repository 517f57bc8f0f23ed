// Package backend is the contract between the Guard and a place that keeps files.
//
// A backend knows nothing of policy. It is handed names that were judged
// already and promises one thing in return: it acts on the object of exactly
// that name, or it fails. A symbolic link in any part of a name is therefore
// an error here; links are followed by the Guard, which judges each of them.
//
// Names are slash-separated, relative to the mount, clean (no empty, "." or
// ".." part) and written in the backend's own bytes; "." is the mount itself,
// which can be neither removed nor renamed (ErrUnsupported). A part that is
// longer than 255 bytes, a name longer than 4095 and one that is not clean are
// ErrName. A name that leads on through a file is ErrNotDir.
//
// Stat, ReadDir, Remove and the from of Rename take a link as the last part,
// and mean the link itself. Everywhere else a link is ErrSwapped.
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
	// ErrFull says that there is no room left: a full disk, a quota, a cap.
	ErrFull = errors.New("no space left")
	// ErrUnsupported says that this backend has no such operation.
	ErrUnsupported = errors.New("not supported here")
)

// TempPrefix begins the names that a backend makes for itself for the moment
// of a write or a removal. A killed process can leave one behind. Nobody else
// should be let near such a name: who holds a temporary file open for writing
// holds the file that it is about to become.
const TempPrefix = ".paddock-tmp-"

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
	// under the name, the same one changed since (size or time) or none at
	// all is ErrSwapped and nothing is written.
	Judged *Info
	// Mode is the permission bits of a new file, less the process's umask; 0
	// means 0o644. An existing file keeps its own.
	Mode fs.FileMode
	// Save, if not nil, is called with the old content before the file is
	// written in place, where an atomic replacement is not possible. An
	// error ends the write with nothing changed. It is called again if the
	// file changes meanwhile and Judged is nil.
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
	// kept, except what vouches for the old content: set-user-ID,
	// set-group-ID and file capabilities. A file without write permission is
	// fs.ErrPermission even where its folder would let it be replaced. Content
	// is read until EOF; its error ends the write with nothing changed. The
	// result is filled in also with an error when InPlace: then the file may
	// hold a mixture.
	Write(ctx context.Context, name string, content io.Reader, o WriteOptions) (WriteResult, error)
	// Mkdir makes one folder: fs.ErrExist when something has the name. mode
	// is its permission bits, less the process's umask; 0 means 0o755.
	Mkdir(ctx context.Context, name string, mode fs.FileMode) error
	// Remove takes one name away: a file, a link (never its target), an
	// empty folder, a special file. judged is what the caller judged; another
	// object under the name is ErrSwapped. ErrNotEmpty for a folder in use.
	Remove(ctx context.Context, name string, judged Info) error
	// Rename gives an object another name in the same backend. judged is what
	// the caller judged under from. Without replace an object under to is
	// fs.ErrExist, decided in one step with the move. With replace it goes, as
	// rename(2) has it: a file or link (never its target) for anything but a
	// folder, an empty folder for a folder; else ErrIsDir, ErrNotDir,
	// ErrNotEmpty. Two names of one file are fs.ErrExist either way. A folder
	// into itself is fs.ErrInvalid.
	Rename(ctx context.Context, from, to string, judged Info, replace bool) error
	// Close lets go of what the backend holds. No other call may follow.
	Close() error
}

// Holder is what a backend may be besides: one that can look at an object and
// open that same object later, in fewer steps than Stat and Open.
type Holder interface {
	// Hold returns the object of a name no part of which is a link, and ok.
	// In every other case (none there, a link, no permission) ok is false and
	// the caller goes the long way to learn why.
	Hold(name string) (held Held, ok bool)
	// Plain is Hold for a caller that only wants to know what is there.
	Plain(name string) (info Info, ok bool)
}

// Held is an object that stays the same whatever its name comes to mean. It is
// for one goroutine.
type Held interface {
	// Info describes the object as it was when it was taken hold of.
	Info() Info
	// Open opens the object for reading: ErrSpecial, ErrIsDir.
	Open() (Reader, error)
	// Close lets go. A Reader made by Open stays open.
	Close() error
}
