package disk

import (
	"io/fs"
	"strings"

	"paddock/backend"
)

const (
	maxPart = 255  // NAME_MAX of every usual file system
	maxName = 4095 // PATH_MAX without its closing NUL
)

// checkName refuses what is not a clean relative name. The kernel would refuse
// ".." too, but a doubled slash or "." would give one object two spellings, and
// a NUL would end the name early: "notes\x00.env" must not become "notes".
func checkName(name string) error {
	if name == "." {
		return nil
	}
	if name == "" || len(name) > maxName || strings.IndexByte(name, 0) >= 0 {
		return backend.ErrName
	}
	for rest, more := name, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if part == "" || part == "." || part == ".." || len(part) > maxPart {
			return backend.ErrName
		}
	}
	return nil
}

// split cuts a checked name other than "." into its folder and last part.
func split(name string) (folder, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}

// failed names the operation and the object in an error. It carries the
// backend's name, never a path of the host.
func failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
