package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"paddock"
	"paddock/policy"
)

var editRights = Rights{
	"edit": {policy.ActOpenRead, policy.ActOpenWrite},
}

//go:embed edit_file.md
var editText string

const editInput = `{
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "description": "the file to change"},
    "old_string": {"type": "string", "description": "the text to replace"},
    "new_string": {"type": "string", "description": "what takes its place"},
    "replace_all": {"type": "boolean", "default": false, "description": "change every place, not just one"}
  },
  "required": ["file_path", "old_string", "new_string"],
  "additionalProperties": false
}`

const editOutput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string"},
    "replaced": {"type": "integer", "description": "how many places were changed"},
    "in_place": {"type": "boolean", "description": "it could not be replaced as a whole; the old content was kept aside"},
    "bytes": {"type": "integer", "description": "its size now"}
  },
  "required": ["path", "replaced", "in_place", "bytes"],
  "additionalProperties": false
}`

type editArgs struct {
	FilePath   string `json:"file_path" arg:"required"`
	OldString  string `json:"old_string" arg:"required"`
	NewString  string `json:"new_string" arg:"required"`
	ReplaceAll bool   `json:"replace_all"`
}

type edited struct {
	Path     string `json:"path"`
	Replaced int    `json:"replaced"`
	InPlace  bool   `json:"in_place"`
	Bytes    int    `json:"bytes"`
}

func editFile() Tool {
	return Tool{
		Name: "edit_file", Title: "Change a part of a file", Description: describe(editText, editRights),
		InputSchema: json.RawMessage(editInput), OutputSchema: json.RawMessage(editOutput),
		Destructive: true, Rights: editRights, Run: runEdit,
	}
}

func runEdit(ctx context.Context, c *paddock.Call, args json.RawMessage, _ Progress) (Result, error) {
	var a editArgs
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	if a.OldString == a.NewString {
		return Result{}, errorf("old_string and new_string are the same; there is nothing to change")
	}
	var out edited
	r, err := c.Edit(ctx, unspell(a.FilePath), func(old []byte) ([]byte, error) {
		fresh, n, err := replace(old, a.OldString, a.NewString, a.ReplaceAll)
		out.Replaced, out.Bytes = n, len(fresh)
		return fresh, err
	})
	if err != nil {
		return Result{}, err
	}
	out.Path, out.InPlace = Spell(r.Path), r.InPlace
	text := fmt.Sprintf("Successfully replaced %d instance(s) of the string in '%s'", out.Replaced, out.Path)
	return Result{Text: text + inPlaceNote(r.InPlace), Structured: out}, nil
}
