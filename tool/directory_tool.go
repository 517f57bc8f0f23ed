package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"

	"paddock"
	"paddock/policy"
)

// The operations of directory_tool. Of copy and move the first act is about
// path, the second about destination; of delete, copy and move they are about
// all that the folder holds, too.
var directoryRights = Rights{
	"list":   {policy.ActList},
	"tree":   {policy.ActList, policy.ActSearch},
	"create": {policy.ActMkdir},
	"info":   {policy.ActStat},
	"copy":   {policy.ActOpenRead, policy.ActCreate},
	"move":   {policy.ActRenameFrom, policy.ActRenameTo},
	"delete": {policy.ActUnlink, policy.ActRmdir},
}

// directorySame are the tools of the rules family that do the same.
var directorySame = map[string][]string{
	"list": {"ls"}, "tree": {"ls"}, "create": {"write_file"}, "info": {"ls"}, "copy": {"write_file"}, "move": {"delete", "write_file"}, "delete": {"delete"},
}

// directoryTakes are the arguments of each operation.
var directoryTakes = map[string][]string{
	"list":   {"path"},
	"tree":   {"path", "depth", "max_count", "per_folder"},
	"create": {"path", "dry_run"},
	"info":   {"path"},
	"copy":   {"path", "destination", "dry_run"},
	"move":   {"path", "destination", "dry_run"},
	"delete": {"path", "recursive", "dry_run"},
}

//go:embed directory_tool.md
var directoryText string

const directoryInput = `{
  "type": "object",
  "properties": {
    "operation": {"type": "string", "enum": ["list", "tree", "create", "info", "copy", "move", "delete"]},
    "path": {"type": "string", "description": "the folder; list and tree take / when it is not given"},
    "destination": {"type": "string", "description": "copy, move: the new name"},
    "depth": {"type": "integer", "minimum": 1, "maximum": 50, "default": 3, "description": "tree: how many levels to show"},
    "max_count": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 1000, "description": "tree: how many entries to show"},
    "per_folder": {"type": "integer", "minimum": 1, "maximum": 10000, "default": 100, "description": "tree: how many entries of one folder to show"},
    "recursive": {"type": "boolean", "default": false, "description": "delete: what the folder holds as well"},
    "dry_run": {"type": "boolean", "default": false, "description": "say what would happen, and do nothing"}
  },
  "required": ["operation"],
  "additionalProperties": false
}`

const directoryOutput = `{
  "type": "object",
  "properties": {
    "operation": {"enum": ["list", "tree", "create", "info", "copy", "move", "delete"]},
    "path": {"type": "string"},
    "destination": {"type": "string"},
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
    "truncated": {"type": "boolean", "description": "list, tree: there is more than is shown"},
    "kind": {"enum": ["folder"]},
    "modified": {"type": "string", "format": "date-time"},
    "mode": {"type": "string", "description": "permission bits, octal"},
    "copied": {"type": "integer", "description": "how many files"},
    "removed": {"type": "integer", "description": "how many files, links and folders; of a dry run, how many would be"},
    "dry_run": {"type": "boolean", "description": "nothing was done"},
    "would_ask": {"type": "boolean", "description": "a person would be asked first"}
  },
  "required": ["operation", "path"],
  "additionalProperties": false
}`

type directoryArgs struct {
	Operation   string  `json:"operation" arg:"required"`
	Path        *string `json:"path"`
	Destination *string `json:"destination"`
	Depth       *int    `json:"depth"`
	MaxCount    *int    `json:"max_count"`
	PerFolder   *int    `json:"per_folder"`
	Recursive   *bool   `json:"recursive"`
	DryRun      *bool   `json:"dry_run"`
}

// directoryAnswer is the structured content of directory_tool.
type directoryAnswer struct {
	Operation   string   `json:"operation"`
	Path        string   `json:"path"`
	Destination string   `json:"destination,omitempty"`
	Entries     *[]entry `json:"entries,omitempty"`
	Truncated   bool     `json:"truncated,omitempty"`
	Kind        string   `json:"kind,omitempty"`
	Modified    string   `json:"modified,omitempty"`
	Mode        string   `json:"mode,omitempty"`
	Copied      *int     `json:"copied,omitempty"`
	Removed     *int     `json:"removed,omitempty"`
	dry
}

