package backend

import "strings"

const (
	maxPart = 255  // NAME_MAX of every usual file system
	maxName = 4095 // PATH_MAX without its closing NUL
)

// CheckName refuses, with ErrName, what is not a clean relative name. Each
// backend calls it first. The kernel would refuse ".." too, but a doubled slash or "." would give one object two spellings, and
// a NUL would end the name early: "notes\x00.env" must not become "notes".
func CheckName(name string) error {
	if name == "." {
		return nil
	}
	if name == "" || len(name) > maxName || strings.IndexByte(name, 0) >= 0 {
		return ErrName
	}
	for rest, more := name, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if part == "" || part == "." || part == ".." || len(part) > maxPart {
			return ErrName
		}
	}
	return nil
}

// Split cuts a checked name other than "." into its folder and last part.
func Split(name string) (folder, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}
