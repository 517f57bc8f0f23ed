package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"paddock"
	"paddock/policy"
)

var listRights = Rights{
	"list": {policy.ActList},
}

//go:embed ls.md
var listText string

const listInput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "default": "/", "description": "the folder to list"}
  },
  "additionalProperties": false
}`

const listOutput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "the folder, as it was given"},
    "entries": {
      "type": "array",
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
    "truncated": {"type": "boolean", "description": "there are more entries than are shown"}
  },
  "required": ["path", "entries", "truncated"],
  "additionalProperties": false
}`

type listArgs struct {
	Path string `json:"path"`
}

type listed struct {
	Path      string  `json:"path"`
	Entries   []entry `json:"entries"`
	Truncated bool    `json:"truncated"`
}

type entry struct {
	Path     string `json:"path"`
	Kind     string `json:"kind"`
	Size     *int64 `json:"size,omitempty"`
	Modified string `json:"modified,omitempty"`
	Target   string `json:"target,omitempty"`
	Locked   bool   `json:"locked,omitempty"`
}

func list() Tool {
	return Tool{
		Name: "ls", Title: "List a folder", Description: describe(listText, listRights),
		InputSchema: json.RawMessage(listInput), OutputSchema: json.RawMessage(listOutput),
		ReadOnly: true, Idempotent: true, Rights: listRights, Run: runList,
	}
}

func runList(ctx context.Context, c *paddock.Call, args json.RawMessage, _ Progress) (Result, error) {
	a := listArgs{Path: "/"}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	return listFolder(ctx, c, unspell(a.Path))
}

func listFolder(ctx context.Context, c *paddock.Call, path string) (Result, error) {
	infos, err := c.List(ctx, path)
	if err != nil {
		return Result{}, err
	}
	out := listed{Path: Spell(path), Entries: []entry{}}
	text := newBudget()
	for _, info := range infos {
		e := entryOf(info)
		if !text.add(e.Path + "\n") {
			out.Truncated = true
			break
		}
		out.Entries = append(out.Entries, e)
	}
	return Result{Text: text.text("No files found", out.notes(len(infos))), Structured: out}, nil
}

func (l *listed) notes(all int) []string {
	var notes []string
	if l.Truncated {
		notes = append(notes, fmt.Sprintf("the first %d of %d entries; the list is cut because it is too long", len(l.Entries), all))
	}
	locked := 0
	for _, e := range l.Entries {
		if e.Locked {
			locked++
		}
	}
	if locked > 0 {
		notes = append(notes, plural(locked, "entry is", "entries are")+" shown and closed: the policy grants nothing there")
	}
	return notes
}

// entryOf describes an object. A folder's path ends in a slash.
func entryOf(info paddock.Info) entry {
	e := entry{Path: Spell(info.Path), Kind: kindName(info.Kind), Locked: info.Locked}
	if info.Target != "" {
		e.Target = Spell(info.Target)
	}
	if info.Kind == paddock.KindFile {
		e.Size = &info.Size
	}
	if !info.ModTime.IsZero() {
		e.Modified = info.ModTime.UTC().Format(time.RFC3339)
	}
	if info.Kind == paddock.KindDir && !strings.HasSuffix(e.Path, "/") {
		e.Path += "/"
	}
	return e
}

func kindName(k paddock.Kind) string {
	switch k {
	case paddock.KindFile:
		return "file"
	case paddock.KindDir:
		return "folder"
	case paddock.KindLink:
		return "link"
	default:
		return "special"
	}
}
