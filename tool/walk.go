package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"paddock"
	"paddock/internal/glob"
)

// walk goes over what lies below a folder, for glob and grep: names that a
// pattern takes, within a time.
type walk struct {
	pattern string
	include *glob.Include // nil takes all
	prefix  []string      // folders that the pattern names before its first wildcard
	depth   int           // folders that it can go down; -1 for any number
	names   bool          // sizes and times are not wanted
	clock   *clock
	seen    int
	stopped bool     // the time was up
	closed  []string // folders that could not be listed, the first few
	more    int      // and how many others
	report  func(seen int)
	// enter, if not nil, is told of each folder, the start too, before what it
	// holds is visited. It may return fs.SkipDir.
	enter func(*paddock.Visit) error
}

// newWalk compiles the pattern; "" takes all.
func newWalk(pattern string, limit *clock, report func(int)) (*walk, error) {
	if strings.HasPrefix(pattern, "./") {
		pattern = pattern[1:] // anchored, as its writer meant it
	}
	w := &walk{pattern: pattern, depth: -1, clock: limit, report: report}
	if pattern == "" {
		return w, nil
	}
	var err error
	if w.include, err = glob.CompileInclude(pattern); err != nil {
		return nil, errorf("Invalid glob pattern: %s", line(err.Error()))
	}
	w.plan()
	return w, nil
}

// plan finds folders that need no visit. A pattern with a slash is about the
// path from the start: below src/*.go nothing but src is of interest.
func (w *walk) plan() {
	if !strings.Contains(w.pattern, "/") {
		return
	}
	parts := strings.FieldsFunc(w.pattern, func(r rune) bool { return r == '/' })
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "." })
	for i, part := range parts {
		if strings.ContainsAny(part, `*?[{\`) {
			break
		}
		if i < len(parts)-1 {
			w.prefix = append(w.prefix, part)
		}
	}
	// A brace can hold a slash; without one, only ** goes to any depth.
	if !strings.ContainsAny(w.pattern, `{\`) && !strings.Contains(w.pattern, "**") {
		w.depth = len(parts) - 1
	}
}

// skips tells whether nothing below a folder can match.
func (w *walk) skips(rel string) bool {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if i < len(w.prefix) && part != w.prefix[i] {
			return true
		}
	}
	return w.depth >= 0 && len(parts) > w.depth
}

// run visits each name that the pattern takes. visit may return fs.SkipAll.
func (w *walk) run(ctx context.Context, c *paddock.Call, path string, visit func(*paddock.Visit) error) error {
	return c.Walk(ctx, path, paddock.WalkOptions{Mounts: true, Names: w.names}, func(v *paddock.Visit) error {
		if w.clock.up() {
			w.stopped = true
			return fs.SkipAll
		}
		if w.seen++; w.seen%reportEvery == 0 {
			w.report(w.seen)
		}
		if v.Err() != nil {
			w.unreadable(v)
		}
		if v.Kind == paddock.KindDir {
			if w.enter != nil {
				if err := w.enter(v); err != nil {
					return err
				}
			}
			if v.Rel != "." && w.skips(v.Rel) {
				return fs.SkipDir
			}
			return nil
		}
		if !w.takes(v) {
			return nil
		}
		return visit(v)
	})
}

const reportEvery = 2000

func (w *walk) takes(v *paddock.Visit) bool {
	switch {
	case w.include == nil:
		return true
	case v.Rel == ".": // the start is no folder: its name is what there is
		return w.include.Match(v.Name)
	default:
		return w.include.Match(v.Rel)
	}
}

// maxClosed is how many folders are named that could not be listed.
const maxClosed = 5

func (w *walk) unreadable(v *paddock.Visit) {
	if len(w.closed) == maxClosed {
		w.more++
		return
	}
	reason := v.Err()
	var path *paddock.PathError
	if errors.As(reason, &path) {
		reason = path.Reason
	}
	w.closed = append(w.closed, fmt.Sprintf("%s (%s)", Spell(v.Path), line(reason.Error())))
}

// notes say in what way the walk is not complete.
func (w *walk) notes() []string {
	var notes []string
	if w.stopped {
		notes = append(notes, fmt.Sprintf("the search stopped after %s; what is shown is right but not complete. Use a more specific pattern or a narrower path", w.clock.limit))
	}
	if len(w.closed) > 0 {
		text := "could not be read: " + strings.Join(w.closed, ", ")
		if w.more > 0 {
			text += fmt.Sprintf(" and %d more", w.more)
		}
		notes = append(notes, text)
	}
	return notes
}
