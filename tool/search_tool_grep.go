package tool

import (
	"context"

	"paddock"
)

// searchGrep is grep with the filters of search_tool before it.
func searchGrep(ctx context.Context, c *paddock.Call, a *searchArgs, progress Progress, turns chan struct{}) (Result, error) {
	if err := must(a.Pattern, "pattern", a.Operation); err != nil {
		return Result{}, err
	}
	w, f, err := newSearch(ctx, c, a, "", &clock{limit: grepTime}, progress)
	if err != nil {
		return Result{}, err
	}
	w.enter = func(v *paddock.Visit) error {
		_, skip := f.folder(v)
		return skip
	}
	g := grepArgs{
		Pattern: *a.Pattern, Path: a.Path, OutputMode: or(a.OutputMode, modeFiles), Regex: or(a.Regex, false), IgnoreCase: or(a.IgnoreCase, false),
		Context: or(a.Context, 0), MaxCount: a.MaxCount,
	}
	r, err := g.search(ctx, c, w, f.file, turns)
	if err != nil {
		return Result{}, err
	}
	found := r.Structured.(grepped)
	r.Structured = searchAnswer{
		Operation: "grep", Pattern: found.Pattern, Path: found.Path, Mode: found.Mode, Files: &found.Files, Matches: found.Matches, Truncated: found.Truncated,
	}
	return r, nil
}
