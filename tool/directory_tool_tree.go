package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"paddock"
)

// Bounds of a tree, where the call gives none, and those it may give.
const (
	defaultDepth, maxDepth       = 3, 50
	defaultEntries, maxEntries   = 1000, 10_000
	defaultPerFolder, maxPerFold = 100, 10_000
)

// tree draws what lies below a folder. What is not drawn is counted, and said.
type tree struct {
	depth, limit, wide int

	text    *budget
	entries []entry
	open    []level // the folders that are being drawn, outermost first
	cut     bool    // there was no more room
	less    bool    // something is counted instead of drawn
	root    string
	wrong   error
}

// level is a folder that is being drawn.
type level struct {
	drawn int
	more  int // entries that are not drawn
}

func directoryTree(ctx context.Context, c *paddock.Call, path string, a *directoryArgs, progress Progress) (Result, error) {
	t := &tree{text: newBudget(), entries: []entry{}, root: Spell(path)}
	var err error
	t.depth, err = within(a.Depth, "depth", defaultDepth, maxDepth)
	if err == nil {
		t.limit, err = within(a.MaxCount, "max_count", defaultEntries, maxEntries)
	}
	if err == nil {
		t.wide, err = within(a.PerFolder, "per_folder", defaultPerFolder, maxPerFold)
	}
	if err != nil {
		return Result{}, err
	}
	w, err := newWalk("", &clock{limit: walkTime}, func(seen int) {
		progress.report(float64(seen), 0, fmt.Sprintf("%d names seen", seen))
	})
	if err != nil {
		return Result{}, err
	}
	t.text.add(t.root + "\n")
	t.open = []level{{}}
	w.enter = t.visit
	if err := w.run(ctx, c, path, t.visit); err != nil {
		return Result{}, err
	}
	if t.wrong != nil {
		return Result{}, t.wrong
	}
	t.close(0)
	out := directoryAnswer{Operation: "tree", Path: t.root, Entries: &t.entries, Truncated: t.cut || t.less || w.stopped}
	return Result{Text: t.text.text(t.root, append(t.notes(), w.notes()...)), Structured: out}, nil
}

// within is a number of an argument that has bounds.
func within(value *int, name string, otherwise, most int) (int, error) {
	n := or(value, otherwise)
	if n < 1 || n > most {
		return 0, errorf("%s must be a number from 1 to %d", name, most)
	}
	return n, nil
}

// visit draws an object. Parents come before what they hold.
func (t *tree) visit(v *paddock.Visit) error {
	if v.Rel == "." {
		if t.wrong = kindError(v.Info, false); t.wrong != nil {
			return fs.SkipAll
		}
		return nil
	}
	depth := strings.Count(v.Rel, "/") + 1
	t.close(depth)
	folder := &t.open[min(depth, len(t.open))-1]
	if folder.drawn == t.wide {
		folder.more++
		t.less = true
		if v.Kind == paddock.KindDir {
			return fs.SkipDir
		}
		return nil
	}
	e := entryOf(v.Info)
	if len(t.entries) == t.limit || !t.text.add(indent(depth)+drawn(e, v)+"\n") {
		t.cut = true
		return fs.SkipAll
	}
	folder.drawn++
	t.entries = append(t.entries, e)
	if v.Kind != paddock.KindDir {
		return nil
	}
	if depth < t.depth {
		t.open = append(t.open, level{})
		return nil
	}
	t.open = append(t.open, level{more: v.Holds()})
	t.less = t.less || v.Holds() > 0
	return fs.SkipDir
}

// close ends the folders at a depth and below it.
func (t *tree) close(depth int) {
	for len(t.open) > depth {
		at := len(t.open)
		if last := t.open[at-1]; last.more > 0 {
			t.text.add(fmt.Sprintf("%s… %d more\n", indent(at), last.more))
		}
		t.open = t.open[:at-1]
	}
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// drawn is how an entry looks in the tree: by its name alone, which makes it no
// path, with what a reader must know of it.
func drawn(e entry, v *paddock.Visit) string {
	text := Spell(v.Name)
	switch {
	case v.Kind == paddock.KindDir:
		text += "/"
	case e.Target != "":
		text += " -> " + e.Target
	case e.Kind == "special":
		text += " (special)"
	}
	if e.Locked {
		text += " (locked)"
	}
	if err := v.Err(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		text += " (could not be read)"
	}
	return text
}

func (t *tree) notes() []string {
	var notes []string
	if t.cut {
		notes = append(notes, fmt.Sprintf("the tree is cut after %s. Use a lower depth or a narrower path", plural(len(t.entries), "entry", "entries")))
	}
	if t.less {
		notes = append(notes, fmt.Sprintf("shown are %s of each folder and %s; … stands for the others", plural(t.wide, "entry", "entries"), plural(t.depth, "level", "levels")))
	}
	return notes
}
