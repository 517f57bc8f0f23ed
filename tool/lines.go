package tool

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// lineReader reads a text line by line in bounded memory, however long a line
// is. A line ends with LF, CRLF or a CR of its own, and with nothing else:
// read_file and grep both count so, and their line numbers agree.
type lineReader struct {
	r    io.Reader
	ctx  context.Context
	buf  []byte
	from int // buf[from:to] is what was read and not yet given out
	to   int
	done bool // r has ended
	read int64
}

const readChunk = 64 << 10

func newLineReader(ctx context.Context, r io.Reader) *lineReader {
	return &lineReader{r: r, ctx: ctx, buf: make([]byte, readChunk)}
}

// fill reads more behind what is there; false at the end.
func (l *lineReader) fill() (bool, error) {
	if l.done {
		return false, nil
	}
	if err := l.ctx.Err(); err != nil {
		return false, err
	}
	if l.from > 0 {
		l.to = copy(l.buf, l.buf[l.from:l.to])
		l.from = 0
	}
	for range 100 { // a reader that gives nothing for ever is an error
		n, err := l.r.Read(l.buf[l.to:])
		l.to += n
		l.read += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			l.done = true
			return n > 0, nil
		case err != nil:
			return false, err
		case n > 0:
			return true, nil
		}
	}
	return false, io.ErrNoProgress
}

// peek gives what the text begins with, up to the size of the buffer, without
// taking it.
func (l *lineReader) peek(n int) ([]byte, error) {
	for l.to-l.from < n {
		if more, err := l.fill(); err != nil || !more {
			return l.buf[l.from:l.to], err
		}
	}
	return l.buf[l.from:min(l.to, l.from+n)], nil
}

// next gives the next line without its ending: its first keep bytes, and its
// size. It is io.EOF when there is none. The bytes are good until the next
// call.
func (l *lineReader) next(keep int) (text []byte, size int64, err error) {
	var long []byte // the head of a line that is longer than the buffer
	for {
		chunk := l.buf[l.from:l.to]
		end, ending := lineEnd(chunk, l.done)
		if ending == 0 && !l.done && len(chunk) < len(l.buf) {
			if _, err := l.fill(); err != nil {
				return nil, 0, err
			}
			continue
		}
		if ending == 0 && len(chunk) == 0 && size == 0 {
			return nil, 0, io.EOF
		}
		size += int64(end)
		l.from += end + ending
		whole := ending > 0 || l.done
		if whole && long == nil {
			return chunk[:min(end, keep)], size, nil
		}
		long = append(long, chunk[:min(end, keep-len(long))]...)
		if long == nil {
			long = []byte{}
		}
		if whole {
			return long, size, nil
		}
	}
}

// lineEnd finds where the first line of a text ends, and how long its ending
// is: 0 when the text ends before that, or with a CR that may be half of a
// CRLF.
func lineEnd(text []byte, last bool) (end, ending int) {
	end = lineBreak(text)
	switch {
	case end == len(text):
		return end, 0
	case text[end] == '\n':
		return end, 1
	case end+1 < len(text) && text[end+1] == '\n':
		return end, 2
	case end+1 == len(text) && !last:
		return end, 0
	default:
		return end, 1
	}
}

// lineBreak is the place of the first LF or CR; the length of the text when
// there is none. It looks in growing steps: whichever of the two is rare may
// be far away, and looking for it in each line would take for ever.
func lineBreak(text []byte) int {
	for from, size := 0, 256; from < len(text); from, size = from+size, 4*size {
		window := text[from:min(len(text), from+size)]
		lf := bytes.IndexByte(window, '\n')
		if lf >= 0 {
			window = window[:lf]
		}
		if cr := bytes.IndexByte(window, '\r'); cr >= 0 {
			return from + cr
		}
		if lf >= 0 {
			return from + lf
		}
	}
	return len(text)
}

// lastBreak is the place of the last LF or CR; -1 when there is none.
func lastBreak(text []byte) int {
	for to, size := len(text), 256; to > 0; to, size = to-size, 4*size {
		from := max(0, to-size)
		if i := max(bytes.LastIndexByte(text[from:to], '\n'), bytes.LastIndexByte(text[from:to], '\r')); i >= 0 {
			return from + i
		}
	}
	return -1
}

// skip passes over n lines at the speed of the disk, and gives up after about
// budget bytes: whole is false then. It tells how many lines there were.
func (l *lineReader) skip(n int, budget int64) (skipped int, whole bool, err error) {
	limit := l.read + budget
	open := false // what was passed over does not end where a line ends
	for skipped < n {
		chunk := l.buf[l.from:l.to]
		if !l.done {
			chunk = bytes.TrimSuffix(chunk, []byte("\r")) // perhaps half of a CRLF
		}
		if len(chunk) == 0 {
			if l.read >= limit {
				return skipped, false, nil
			}
			more, err := l.fill()
			if err != nil {
				return skipped, false, err
			}
			if !more && l.from == l.to {
				if open {
					skipped++
				}
				return skipped, true, nil
			}
			continue
		}
		if inside := lineEnds(chunk); skipped+inside < n {
			skipped += inside
			l.from += len(chunk)
			open = chunk[len(chunk)-1] != '\n' && chunk[len(chunk)-1] != '\r'
			continue
		}
		end, ending := lineEnd(chunk, true)
		l.from += end + ending
		skipped++
		open = false
	}
	return skipped, true, nil
}

// lineEnds counts the line endings in a text.
func lineEnds(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	if bytes.IndexByte(text, '\r') >= 0 {
		n += bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
	}
	return n
}
