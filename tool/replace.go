package tool

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"paddock"
)

// replace changes the text of a file. What it does not change stays byte for
// byte: line endings, byte order mark, bytes that are no UTF-8. Its work and
// memory grow with the size of the file and of the result alone, whatever the
// strings; a result beyond paddock.MaxFile is refused before it is made.
func replace(content []byte, old, new string, all bool) ([]byte, int, error) {
	if old == "" {
		if len(content) > 0 && !bytes.Equal(content, bom) {
			return nil, 0, errorf("old_string is empty, which fits nothing but an empty file, and this one is not; to replace the whole content use write_file")
		}
		return append(bytes.Clone(content), new...), 1, nil
	}
	if what := sniff(content[:min(len(content), sniffed)]); what.name != "" {
		return nil, 0, errorf("the file is not text but %s; it cannot be edited", what.name)
	}
	head := content[:0]
	if bytes.HasPrefix(content, bom) && !strings.HasPrefix(old, string(bom)) {
		head, content = content[:len(bom)], content[len(bom):]
	}
	e := endingsOf(content, old, new)
	n := e.count()
	switch {
	case n == 0:
		return nil, 0, notFound(e, old)
	case n > 1 && !all:
		return nil, 0, errorf("String %s appears %d times in file. Use replace_all=true to replace all instances, or provide a more specific string with surrounding context.", quoted(old), n)
	}
	if size := len(head) + e.size(n); size > paddock.MaxFile {
		return nil, 0, errorf("the file would grow to %d bytes; at most %d are written", size, paddock.MaxFile)
	}
	return e.apply(head, n), n, nil
}

// notFound says that the text is not there, and why perhaps not.
func notFound(s *search, old string) error {
	return errorf("String not found in file: %s%s", quoted(old), s.hint())
}

// hint guesses what is wrong with the text that was looked for. It is not put
// right in silence: what is replaced is what was asked for, or nothing.
func (s *search) hint() string {
	if cut, ends := strings.CutSuffix(s.old, "\n"); ends && cut != "" && bytes.HasSuffix(s.text, []byte(cut)) {
		hint := ". It ends with a newline and the file ends without one: leave the newline at the end of old_string and new_string away"
		if bytes.Count(s.text, []byte(cut)) > 1 {
			hint += ", and add context, because without it the text is there more than once"
		}
		return hint
	}
	first := ""
	for part := range strings.Lines(s.old) {
		if first = strings.TrimSpace(part); first != "" {
			break
		}
	}
	if len(first) > maxHint {
		return ""
	}
	if bare := strings.TrimLeft(first, "0123456789."); bare != first && strings.HasPrefix(bare, "  ") && bytes.Contains(s.text, []byte(strings.TrimSpace(bare))) {
		return ". It seems to hold the line numbers of read_file: leave them away"
	}
	if at := bytes.Index(s.text, []byte(first)); at >= 0 && first != "" {
		return fmt.Sprintf(". Its first line is there, in line %d: compare the blanks around it and the lines behind it", lineEnds(s.text[:at])+1)
	}
	if strings.Contains(s.old, `\x`) && !utf8.Valid(s.text) {
		return ". The file holds bytes that are not UTF-8; shown as \\xNN, they cannot be matched: choose text without them"
	}
	return ""
}

const maxHint = 1000 // bytes of the line that a hint looks for
