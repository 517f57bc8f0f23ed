package tool

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"paddock"
)

// maxRange bounds how many bytes of a file one answer shows; as base64 they are
// as long as an answer may be.
const maxRange = maxText / 4 * 3

// fileContent is the part of an answer that read has.
type fileContent struct {
	Encoding   string  `json:"encoding,omitempty"`
	Content    *string `json:"content,omitempty"`
	MIME       string  `json:"mime,omitempty"`
	Offset     *int    `json:"offset,omitempty"`
	Lines      *int    `json:"lines,omitempty"`
	TotalLines *int    `json:"total_lines,omitempty"`
	ByteOffset *int64  `json:"byte_offset,omitempty"`
	Bytes      *int64  `json:"bytes,omitempty"`
	Next       *int64  `json:"next,omitempty"`
	Truncated  bool    `json:"truncated,omitempty"`
}

// fileReading is one read.
type fileReading struct {
	f      *paddock.File
	path   string
	enc    encoding
	answer fileAnswer
}

func fileRead(ctx context.Context, c *paddock.Call, path string, a *fileArgs, progress Progress) (Result, error) {
	enc, err := encodingOf(or(a.Encoding, utf8Name))
	if err == nil {
		err = a.checkRange(enc)
	}
	if err != nil {
		return Result{}, err
	}
	f, err := c.Open(ctx, path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close() // only read
	info := f.Info()
	r := fileReading{f: f, path: path, answer: fileAnswer{Operation: "read", Path: Spell(info.Path), described: described{Size: &info.Size}}}
	head, _, err := r.section(0, 2)
	if err != nil {
		return Result{}, err
	}
	r.enc = enc.of(head)
	r.answer.Encoding = enc.name
	if a.ByteOffset != nil || a.ByteLimit != nil || enc.name == base64Name {
		return r.bytes(or(a.ByteOffset, 0), min(or(a.ByteLimit, maxRange), maxRange))
	}
	return r.lines(ctx, or(a.Offset, 0), or(a.Limit, 100), progress)
}

func (a *fileArgs) checkRange(enc encoding) error {
	byLine := a.Offset != nil || a.Limit != nil
	switch {
	case byLine && enc.name == base64Name:
		return errorf("base64 has no lines: use byte_offset and byte_limit")
	case byLine && (a.ByteOffset != nil || a.ByteLimit != nil):
		return errorf("offset and limit count lines, byte_offset and byte_limit count bytes: give those of one kind")
	case or(a.Offset, 0) < 0 || or(a.ByteOffset, 0) < 0:
		return errorf("an offset must not be below 0")
	case or(a.Limit, 1) < 1 || or(a.ByteLimit, 1) < 1:
		return errorf("a limit must be at least 1")
	case enc.order != nil && or(a.ByteOffset, 0)%2 != 0:
		return errorf("a character of %s has an even number of bytes, so byte_offset must be even", enc.name)
	}
	return nil
}

// lines reads lines, as read_file does.
func (r *fileReading) lines(ctx context.Context, offset, limit int, progress Progress) (Result, error) {
	in := watched(r.f, r.f.Info().Size, &clock{limit: readTime}, progress)
	if r.enc.name != utf8Name {
		in = newDecoder(in, r.enc)
	}
	lines := newLineReader(ctx, in)
	head, err := lines.peek(sniffed)
	if err != nil {
		return Result{}, readFailed(r.path, err)
	}
	if result, done, err := r.notText(ctx, head); done {
		return result, err
	}
	if bytes.HasPrefix(head, bom) {
		lines.from += len(bom)
		head = head[len(bom):]
	}
	if len(head) == 0 {
		return r.empty(), nil
	}
	p, err := readPage(lines, offset, limit)
	if err != nil {
		return Result{}, readFailed(r.path, err)
	}
	content := p.content()
	r.answer.Content, r.answer.Offset, r.answer.Lines = &content, &p.skip, &p.lines
	if p.total >= 0 {
		r.answer.TotalLines = &p.total
	}
	if next := int64(p.skip + p.lines); int64(p.total) != next {
		r.answer.Next = &next
	}
	r.answer.Truncated = p.full || p.cut > 0
	return Result{Text: p.text(offset), Structured: r.answer}, nil
}

func (r *fileReading) empty() Result {
	content, none := "", 0
	r.answer.Content, r.answer.Lines, r.answer.TotalLines = &content, &none, &none
	return Result{Text: emptyReminder, Structured: r.answer}
}

// notText answers for a file that is no text in the encoding: done says so.
func (r *fileReading) notText(ctx context.Context, head []byte) (result Result, done bool, err error) {
	name := quoted(r.answer.Path)
	if r.enc.name != utf8Name {
		if !isText(head) {
			return Result{}, true, errorf("%s is not text in %s; encoding base64 reads its bytes", name, r.enc.name)
		}
		return Result{}, false, nil
	}
	switch what := sniff(head); {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		return Result{}, true, errorf("%s is not text in utf-8; it seems to be text in utf-16, which encoding utf-16 reads", name)
	case what.mime != "":
		result, err = readImage(ctx, r.f, what)
		r.answer.Encoding, r.answer.MIME = "", what.mime
		result.Structured = r.answer
		return result, true, err
	case what.name != "":
		return Result{}, true, errorf("%s is not text: %s, %d bytes. encoding base64 reads its bytes", name, what.name, r.f.Info().Size)
	}
	return Result{}, false, nil
}

// content is the text of a page as the file has it, but for its line endings.
func (p *page) content() string {
	var b strings.Builder
	for i, row := range p.rows {
		if i > 0 && !strings.Contains(row.mark, ".") {
			b.WriteByte('\n')
		}
		b.WriteString(row.text)
	}
	return b.String()
}

// bytes reads a range of bytes. Where the range ends within a character, the
// answer ends before it.
func (r *fileReading) bytes(from, limit int64) (Result, error) {
	data, last, err := r.section(from, limit)
	switch {
	case err != nil:
		return Result{}, err
	case len(data) == 0 && from > 0:
		return Result{}, errorf("Byte offset %d exceeds file size (%s)", from, plural(int(r.f.Info().Size), "byte", "bytes"))
	case len(data) == 0:
		return r.empty(), nil
	case r.enc.name == utf8Name && !isText(data):
		return Result{}, errorf("these bytes of %s are not text; encoding base64 reads them", quoted(r.answer.Path))
	}
	text, used := r.shown(data, last)
	if used == 0 { // a limit below the size of one character
		if data, last, err = r.section(from, utf8.UTFMax); err != nil {
			return Result{}, err
		}
		text, used = r.shown(data, last)
	}
	if from == 0 && r.enc.name != base64Name {
		text = strings.TrimPrefix(text, string(bom))
	}
	count, next := int64(used), from+int64(used)
	r.answer.Content, r.answer.ByteOffset, r.answer.Bytes = &text, &from, &count
	all := last && used == len(data)
	switch {
	case !all:
		r.answer.Next = &next
	case from == 0 && text == "": // nothing but a byte order mark
		return r.empty(), nil
	}
	return Result{Text: text + r.note(from, next, !all), Structured: r.answer}, nil
}

// note says which part of the file an answer is, unless it is all.
func (r *fileReading) note(from, next int64, more bool) string {
	if from == 0 && !more {
		return ""
	}
	text := fmt.Sprintf("\n\n[Bytes %d-%d of %d.", from, next-1, max(r.f.Info().Size, next))
	if more {
		text += fmt.Sprintf(" The rest begins at byte_offset %d.", next)
	}
	return text + "]"
}

// shown is what an answer has room for, and how many bytes that stands for.
func (r *fileReading) shown(data []byte, last bool) (text string, used int) {
	if r.enc.name == base64Name {
		return base64.StdEncoding.EncodeToString(data), len(data)
	}
	for {
		out, used := r.enc.text(nil, data, last)
		text := valid(out)
		if utf8.RuneCountInString(text) <= maxText {
			return text, used
		}
		data, last = data[:len(data)/2], false // bytes that are no text are long when shown
	}
}

// section reads bytes of the file. last says that it ends with them.
func (r *fileReading) section(from, limit int64) (data []byte, last bool, err error) {
	data, err = io.ReadAll(io.NewSectionReader(r.f, from, limit+1))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, readFailed(r.path, err)
	}
	if int64(len(data)) > limit {
		return data[:limit], false, nil
	}
	return data, true, nil
}
