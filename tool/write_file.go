package tool

import (
	"context"
	_ "embed"
	"encoding/json"

	"paddock"
	"paddock/policy"
)

var writeRights = Rights{
	"create a file":       {policy.ActCreate},
	"replace its content": {policy.ActOpenWrite, policy.ActTruncate},
	"make a folder":       {policy.ActMkdir},
}

//go:embed write_file.md
var writeText string

const writeInput = `{
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "description": "the file to write"},
    "content": {"type": "string", "description": "the whole content"}
  },
  "required": ["file_path", "content"],
  "additionalProperties": false
}`

const writeOutput = `{
  "type": "object",
  "properties": {
    "path": {"type": "string"},
    "created": {"type": "boolean", "description": "the file was not there before"},
    "in_place": {"type": "boolean", "description": "it could not be replaced as a whole; the old content was kept aside"},
    "bytes": {"type": "integer", "description": "its size now"}
  },
  "required": ["path", "created", "in_place", "bytes"],
  "additionalProperties": false
}`

type writeArgs struct {
	FilePath string `json:"file_path" arg:"required"`
	Content  string `json:"content" arg:"required"`
}

type written struct {
	Path    string `json:"path"`
	Created bool   `json:"created"`
	InPlace bool   `json:"in_place"`
	Bytes   int    `json:"bytes"`
}

func writeFile() Tool {
	return Tool{
		Name: "write_file", Title: "Write a file", Description: describe(writeText, writeRights),
		InputSchema: json.RawMessage(writeInput), OutputSchema: json.RawMessage(writeOutput),
		Destructive: true, Idempotent: true, Rights: writeRights, Run: runWrite,
	}
}

func runWrite(ctx context.Context, c *paddock.Call, args json.RawMessage, _ Progress) (Result, error) {
	var a writeArgs
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	r, err := c.Write(ctx, unspell(a.FilePath), []byte(a.Content), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
	if err != nil {
		return Result{}, err
	}
	out := written{Path: Spell(r.Path), Created: r.Created, InPlace: r.InPlace, Bytes: len(a.Content)}
	text := "Updated file " + out.Path
	if out.Created {
		text = "Created file " + out.Path
	}
	return Result{Text: text + inPlaceNote(r.InPlace), Structured: out}, nil
}

// inPlaceNote says that a crash in the middle could have left a mixture.
func inPlaceNote(inPlace bool) string {
	if !inPlace {
		return ""
	}
	return "\n\n[It could not be replaced as a whole and was written in place; the old content was kept aside.]"
}