func directoryTool() Tool {
	return Tool{
		Name: "directory_tool", Title: "Work with a folder", Description: describe(directoryText, directoryRights),
		InputSchema: json.RawMessage(directoryInput), OutputSchema: json.RawMessage(directoryOutput),
		Destructive: true, Rights: directoryRights, Run: runDirectory,
	}
}

func runDirectory(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
	var a directoryArgs
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	if err := checkOperation(a.Operation, &a, directoryTakes); err != nil {
		return Result{}, err
	}
	countAs(c, directorySame[a.Operation])
	if reads := a.Operation == "list" || a.Operation == "tree"; !reads {
		// Nobody means the top by leaving the path away.
		if err := must(a.Path, "path", a.Operation); err != nil {
			return Result{}, err
		}
	}
	path := unspell(or(a.Path, "/"))
	switch a.Operation {
	case "list":
		return directoryList(ctx, c, path)
	case "tree":
		return directoryTree(ctx, c, path, &a, progress)
	case "create":
		return directoryCreate(ctx, c, path, or(a.DryRun, false))
	case "info":
		return directoryInfo(ctx, c, path)
	}
	if a.Operation != "delete" {
		if err := must(a.Destination, "destination", a.Operation); err != nil {
			return Result{}, err
		}
	}
	m := managed{operation: a.Operation, path: path, to: unspell(or(a.Destination, "")), recursive: or(a.Recursive, false)}
	done, err := m.run(ctx, c, or(a.DryRun, false))
	out := directoryAnswer{Operation: a.Operation, Path: Spell(path), Destination: Spell(m.to), dry: done.dry}
	switch {
	case a.Operation == "delete":
		out.Removed = &done.objects
	case a.Operation == "copy" && !done.DryRun:
		out.Copied = &done.objects
	}
	return Result{Text: done.text, Structured: out}, err
}

// directoryList is ls, with another shape of its answer.
func directoryList(ctx context.Context, c *paddock.Call, path string) (Result, error) {
	r, err := listFolder(ctx, c, path)
	if err != nil {
		return Result{}, err
	}
	l := r.Structured.(listed)
	return Result{Text: r.Text, Structured: directoryAnswer{Operation: "list", Path: l.Path, Entries: &l.Entries, Truncated: l.Truncated}}, nil
}

func directoryCreate(ctx context.Context, c *paddock.Call, path string, dryRun bool) (Result, error) {
	var info paddock.Info
	mkdir := func() (err error) {
		info, err = c.Mkdir(ctx, path, true)
		return err
	}
	if dryRun {
		plan, err := c.DryRun(mkdir)
		if err != nil {
			return Result{}, err
		}
		out := directoryAnswer{Operation: "create", Path: Spell(path), dry: dryOf(plan)}
		return Result{Text: dryText(plan, "make the folder "+out.Path), Structured: out}, nil
	}
	if err := mkdir(); err != nil {
		return Result{}, err
	}
	out := directoryAnswer{Operation: "create", Path: Spell(info.Path)}
	return Result{Text: "Created folder " + out.Path, Structured: out}, nil
}

func directoryInfo(ctx context.Context, c *paddock.Call, path string) (Result, error) {
	info, err := c.Stat(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		if link, linkErr := c.Lstat(ctx, path); linkErr == nil {
			info, err = link, nil // it leads nowhere
		}
	}
	if err == nil {
		err = kindError(info, false)
	}
	if err != nil {
		return Result{}, err
	}
	d := describedOf(info)
	out := directoryAnswer{Operation: "info", Path: Spell(info.Path), Kind: d.Kind, Modified: d.Modified, Mode: d.Mode}
	return Result{Text: d.text(out.Path), Structured: out}, nil
}
