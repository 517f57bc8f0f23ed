package tool

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The encodings of file_tool. utf-16 goes by the byte order mark of the file,
// and writes one; the other two have the order in their name.
const (
	utf8Name    = "utf-8"
	base64Name  = "base64"
	latin1Name  = "latin-1"
	utf16Name   = "utf-16"
	utf16leName = "utf-16le"
	utf16beName = "utf-16be"
)

// encoding turns the bytes of a file into text and back.
type encoding struct {
	name  string
	order binary.ByteOrder // of UTF-16
}

func encodingOf(name string) (encoding, error) {
	switch name {
	case utf8Name, base64Name, latin1Name:
		return encoding{name: name}, nil
	case utf16Name, utf16leName:
		return encoding{name, binary.LittleEndian}, nil
	case utf16beName:
		return encoding{name, binary.BigEndian}, nil
	}
	all := []string{utf8Name, base64Name, latin1Name, utf16Name, utf16leName, utf16beName}
	return encoding{}, errorf("encoding must be one of %s, and not %s", strings.Join(all, ", "), quoted(name))
}

// of is the encoding for a file that begins with head.
func (e encoding) of(head []byte) encoding {
	if e.name == utf16Name && bytes.HasPrefix(head, []byte("\xfe\xff")) {
		e.order = binary.BigEndian
	}
	return e
}

// encode gives the bytes of a text that a file is to hold.
func (e encoding) encode(text string) ([]byte, error) {
	switch {
	case e.name == base64Name:
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, errorf("content is not base64: %s", line(err.Error()))
		}
		return content, nil
	case e.name == utf16Name && !strings.HasPrefix(text, string(bom)):
		text = string(bom) + text
	}
	return e.bytes(text)
}

// bytes is encode without a byte order mark that the text does not have.
func (e encoding) bytes(text string) ([]byte, error) {
	switch {
	case e.order != nil:
		out := make([]byte, 0, 2*utf8.RuneCountInString(text))
		for _, r := range text {
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				out = e.unit(out, high)
				r = low
			}
			out = e.unit(out, r)
		}
		return out, nil
	case e.name == latin1Name:
		out := make([]byte, 0, len(text))
		for _, r := range text {
			if r > 0xff {
				return nil, errorf("%s cannot be written in latin-1", quoted(string(r)))
			}
			out = append(out, byte(r))
		}
		return out, nil
	}
	return []byte(text), nil
}

func (e encoding) unit(out []byte, r rune) []byte {
	at := len(out)
	out = append(out, 0, 0)
	e.order.PutUint16(out[at:], uint16(r))
	return out
}

// text appends the UTF-8 of what a file holds, as far as in has whole
// characters, and tells how many bytes that were. With last, all of it is used.
func (e encoding) text(out, in []byte, last bool) (text []byte, used int) {
	switch {
	case e.order != nil:
		return e.text16(out, in, last)
	case e.name == latin1Name:
		for _, c := range in {
			out = utf8.AppendRune(out, rune(c))
		}
		return out, len(in)
	}
	if !last {
		in = in[:whole(in)]
	}
	return append(out, in...), len(in)
}

func (e encoding) text16(out, in []byte, last bool) (text []byte, used int) {
	for used+1 < len(in) {
		r := rune(e.order.Uint16(in[used:]))
		size := 2
		if utf16.IsSurrogate(r) {
			switch {
			case used+3 < len(in):
				if pair := utf16.DecodeRune(r, rune(e.order.Uint16(in[used+2:]))); pair != utf8.RuneError {
					r, size = pair, 4
				}
			case !last:
				return out, used // its other half is to come
			}
		}
		out = utf8.AppendRune(out, r) // half a pair is U+FFFD
		used += size
	}
	if last && used < len(in) {
		return utf8.AppendRune(out, utf8.RuneError), len(in)
	}
	return out, used
}

// whole is the length of a text without a character that is cut at its end.
func whole(text []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if at := len(text) - i; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// replace is replace for a file in this encoding.
func (e encoding) replace(content []byte, old, new string, all bool) ([]byte, int, error) {
	if e.name == utf8Name {
		return replace(content, old, new, all)
	}
	e = e.of(content)
	text, _ := e.text(make([]byte, 0, len(content)), content, true)
	if same, err := e.bytes(string(text)); err != nil || !bytes.Equal(same, content) {
		return nil, 0, errorf("the file is not valid %s: what is not changed could not be kept as it is, so nothing is", e.name)
	}
	fresh, n, err := replace(text, old, new, all)
	if err != nil {
		return nil, 0, err
	}
	encode := e.bytes
	if len(content) == 0 {
		encode = e.encode
	}
	fresh, err = encode(string(fresh))
	return fresh, n, err
}

// decoder reads a file as UTF-8, in bounded memory.
type decoder struct {
	r       io.Reader
	e       encoding
	in, out []byte
	pending []byte // of out, not given away yet
	done    bool
}

func newDecoder(r io.Reader, e encoding) *decoder {
	return &decoder{r: r, e: e, in: make([]byte, 0, readChunk)}
}

func (d *decoder) Read(p []byte) (int, error) {
	for len(d.pending) == 0 {
		if d.done {
			return 0, io.EOF
		}
		n, err := d.r.Read(d.in[len(d.in):cap(d.in)])
		d.in = d.in[:len(d.in)+n]
		switch {
		case errors.Is(err, io.EOF):
			d.done = true
		case err != nil:
			return 0, err
		case n == 0:
			return 0, nil
		}
		var used int
		d.out, used = d.e.text(d.out[:0], d.in, d.done)
		d.in = d.in[:copy(d.in, d.in[used:])]
		d.pending = d.out
	}
	n := copy(p, d.pending)
	d.pending = d.pending[n:]
	return n, nil
}
