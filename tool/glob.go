package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"paddock"
	"paddock/policy"
)

var globRights = Rights{
	"find": {policy.ActSearch},
}

//go:embed glob.md
var globText string

const globInput = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "description": "the names to find"},
    "path": {"type": "string", "default": "/", "description": "the folder to search"}
  },
  "required": ["pattern"],
  "additionalProperties": false
}`

const globOutput = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string"},
    "path": {"type": "string"},
    "files": {"type": "array", "items": {"type": "string"}},
    "truncated": {"type": "boolean", "description": "there may be more files than are shown"}
  },
  "required": ["pattern", "path", "files", "truncated"],
  "additionalProperties": false
}`

type globArgs struct {
	Pattern string `json:"pattern" arg:"required"`
	Path    string `json:"path"`
}

type found struct {
	Pattern   string   `json:"pattern"`
	Path      string   `json:"path"`
	Files     []string `json:"files"`
	Truncated bool     `json:"truncated"`
}

func globFiles() Tool {
	return Tool{
		Name: "glob", Title: "Find files by name", Description: describe(globText, globRights),
		InputSchema: json.RawMessage(globInput), OutputSchema: json.RawMessage(globOutput),
		ReadOnly: true, Idempotent: true, Rights: globRights, Run: runGlob,
	}
}

func runGlob(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
	a := globArgs{Path: "/"}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	if a.Pattern == "" {
		return Result{}, errorf("the pattern is empty; * finds everything")
	}
	path := unspell(a.Path)
	w, err := newWalk(a.Pattern, &clock{limit: walkTime}, func(seen int) {
		progress.report(float64(seen), 0, fmt.Sprintf("%d names seen", seen))
	})
	if err != nil {
		return Result{}, err
	}
	w.names = true
	out := found{Pattern: a.Pattern, Path: Spell(path), Files: []string{}}
	left, cut := maxText, false
	err = w.run(ctx, c, path, func(v *paddock.Visit) error {
		if v.Kind != paddock.KindFile && v.Kind != paddock.KindLink {
			return nil
		}
		name := Spell(v.Path)
		if left -= utf8.RuneCountInString(name) + 1; left < 0 {
			cut = true
			return fs.SkipAll
		}
		out.Files = append(out.Files, name)
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	slices.Sort(out.Files)
	out.Truncated = cut || w.stopped
	return Result{Text: out.text(w, cut), Structured: out}, nil
}

func (f *found) text(w *walk, cut bool) string {
	text := newBudget()
	for _, name := range f.Files {
		text.add(name + "\n")
	}
	var notes []string
	if cut {
		notes = append(notes, fmt.Sprintf("the answer is full: %d files are shown, and there are more. Use a more specific pattern or a narrower path", len(f.Files)))
	}
	notes = append(notes, w.notes()...)
	if strings.IndexFunc(f.Pattern, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		notes = append(notes, "names are compared character by character: one that writes an accent as a character of its own is another name and may be missing here")
	}
	if len(f.Files) == 0 && len(f.Path) > 1 && strings.HasPrefix(f.Pattern, strings.TrimSuffix(f.Path, "/")+"/") {
		notes = append(notes, "the pattern is about the path below "+f.Path+", so it must not repeat it")
	}
	return text.text("No files found", notes)
}
