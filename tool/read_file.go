package tool

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"paddock"
	"paddock/policy"
)

var readRights = Rights{
	"read": {policy.ActOpenRead},
}

//go:embed read_file.md
var readText string

const readInput = `{
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "description": "the file to read"},
    "offset": {"type": "integer", "default": 0, "description": "lines to pass over first"},
    "limit": {"type": "integer", "default": 100, "description": "lines to read"}
  },
  "required": ["file_path"],
  "additionalProperties": false
}`

type readArgs struct {
	FilePath string `json:"file_path" arg:"required"`
	Offset   int    `json:"offset"`
	Limit    int    `json:"limit"`
}

const (
	emptyReminder = "System reminder: File exists but has empty contents"
	zeroReminder  = "System reminder: no lines were read because `limit` was 0. The file was not inspected and may have contents; retry with `limit` >= 1 to read it."
)

func readFile() Tool {
	return Tool{
		Name: "read_file", Title: "Read a file", Description: describe(readText, readRights),
		InputSchema: json.RawMessage(readInput),
		ReadOnly:    true, Idempotent: true, Rights: readRights, Run: runRead,
	}
}

func runRead(ctx context.Context, c *paddock.Call, args json.RawMessage, progress Progress) (Result, error) {
	a := readArgs{Limit: 100}
	if err := DecodeArgs(args, &a); err != nil {
		return Result{}, err
	}
	path := unspell(a.FilePath)
	f, err := c.Open(ctx, path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close() // only read
	info := f.Info()
	lines := newLineReader(ctx, watched(f, info.Size, &clock{limit: readTime}, progress))
	head, err := lines.peek(sniffed)
	switch {
	case err != nil:
		return Result{}, readFailed(path, err)
	case len(head) == 0:
		return Result{Text: emptyReminder}, nil
	case a.Limit <= 0:
		return Result{Text: zeroReminder}, nil
	}
	if what := sniff(head); what.mime != "" {
		return readImage(ctx, f, what)
	} else if what.name != "" && (what != unknown || !readable(head)) {
		return Result{}, errorf("%s is not text: %s, %d bytes. It cannot be shown or edited here", quoted(Spell(info.Path)), what.name, info.Size)
	}
	if bytes.HasPrefix(head, bom) {
		lines.from += len(bom)
		if len(head) == len(bom) {
			return Result{Text: emptyReminder}, nil
		}
	}
	p, err := readPage(lines, a.Offset, a.Limit)
	if err != nil {
		return Result{}, readFailed(path, err)
	}
	return Result{Text: p.text(a.Offset)}, nil
}

// readFailed keeps the host's own words out of a read error.
func readFailed(path string, err error) error {
	var problem *Problem
	if errors.As(err, &problem) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return errorf("%s could not be read to its end", quoted(Spell(path)))
}

// watched bounds how long a read takes, and reports how much of a big file was
// read.
func watched(r io.Reader, size int64, c *clock, progress Progress) io.Reader {
	return &watchedReader{r: r, size: size, clock: c, progress: progress}
}

const watchFrom = 32 << 20 // bytes; what is smaller is read before anybody looks

type watchedReader struct {
	r          io.Reader
	clock      *clock
	done, told int64
	size       int64
	progress   Progress
}

func (w *watchedReader) Read(p []byte) (int, error) {
	if w.clock.up() {
		return 0, errorf("reading took longer than %s and was stopped: what was asked for lies too far inside a huge file, or in a huge line; grep finds text in it", w.clock.limit)
	}
	n, err := w.r.Read(p)
	w.done += int64(n)
	if w.done-w.told >= watchFrom {
		w.told = w.done
		w.progress.report(float64(w.done), float64(max(w.size, w.done)), fmt.Sprintf("%d MiB read", w.done>>20))
	}
	return n, err
}
