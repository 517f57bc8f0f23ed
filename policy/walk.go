package policy

import (
	"errors"
	"path"
	"strings"
)

const maxLinks = 40 // as Linux

// walked is where a path leads.
type walked struct {
	real string
	node Node
	met  []string // the links that were followed, by real path
	// orphan says that the folder of a missing object is missing too.
	orphan bool
	// slash says that the path ended in a slash: it asks for a folder.
	slash bool
	// left is what was not walked, the next part last.
	left []string
}

// errOutside ends a walk that leaves every entry; errShut and errLink one that
// would tell of what lies beyond a folder or link that is shut.
var (
	errOutside = errors.New("outside")
	errShut    = errors.New("shut")
	errLink    = errors.New("link")
)

// walk follows a path through the real tree, part by part, for the rights perm.
// With keepLink the last part is not followed when it is a link.
//
// The tree is asked only for names inside an entry, and never for what lies
// beyond a folder that the policy shuts: an answer there would tell an agent
// whether a hidden name exists. What stops a walk is in w.real.
func (p *Policy) walk(a addressed, perm Permission, keepLink bool, r Resolver) (w walked, err error) {
	w.real = a.real
	w.slash = strings.HasSuffix(a.rest, "/")
	w.node = Node{Kind: Dir}
	if a.start != nil && a.start.file {
		w.node.Kind = File
	}
	if w.ok(p, a, keepLink, r) {
		return w, nil
	}
	pending := parts(nil, a.rest)
	defer func() { w.left = pending }()
	for links := 0; len(pending) > 0; {
		part := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if part == "" || part == "." {
			if w.node.Kind != Dir && w.node.Kind != Missing {
				return w, p.notDir(w)
			}
			continue
		}
		if part == ".." {
			if err := p.leave(&w); err != nil {
				pending = append(pending, part)
				return w, err
			}
			continue
		}
		switch w.node.Kind {
		case Dir:
		case Missing:
			w.orphan = true
			w.real = below(w.real, part)
			continue
		default:
			return w, p.notDir(w)
		}
		if err := p.enter(&w, part, r); err != nil {
			return w, err
		}
		if len(pending) > 0 && p.conceals(w) {
			// "hidden/x" would tell that hidden is there, and no folder:
			// the path is judged as one on which nothing is.
			w.node = Node{}
		}
		if w.node.Kind == Link {
			if links++; links > maxLinks {
				return w, ErrLinkLoop
			}
			if keepLink && last(pending) {
				if len(pending) > 0 {
					return w, ErrLinkSlash
				}
				return w, nil
			}
			w.met = append(w.met, w.real)
			if p.closedLink(w.real, perm) {
				return w, errLink
			}
			target := w.node.Target
			w.real, _ = up(w.real)
			if strings.HasPrefix(target, "/") {
				w.real = p.linkRoot(w.real)
			}
			w.node = Node{Kind: Dir}
			pending = parts(pending, target)
			continue
		}
		if len(pending) > 0 && p.closed(w) {
			return w, errShut
		}
	}
	if p.root != nil && p.cover(w.real) == nil {
		return w, errOutside
	}
	return w, nil
}

// ok is the usual case in one step: a clean path of which no part is a link.
func (w *walked) ok(p *Policy, a addressed, keepLink bool, r Resolver) bool {
	rest := strings.Trim(a.rest, "/")
	if rest == "" {
		return w.node.Kind == Dir || !w.slash
	}
	if w.node.Kind != Dir || a.real == "" || path.Clean(rest) != rest || rest == "." || rest[0] == '.' && (rest == ".." || strings.HasPrefix(rest, "../")) {
		return false
	}
	real := below(a.real, rest)
	node, plain := r.Plain(real)
	if !plain || node.Kind == Link || w.slash && node.Kind != Dir {
		return false
	}
	w.real, w.node = real, node
	return true
}

// lexical is where the path would lead if no name of what is left were a
// link; where the walk stopped, if it would leave that.
func (w *walked) lexical() string {
	real := w.real
	for i := len(w.left) - 1; i >= 0; i-- {
		switch part := w.left[i]; part {
		case "", ".":
		case "..":
			real, _ = up(real)
		default:
			real = below(real, part)
		}
		if !within(real, w.real) {
			return w.real
		}
	}
	return real
}

// parts pushes the parts of a path on a stack, the first one on top. A slash
// at the end leaves an empty part, which asks for a folder.
func parts(stack []string, path string) []string {
	all := strings.Split(strings.TrimLeft(path, "/"), "/")
	for i := len(all) - 1; i >= 0; i-- {
		if all[i] != "" || i == len(all)-1 && strings.HasSuffix(path, "/") {
			stack = append(stack, all[i])
		}
	}
	return stack
}

// last tells whether nothing follows but slashes and dots.
func last(pending []string) bool {
	for _, part := range pending {
		if part != "" && part != "." {
			return false
		}
	}
	return true
}

// enter steps into a name of the folder w.real.
func (p *Policy) enter(w *walked, part string, r Resolver) error {
	next := below(w.real, part)
	w.real = next
	if p.root != nil && p.cover(next) == nil {
		if !p.above[next] {
			return errOutside
		}
		// On the way down to an entry: its real path holds no link.
		w.node = Node{Kind: Dir}
		return nil
	}
	node, err := r.Look(next)
	w.node = node
	if err != nil && p.closed(*w) {
		return errShut
	}
	return err
}

// conceals tells whether the agent may not know of an object that is no folder.
// Of a link the entry's rights do not matter: they count for what it leads to.
func (p *Policy) conceals(w walked) bool {
	switch w.node.Kind {
	case Dir, Missing:
		return false
	case Link:
		return p.closedLink(w.real, None)
	default:
		return !p.Visible(w.real, w.node)
	}
}

// leave steps out of a folder by "..".
func (p *Policy) leave(w *walked) error {
	// Leaving a folder needs to have been let into it: otherwise
	// "hidden/../x" tells whether hidden exists.
	inside := p.root == nil || p.cover(w.real) != nil
	if inside && p.closed(*w) {
		return errShut
	}
	switch w.node.Kind {
	case Dir:
	case Missing:
		return ErrNoFolder
	default:
		return ErrNotDir
	}
	dir, ok := up(w.real)
	if !ok {
		if w.real != "/" {
			return errOutside
		}
		dir = "/"
	}
	if p.root != nil && p.cover(dir) == nil && !p.above[dir] {
		return errOutside
	}
	w.real = dir
	return nil
}

// notDir is the error of a path that goes on below a file, unless even that
// would tell something.
func (p *Policy) notDir(w walked) error {
	if p.closed(w) {
		return errShut
	}
	return ErrNotDir
}

// linkRoot is where an absolute link begins: the top of the backend it is in.
func (p *Policy) linkRoot(real string) string {
	if !strings.HasPrefix(real, synthetic) {
		return "/"
	}
	if i := strings.IndexByte(real, '/'); i >= 0 {
		return real[:i]
	}
	return real
}
