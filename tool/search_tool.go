package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"paddock"
	"paddock/policy"
)

// The operations of search_tool.
var searchRights = Rights{
	"find": {policy.ActSearch},
	"grep": {policy.ActSearch, policy.ActOpenRead},
}

// searchSame are the tools of the rules family that do the same.
var searchSame = map[string][]string{"find": {"glob"}, "grep": {"grep"}}

// searchTakes are the arguments of each operation, besides path and pattern.
var searchTakes = map[string][]string{
	"find": {"pattern", "type", "include", "exclude", "ignore_files", "min_size", "max_size", "modified_after", "modified_before", "depth", "max_count"},
	"grep": {
		"pattern", "include", "exclude", "ignore_files", "min_size", "max_size", "modified_after", "modified_before", "depth", "max_count",
		"regex", "ignore_case", "context", "output_mode",
	},
}

//go:embed search_tool.md
var searchText string

const searchInput = `{
  "type": "object",
  "properties": {
    "operation": {"type": "string", "enum": ["find", "grep"]},
    "pattern": {"type": "string", "description": "find: a glob that names must match; grep: the text to find"},
    "path": {"type": "string", "default": "/", "description": "the folder or file to search"},
    "include": {"type": "array", "items": {"type": "string"}, "description": "globs, of which a name must match one"},
    "exclude": {"type": "array", "items": {"type": "string"}, "description": "what to leave out, in lines as of a .gitignore file"},
    "ignore_files": {"type": "boolean", "default": false, "description": "leave out what .gitignore and .ignore files name, and .git"},
    "type": {"type": "string", "enum": ["any", "file", "folder", "link"], "default": "any", "description": "find"},
    "min_size": {"type": "integer", "minimum": 0, "description": "bytes; only files have a size"},
    "max_size": {"type": "integer", "minimum": 0, "description": "bytes; only files have a size"},
    "modified_after": {"type": "string", "description": "changed then or later: 2026-01-31, or 2026-01-31T12:00:00Z"},
    "modified_before": {"type": "string", "description": "changed before: 2026-01-31, or 2026-01-31T12:00:00Z"},
    "depth": {"type": "integer", "minimum": 1, "description": "levels to go down; 1 is the folder itself"},
    "max_count": {"type": "integer", "minimum": 1, "description": "results to show at most; 1000 if not given"},
    "regex": {"type": "boolean", "default": false, "description": "grep: the pattern is a regular expression"},
    "ignore_case": {"type": "boolean", "default": false, "description": "grep"},
    "context": {"type": "integer", "minimum": 0, "maximum": 20, "default": 0, "description": "grep: lines around each hit"},
    "output_mode": {"type": "string", "enum": ["files_with_matches", "content", "count"], "default": "files_with_matches", "description": "grep"}
  },
  "required": ["operation"],
  "additionalProperties": false
}`

const searchOutput = `{
  "type": "object",
  "properties": {
    "operation": {"enum": ["find", "grep"]},
    "pattern": {"type": "string"},
    "path": {"type": "string"},
    "output_mode": {"enum": ["files_with_matches", "content", "count"]},
    "entries": {
      "type": "array",
      "description": "of find",
      "items": {
        "type": "object",
        "properties": {
          "path": {"type": "string"},
          "kind": {"enum": ["file", "folder", "link", "special"]},
          "size": {"type": "integer", "description": "bytes, of a file"},
          "modified": {"type": "string", "format": "date-time"},
          "target": {"type": "string", "description": "where a link leads, if it stays inside"},
          "locked": {"type": "boolean", "description": "shown, and closed by the policy"}
        },
        "required": ["path", "kind"],
        "additionalProperties": false
      }
    },
    "files": {
      "type": "array",
      "description": "of grep",
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
    "match_count": {"type": "integer", "description": "results that are shown or counted"},
    "truncated": {"type": "boolean", "description": "there may be more"}
  },
  "required": ["operation", "path", "match_count", "truncated"],
  "additionalProperties": false
}`

type searchArgs struct {
	Operation      string   `json:"operation" arg:"required"`
	Path           string   `json:"path"`
	Pattern        *string  `json:"pattern"`
	Include        []string `json:"include"`
	Exclude        []string `json:"exclude"`
	IgnoreFiles    *bool    `json:"ignore_files"`
	Type           *string  `json:"type"`
	MinSize        *int64   `json:"min_size"`
	MaxSize        *int64   `json:"max_size"`
	ModifiedAfter  *string  `json:"modified_after"`
	ModifiedBefore *string  `json:"modified_before"`
	Depth          *int     `json:"depth"`
	MaxCount       *int     `json:"max_count"`
	Regex          *bool    `json:"regex"`
	IgnoreCase     *bool    `json:"ignore_case"`
	Context        *int     `json:"context"`
	OutputMode     *string  `json:"output_mode"`
}

// searchAnswer is the structured content of search_tool.
type searchAnswer struct {
	Operation string     `json:"operation"`
	Pattern   string     `json:"pattern,omitempty"`
	Path      string     `json:"path"`
	Mode      string     `json:"output_mode,omitempty"`
	Entries   *[]entry   `json:"entries,omitempty"`
	Files     *[]matched `json:"files,omitempty"`
	Matches   int        `json:"match_count"`
	Truncated bool       `json:"truncated"`
}

func searchTool() Tool {
	turns := make(chan struct{}, maxSearches)
	return Tool{
		Name: "search_tool", Title: "Search by name or content", Description: describe(searchText, searchRights),
		InputSchema: json.RawMessage(searchInput), OutputSchema: json.RawMessage(searchOutput),
		ReadOnly: true, Idempotent: true, Rights: searchRights,
		Run: func(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
			return runSearch(ctx, c, args, progress, turns)
		},
	}
}

func runSearch(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress, turns chan struct{}) (Result, error) {
	a := searchArgs{Path: "/"}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	if err := checkOperation(a.Operation, &a, searchTakes); err != nil {
		return Result{}, err
	}
	countAs(c, searchSame[a.Operation])
	if a.Operation == "grep" {
		return searchGrep(ctx, c, &a, progress, turns)
	}
	return searchFind(ctx, c, &a, progress)
}

// newSearch makes the walk of a search, for names that match a pattern ("" for
// all), and the filter for what it comes by.
func newSearch(ctx context.Context, c *paddock.Call, a *searchArgs, pattern string, limit *clock, progress Progress) (*walk, *filter, error) {
	f, err := newFilter(ctx, c, a)
	if err != nil {
		return nil, nil, err
	}
	report := func(seen int) { progress.report(float64(seen), 0, fmt.Sprintf("%d names seen", seen)) }
	include := a.Include
	if pattern == "" && len(include) == 1 {
		pattern, include = include[0], nil // the walk passes by what cannot match it
	}
	w, err := newWalk(pattern, limit, report)
	if err != nil {
		return nil, nil, err
	}
	for _, each := range include {
		one, err := newWalk(each, limit, report)
		if err != nil {
			return nil, nil, err
		}
		f.include = append(f.include, one)
	}
	return w, f, nil
}
