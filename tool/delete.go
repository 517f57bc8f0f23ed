package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"

	"paddock"
	"paddock/policy"
)

var removeRights = Rights{
	"delete": {policy.ActUnlink, policy.ActRmdir},
}

//go:embed delete.md
var removeText string

const removeInput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string", "description": "the file, link or folder to delete"},
    "recursive": {"type": "boolean", "default": true, "description": "delete what a folder holds as well"}
  },
  "required": ["path"],
  "additionalProperties": false
}`

const removeOutput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string"},
    "removed": {"type": "integer", "description": "how many files, links and folders"}
  },
  "required": ["path", "removed"],
  "additionalProperties": false
}`

type removeArgs struct {
	Path      string `json:"path" arg:"required"`
	Recursive bool   `json:"recursive"`
}

type removed struct {
	Path    string `json:"path"`
	Removed int    `json:"removed"`
}

func remove() Tool {
	return Tool{
		Name: "delete", Title: "Delete a file or folder", Description: describe(removeText, removeRights),
		InputSchema: json.RawMessage(removeInput), OutputSchema: json.RawMessage(removeOutput),
		Destructive: true, Idempotent: true, Rights: removeRights, Run: runRemove,
	}
}

func runRemove(ctx context.Context, c *paddock.Call, args json.RawMessage, _ Progress) (Result, error) {
	a := removeArgs{Recursive: true}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	path := unspell(a.Path)
	n, err := c.Delete(ctx, path, paddock.DeleteOptions{Recursive: a.Recursive})
	if errors.Is(err, paddock.ErrNotEmpty) && n == 0 && !a.Recursive {
		return Result{}, errorf("%s is a folder that is not empty; with recursive true it is deleted with all it holds", quoted(Spell(path)))
	}
	if err != nil {
		return Result{}, err
	}
	out := removed{Path: Spell(path), Removed: n}
	text := "Deleted " + out.Path
	if n > 1 {
		text += fmt.Sprintf(" and the %s in it", plural(n-1, "object", "objects"))
	}
	return Result{Text: text, Structured: out}, nil
}
