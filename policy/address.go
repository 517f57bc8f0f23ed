package policy

import (
	"strconv"
	"strings"
)

// Bounds on a path before anything is done with it.
const maxPath = 4096

// form refuses what is no path here, with a hint.
func form(path string) (hint string, ok bool) {
	switch {
	case path == "":
		return "the path is empty; write / for the top folder", false
	case strings.IndexByte(path, 0) >= 0:
		return "a path cannot hold a NUL character", false
	case len(path) > maxPath:
		return "the path is longer than " + strconv.Itoa(maxPath) + " bytes", false
	case path == "~" || strings.HasPrefix(path, "~/"):
		return "~ is not expanded; write a path from /", false
	case len(path) >= 2 && path[1] == ':' && isLetter(path[0]):
		return "drive letters have no meaning here; write a path from / (./ before a name with a colon)", false
	}
	return "", true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// addressed is where a typed path begins in the real tree.
type addressed struct {
	start *mount // nil with unrestricted paths
	real  string // of start
	rest  string // what is to be walked from there
	// fellToRoot says that no entry was named: the first segment was taken
	// for a name inside the root entry.
	fellToRoot bool
}

// address finds the entry that a path names (the context model: "How a path resolves", 1
// to 3).
func (p *Policy) address(path string) addressed {
	if p.root == nil {
		if path[0] == '/' {
			return addressed{real: "/", rest: path}
		}
		return addressed{real: p.dir, rest: path}
	}
	if path[0] == '/' {
		if m, rest := p.underReal(path); m != nil {
			return addressed{start: m, real: m.real, rest: rest}
		}
	}
	trimmed := strings.TrimLeft(path, "/")
	for strings.HasPrefix(trimmed, "./") {
		trimmed = strings.TrimLeft(trimmed[2:], "/")
	}
	first, rest, _ := strings.Cut(trimmed, "/")
	if m := p.slugs[first]; m != nil {
		if rest == "" && len(trimmed) > len(first) {
			rest = "/" // the slash at the end still asks for a folder
		}
		return addressed{start: m, real: m.real, rest: rest}
	}
	return addressed{start: p.root, real: p.root.real, rest: path, fellToRoot: first != "" && first != "." && first != ".." && path[0] == '/'}
}

// underReal finds the deepest entry under whose real path an absolute path
// literally begins, and the rest of it.
func (p *Policy) underReal(path string) (best *mount, rest string) {
	if m := p.mounts["/"]; m != nil {
		best, rest = m, path
	}
	prefix := make([]byte, 0, 128) // on the stack, for the usual path
	for left := path; left != ""; {
		left = strings.TrimLeft(left, "/")
		part, after, _ := strings.Cut(left, "/")
		if part == ".." {
			break
		}
		left = left[len(part):]
		if part == "." || part == "" {
			continue
		}
		_ = after
		prefix = append(append(prefix, '/'), part...)
		if m := p.mounts[string(prefix)]; m != nil {
			best, rest = m, left
		}
		if !p.above[string(prefix)] && p.mounts[string(prefix)] == nil {
			break
		}
	}
	return best, rest
}
