package tool

import (
	"context"
	_ "embed"
	"encoding/json"

	"paddock"
	"paddock/policy"
)

// The operations of file_tool. Of copy and move the first act is about path,
// the second about destination, and the third about what overwrite replaces.
var fileRights = Rights{
	"read":   {policy.ActOpenRead},
	"write":  {policy.ActCreate, policy.ActOpenWrite, policy.ActTruncate, policy.ActMkdir},
	"append": {policy.ActCreate, policy.ActOpenWrite, policy.ActMkdir},
	"edit":   {policy.ActOpenRead, policy.ActOpenWrite},
	"create": {policy.ActCreate, policy.ActMkdir},
	"info":   {policy.ActStat},
	"copy":   {policy.ActOpenRead, policy.ActCreate},
	"move":   {policy.ActRenameFrom, policy.ActRenameTo, policy.ActReplaced},
	"delete": {policy.ActUnlink},
	"hash":   {policy.ActHash},
}

// fileSame are the tools of the rules family that do the same.
var fileSame = map[string][]string{
	"read": {"read_file"}, "write": {"write_file"}, "append": {"write_file"}, "edit": {"edit_file"}, "create": {"write_file"}, "info": {"ls"},
	"copy": {"write_file"}, "move": {"delete", "write_file"}, "delete": {"delete"}, "hash": {"read_file"},
}

// fileTakes are the arguments of each operation, besides path.
var fileTakes = map[string][]string{
	"read":   {"encoding", "offset", "limit", "byte_offset", "byte_limit"},
	"write":  {"content", "encoding", "dry_run"},
	"append": {"content", "encoding", "dry_run"},
	"edit":   {"old_string", "new_string", "replace_all", "encoding", "dry_run"},
	"create": {"content", "encoding", "dry_run"},
	"info":   {},
	"copy":   {"destination", "overwrite", "dry_run"},
	"move":   {"destination", "overwrite", "dry_run"},
	"delete": {"dry_run"},
	"hash":   {"algorithm"},
}

//go:embed file_tool.md
var fileText string

const fileInput = `{
  "type": "object",
  "properties": {
    "operation": {"type": "string", "enum": ["read", "write", "append", "edit", "create", "info", "copy", "move", "delete", "hash"]},
    "path": {"type": "string", "description": "the file"},
    "destination": {"type": "string", "description": "copy, move: the new name"},
    "content": {"type": "string", "description": "write, append, create: the text, in the given encoding"},
    "old_string": {"type": "string", "description": "edit: the text to replace"},
    "new_string": {"type": "string", "description": "edit: what takes its place"},
    "replace_all": {"type": "boolean", "default": false, "description": "edit: change every place, not just one"},
    "encoding": {"type": "string", "enum": ["utf-8", "base64", "latin-1", "utf-16", "utf-16le", "utf-16be"], "default": "utf-8"},
    "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "read: lines to pass over first"},
    "limit": {"type": "integer", "minimum": 1, "default": 100, "description": "read: lines to read"},
    "byte_offset": {"type": "integer", "minimum": 0, "description": "read: bytes to pass over first, in place of lines"},
    "byte_limit": {"type": "integer", "minimum": 1, "description": "read: bytes to read, in place of lines"},
    "algorithm": {"type": "string", "enum": ["sha256", "sha512", "sha1", "md5"], "default": "sha256", "description": "hash"},
    "overwrite": {"type": "boolean", "default": false, "description": "copy, move: replace a file that has the new name"},
    "dry_run": {"type": "boolean", "default": false, "description": "say what would happen, and do nothing"}
  },
  "required": ["operation", "path"],
  "additionalProperties": false
}`

