package tool

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"paddock"
	"paddock/internal/gitignore"
)

// filter is what a search leaves out besides what its pattern does not match.
// It is applied before anything is counted.
type filter struct {
	include       []*walk // of which one must take a name; none takes all
	exclude       *gitignore.List
	ignores       *ignoreFiles // nil: they do not count
	kind          string       // "any" or that of an entry
	min, max      int64        // bytes; max -1 for none
	sized         bool
	after, before time.Time
	depth         int // levels; 0 for any number
}

// maxGlobs bounds the patterns of one call: each is tried on each name.
const maxGlobs = 200

func newFilter(ctx context.Context, c *paddock.Call, a *searchArgs) (*filter, error) {
	f := &filter{kind: or(a.Type, "any"), min: or(a.MinSize, 0), max: or(a.MaxSize, -1), sized: a.MinSize != nil || a.MaxSize != nil, depth: or(a.Depth, 0)}
	switch f.kind {
	case "any", "file", "folder", "link":
	default:
		return nil, errorf("type must be any, file, folder or link, and not %s", quoted(f.kind))
	}
	if or(a.MinSize, 0) < 0 || or(a.MaxSize, 0) < 0 || or(a.Depth, 1) < 1 {
		return nil, errorf("min_size and max_size must be at least 0, depth at least 1")
	}
	if len(a.Include) > maxGlobs || len(a.Exclude) > maxGlobs {
		return nil, errorf("include and exclude take at most %d patterns each", maxGlobs)
	}
	var err error
	if f.after, err = dayOrTime("modified_after", a.ModifiedAfter); err != nil {
		return nil, err
	}
	if f.before, err = dayOrTime("modified_before", a.ModifiedBefore); err != nil {
		return nil, err
	}
	if f.exclude, err = gitignore.Compile(a.Exclude); err != nil {
		return nil, errorf("exclude: %s", line(err.Error()))
	}
	if bad := f.exclude.Inert(); len(bad) > 0 {
		return nil, errorf("exclude: %s can match nothing", quoted(a.Exclude[bad[0]]))
	}
	if or(a.IgnoreFiles, false) {
		f.ignores = &ignoreFiles{ctx: ctx, call: c}
	}
	return f, nil
}

// dayOrTime reads a date, which begins at midnight UTC, or a moment.
func dayOrTime(name string, value *string) (time.Time, error) {
	if value == nil {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, *value); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errorf("%s must be a date like 2026-01-31 or a time like 2026-01-31T12:00:00Z, and not %s", name, quoted(*value))
}

// folder decides about a folder of the walk: fs.SkipDir when nothing in it
// counts. out says that the folder itself does not count.
func (f *filter) folder(v *paddock.Visit) (out bool, err error) {
	if v.Rel == "." {
		if f.ignores != nil {
			return true, f.ignores.enter(v)
		}
		return true, nil
	}
	if f.excluded(v) {
		return true, fs.SkipDir
	}
	if f.depth > 0 && levels(v.Rel) >= f.depth {
		return !f.takes(v), fs.SkipDir
	}
	if f.ignores != nil {
		err = f.ignores.enter(v)
	}
	return !f.takes(v), err
}

// file decides about an object that is no folder.
func (f *filter) file(v *paddock.Visit) bool { return !f.excluded(v) && f.takes(v) }

func (f *filter) excluded(v *paddock.Visit) bool {
	name, dir := v.Rel, v.Kind == paddock.KindDir
	if name == "." {
		name = v.Name // the start is no folder: its name is what there is
	}
	if out, _, _ := f.exclude.MatchOne(name, dir); out {
		return true
	}
	return f.ignores != nil && f.ignores.ignored(v, dir)
}

func (f *filter) takes(v *paddock.Visit) bool {
	switch {
	case f.kind != "any" && f.kind != kindName(v.Kind),
		f.sized && (v.Kind != paddock.KindFile || v.Size < f.min || f.max >= 0 && v.Size > f.max),
		!f.after.IsZero() && v.ModTime.Before(f.after),
		!f.before.IsZero() && !v.ModTime.Before(f.before):
		return false
	}
	for _, one := range f.include {
		if one.takes(v) {
			return true
		}
	}
	return len(f.include) == 0
}

// levels is how far below the start a path lies.
func levels(rel string) int { return strings.Count(rel, "/") + 1 }

// isSkip tells the two answers to a walk from errors.
func isSkip(err error) bool { return errors.Is(err, fs.SkipDir) || errors.Is(err, fs.SkipAll) }
