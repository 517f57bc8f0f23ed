package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"paddock"
	"paddock/policy"
)

var grepRights = Rights{
	"search": {policy.ActSearch, policy.ActOpenRead},
}

//go:embed grep.md
var grepText string

const grepInput = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "description": "the text to find"},
    "path": {"type": ["string", "null"], "default": "/", "description": "the folder or file to search"},
    "glob": {"type": ["string", "null"], "description": "which files to search"},
    "output_mode": {"enum": ["files_with_matches", "content", "count"], "default": "files_with_matches"},
    "regex": {"type": "boolean", "default": false, "description": "the pattern is a regular expression"},
    "ignore_case": {"type": "boolean", "default": false},
    "context": {"type": "integer", "minimum": 0, "maximum": 20, "default": 0, "description": "lines around each hit"},
    "max_count": {"type": ["integer", "null"], "minimum": 1, "description": "hits to show at most; 1000 if not given"}
  },
  "required": ["pattern"],
  "additionalProperties": false
}`

const grepOutput = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string"},
    "path": {"type": "string"},
    "output_mode": {"enum": ["files_with_matches", "content", "count"]},
    "files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "path": {"type": "string"},
          "matches": {"type": "integer", "description": "lines that match; not in files_with_matches"},
          "lines": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "line": {"type": "integer"},
                "text": {"type": "string"},
                "context": {"type": "boolean", "description": "no hit, but near one"},
                "clipped": {"type": "boolean", "description": "the line is longer"}
              },
              "required": ["line", "text"],
              "additionalProperties": false
            }
          }
        },
        "required": ["path"],
        "additionalProperties": false
      }
    },
    "match_count": {"type": "integer", "description": "hits that are shown or counted"},
    "truncated": {"type": "boolean", "description": "there may be more hits"}
  },
  "required": ["pattern", "path", "output_mode", "files", "match_count", "truncated"],
  "additionalProperties": false
}`

type grepArgs struct {
	Pattern    string `json:"pattern" arg:"required"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	OutputMode string `json:"output_mode"`
	Regex      bool   `json:"regex"`
	IgnoreCase bool   `json:"ignore_case"`
	Context    int    `json:"context"`
	MaxCount   *int   `json:"max_count"`
}

// The output modes of grep.
const (
	modeFiles   = "files_with_matches"
	modeContent = "content"
	modeCount   = "count"
)

const (
	defaultMatches = 1000
	maxMatches     = 100_000
	maxContext     = 20
)

func grepFiles() Tool {
	turns := make(chan struct{}, maxSearches)
	return Tool{
		Name: "grep", Title: "Search in files", Description: describe(grepText, grepRights),
		InputSchema: json.RawMessage(grepInput), OutputSchema: json.RawMessage(grepOutput),
		ReadOnly: true, Idempotent: true, Rights: grepRights,
		Run: func(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
			return runGrep(ctx, c, args, progress, turns)
		},
	}
}

// check tells what is wrong with the arguments, and gives the cap on hits.
func (a *grepArgs) check() (limit int, err error) {
	switch a.OutputMode {
	case modeFiles, modeContent, modeCount:
	default:
		return 0, errorf("output_mode must be %s, %s or %s, and not %s", modeFiles, modeContent, modeCount, quoted(a.OutputMode))
	}
	if a.Context < 0 || a.Context > maxContext {
		return 0, errorf("context must be a number from 0 to %d", maxContext)
	}
	switch {
	case a.MaxCount == nil && a.OutputMode == modeCount:
		return 1 << 62, nil
	case a.MaxCount == nil:
		return defaultMatches, nil
	case *a.MaxCount < 1:
		return 0, errorf("max_count must be at least 1")
	default:
		return min(*a.MaxCount, maxMatches), nil
	}
}

func runGrep(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress, turns chan struct{}) (Result, error) {
	a := grepArgs{Path: "/", OutputMode: modeFiles}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	w, err := newWalk(a.Glob, &clock{limit: grepTime}, func(seen int) {
		progress.report(float64(seen), 0, fmt.Sprintf("%d names seen", seen))
	})
	if err != nil {
		return Result{}, err
	}
	w.names = true
	return a.search(ctx, c, w, nil, turns)
}

// search looks through the files of a walk, or those of them that keep wants.
func (a *grepArgs) search(ctx context.Context, c *paddock.Call, w *walk, keep func(*paddock.Visit) bool, turns chan struct{}) (Result, error) {
	limit, err := a.check()
	if err != nil {
		return Result{}, err
	}
	m, err := newMatcher(a.Pattern, a.Regex, a.IgnoreCase)
	if err != nil {
		return Result{}, err
	}
	path := unspell(a.Path)
	r := &report{grepped: grepped{Pattern: a.Pattern, Path: Spell(path), Mode: a.OutputMode, Files: []matched{}}, limit: limit, room: newBudget()}
	p := newPool(ctx, turns, r, fileSearch{matcher: m, mode: a.OutputMode, context: a.Context, limit: limit}, w.clock.up)
	defer p.close()
	err = w.run(ctx, c, path, func(v *paddock.Visit) error {
		if keep != nil && !keep(v) {
			return nil
		}
		return p.visit(ctx, v)
	})
	if err != nil {
		p.enough.Store(true) // nobody waits for the rest
	}
	p.close()
	switch {
	case err != nil:
		return Result{}, err
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case r.failed != nil:
		return Result{}, r.failed
	}
	w.stopped = w.stopped || r.late && !r.capped && !r.full
	r.Truncated = r.capped || r.full || w.stopped
	r.finish()
	return Result{Text: r.render(w.notes(), *a), Structured: r.grepped}, nil
}