const fileOutput = `{
  "type": "object",
  "properties": {
    "operation": {"enum": ["read", "write", "append", "edit", "create", "info", "copy", "move", "delete", "hash"]},
    "path": {"type": "string"},
    "destination": {"type": "string"},
    "kind": {"enum": ["file", "folder", "link", "special"]},
    "size": {"type": "integer", "description": "bytes, of the file as it is now"},
    "modified": {"type": "string", "format": "date-time"},
    "mode": {"type": "string", "description": "permission bits, octal"},
    "names": {"type": "integer", "description": "how many names (hard links) the file has"},
    "target": {"type": "string", "description": "where a link leads, if it stays inside"},
    "target_kind": {"enum": ["file", "folder", "special"], "description": "what is there"},
    "encoding": {"type": "string"},
    "content": {"type": "string", "description": "what was read; by lines, each ends with a line feed but the last"},
    "mime": {"type": "string", "description": "of an image, which comes beside the text"},
    "offset": {"type": "integer", "description": "lines before the content"},
    "lines": {"type": "integer", "description": "lines in the content"},
    "total_lines": {"type": "integer", "description": "lines of the file, when they were counted"},
    "byte_offset": {"type": "integer", "description": "bytes before the content"},
    "bytes": {"type": "integer", "description": "bytes of the file that the content stands for"},
    "next": {"type": "integer", "description": "the offset or byte_offset with which to go on; absent at the end"},
    "truncated": {"type": "boolean", "description": "the answer is full, or a line in it is cut"},
    "created": {"type": "boolean", "description": "the file was not there before"},
    "in_place": {"type": "boolean", "description": "it could not be replaced as a whole; the old content was kept aside"},
    "replaced": {"type": "integer", "description": "edit: how many places were changed"},
    "algorithm": {"type": "string"},
    "digest": {"type": "string", "description": "hexadecimal"},
    "dry_run": {"type": "boolean", "description": "nothing was done"},
    "would_ask": {"type": "boolean", "description": "a person would be asked first"}
  },
  "required": ["operation", "path"],
  "additionalProperties": false
}`

type fileArgs struct {
	Operation   string  `json:"operation" arg:"required"`
	Path        string  `json:"path" arg:"required"`
	Destination *string `json:"destination"`
	Content     *string `json:"content"`
	OldString   *string `json:"old_string"`
	NewString   *string `json:"new_string"`
	ReplaceAll  *bool   `json:"replace_all"`
	Encoding    *string `json:"encoding"`
	Offset      *int    `json:"offset"`
	Limit       *int    `json:"limit"`
	ByteOffset  *int64  `json:"byte_offset"`
	ByteLimit   *int64  `json:"byte_limit"`
	Algorithm   *string `json:"algorithm"`
	Overwrite   *bool   `json:"overwrite"`
	DryRun      *bool   `json:"dry_run"`
}

// fileAnswer is the structured content of file_tool.
type fileAnswer struct {
	Operation   string `json:"operation"`
	Path        string `json:"path"`
	Destination string `json:"destination,omitempty"`
	described
	fileContent
	Created   *bool  `json:"created,omitempty"`
	InPlace   bool   `json:"in_place,omitempty"`
	Replaced  *int   `json:"replaced,omitempty"`
	Algorithm string `json:"algorithm,omitempty"`
	Digest    string `json:"digest,omitempty"`
	dry
}

func fileTool() Tool {
	return Tool{
		Name: "file_tool", Title: "Work with a file", Description: describe(fileText, fileRights),
		InputSchema: json.RawMessage(fileInput), OutputSchema: json.RawMessage(fileOutput),
		Destructive: true, Rights: fileRights, Run: runFile,
	}
}

func runFile(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
	var a fileArgs
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	if err := checkOperation(a.Operation, &a, fileTakes); err != nil {
		return Result{}, err
	}
	countAs(c, fileSame[a.Operation])
	path := unspell(a.Path)
	switch a.Operation {
	case "read":
		return fileRead(ctx, c, path, &a, progress)
	case "write", "append", "create":
		return filePut(ctx, c, path, &a)
	case "edit":
		return fileEdit(ctx, c, path, &a)
	case "info":
		return fileInfo(ctx, c, path)
	case "hash":
		return fileHash(ctx, c, path, or(a.Algorithm, "sha256"), progress)
	default: // copy, move, delete
		if err := a.checkTarget(); err != nil {
			return Result{}, err
		}
		m := managed{operation: a.Operation, path: path, to: unspell(or(a.Destination, "")), overwrite: or(a.Overwrite, false), file: true}
		done, err := m.run(ctx, c, or(a.DryRun, false))
		out := fileAnswer{Operation: a.Operation, Path: Spell(path), Destination: Spell(m.to), dry: done.dry}
		return Result{Text: done.text, Structured: out}, err
	}
}

func (a *fileArgs) checkTarget() error {
	if a.Operation == "delete" {
		return nil
	}
	return must(a.Destination, "destination", a.Operation)
}
