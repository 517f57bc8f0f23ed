package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds one message in bytes. It leaves room for a file of 16 MiB of
// which most characters are escaped.
const maxLine = 32 << 20

// errTooLong is a line above maxLine. The rest of it is skipped by the next
// read, so that the connection survives.
var errTooLong = errors.New("the message is too long")

// lineReader reads lines of bounded length.
type lineReader struct {
	r    *bufio.Reader
	skip bool // the rest of the line that was too long
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns a line without its end. The last one may end with the input.
// The line belongs to the caller.
func (l *lineReader) next() ([]byte, error) {
	if l.skip {
		if err := l.skipLine(); err != nil {
			return nil, err
		}
	}
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			l.skip = !bytes.HasSuffix(line, []byte("\n"))
			return nil, errTooLong
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return bytes.TrimRight(line, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func (l *lineReader) skipLine() error {
	for {
		_, err := l.r.ReadSlice('\n')
		if err == nil {
			l.skip = false
			return nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
