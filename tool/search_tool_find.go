package tool

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"paddock"
)

// finding is a find under way.
type finding struct {
	limit   int
	left    int // characters of the answer
	entries []entry
	capped  bool // there are more than limit
	full    bool // there is no room for more
}

func searchFind(ctx context.Context, c *paddock.Call, a *searchArgs, progress Progress) (Result, error) {
	limit, err := searchLimit(a.MaxCount, defaultMatches)
	if err != nil {
		return Result{}, err
	}
	w, f, err := newSearch(ctx, c, a, or(a.Pattern, ""), &clock{limit: walkTime}, progress)
	if err != nil {
		return Result{}, err
	}
	path := unspell(a.Path)
	found := finding{limit: limit, left: maxText, entries: []entry{}}
	w.enter = func(v *paddock.Visit) error {
		out, skip := f.folder(v)
		if skip != nil && !isSkip(skip) || out || !w.takes(v) {
			return skip
		}
		if err := found.add(v); err != nil {
			return err
		}
		return skip
	}
	err = w.run(ctx, c, path, func(v *paddock.Visit) error {
		if !f.file(v) {
			return nil
		}
		return found.add(v)
	})
	if err != nil {
		return Result{}, err
	}
	slices.SortFunc(found.entries, func(a, b entry) int { return strings.Compare(a.Path, b.Path) })
	out := searchAnswer{
		Operation: "find", Pattern: or(a.Pattern, ""), Path: Spell(path), Entries: &found.entries, Matches: len(found.entries),
		Truncated: found.capped || found.full || w.stopped,
	}
	return Result{Text: found.text(w), Structured: out}, nil
}

// searchLimit is how many results are shown.
func searchLimit(given *int, otherwise int) (int, error) {
	if or(given, 1) < 1 {
		return 0, errorf("max_count must be at least 1")
	}
	return min(or(given, otherwise), maxMatches), nil
}

func (f *finding) add(v *paddock.Visit) error {
	e := entryOf(v.Info)
	switch size := len([]rune(e.Path)) + 1; {
	case len(f.entries) == f.limit:
		f.capped = true
		return fs.SkipAll
	case size > f.left:
		f.full = true
		return fs.SkipAll
	default:
		f.left -= size
	}
	f.entries = append(f.entries, e)
	return nil
}

func (f *finding) text(w *walk) string {
	text := newBudget()
	for _, e := range f.entries {
		text.add(e.Path + "\n")
	}
	var notes []string
	if f.capped {
		notes = append(notes, fmt.Sprintf("the search stopped at %s and there are more. Use a more specific pattern or a narrower path, or raise max_count", plural(f.limit, "name", "names")))
	}
	if f.full {
		notes = append(notes, fmt.Sprintf("the answer is full: %d names are shown, and there are more. Use a more specific pattern or a narrower path", len(f.entries)))
	}
	return text.text("Nothing found", append(notes, w.notes()...))
}
