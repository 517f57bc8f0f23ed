package tool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"paddock"
)

const (
	// sniffed is how much of a file tells text from other things, in bytes.
	// It is git's measure.
	sniffed  = 8000
	maxImage = 5 << 20 // bytes
)

var bom = []byte("\xef\xbb\xbf")

// content is what a file that is not text seems to be.
type content struct {
	name string // in words; "" for text
	mime string // of an image that a model can look at
}

// magics are the beginnings by which kinds of file are told. Contents decide,
// not the name: a name is as easily wrong as it is set.
var magics = []struct {
	begin string
	content
}{
	{"\x89PNG\r\n\x1a\n", content{"a PNG image", "image/png"}},
	{"\xff\xd8\xff", content{"a JPEG image", "image/jpeg"}},
	{"GIF87a", content{"a GIF image", "image/gif"}},
	{"GIF89a", content{"a GIF image", "image/gif"}},
	{"%PDF-", content{name: "a PDF document"}},
	{"PK\x03\x04", content{name: "a ZIP archive or an office document"}},
	{"\x1f\x8b", content{name: "gzip data"}},
	{"\x28\xb5\x2f\xfd", content{name: "zstd data"}},
	{"\xfd7zXZ\x00", content{name: "xz data"}},
	{"\x7fELF", content{name: "a program or library"}},
	{"SQLite format 3\x00", content{name: "an SQLite database"}},
	{"\xff\xfe", content{name: "text in UTF-16; only UTF-8 is read"}},
	{"\xfe\xff", content{name: "text in UTF-16; only UTF-8 is read"}},
}

// sniff tells what a file is by its first bytes.
func sniff(head []byte) content {
	text := isText(head)
	for _, m := range magics {
		// A text may begin with GIF89a and be about GIFs.
		if bytes.HasPrefix(head, []byte(m.begin)) && (!text || m.begin[0] == '%') {
			return m.content
		}
	}
	if bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 12 && string(head[8:12]) == "WEBP" {
		return content{"a WebP image", "image/webp"}
	}
	if !text {
		return unknown
	}
	return content{}
}

// unknown is what is neither text nor of a kind that is known.
var unknown = content{name: "binary data"}

// readable tells whether what is no text can be read like one all the same: a
// log that a crash tore has a NUL here and there. It is shown, and not edited.
func readable(head []byte) bool {
	return bytes.Count(head, []byte{0}) <= len(head)/8 && isText(bytes.ReplaceAll(head, []byte{0}, nil))
}

// isText is git's rule (no NUL), and a bound on bytes that are no UTF-8: a
// Latin-1 text has a few, compressed data is full of them.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	broken, length := 0, len(head)
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		if r == utf8.RuneError && size == 1 {
			broken++
		}
		head = head[size:]
	}
	return broken <= 4+length*3/10
}

// readImage reads a whole image for the model to look at.
func readImage(ctx context.Context, f *paddock.File, what content) (Result, error) {
	info := f.Info()
	name := quoted(Spell(info.Path))
	if info.Size > maxImage {
		return Result{}, errorf("%s is %s of %d bytes; at most %d can be shown", name, what.name, info.Size, maxImage)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, maxImage+1))
	if err != nil {
		return Result{}, readFailed(info.Path, err)
	}
	if len(data) > maxImage {
		return Result{}, errorf("%s has grown beyond %d bytes while it was read", name, maxImage)
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return Result{
		Text:   fmt.Sprintf("%s: %s, %d bytes", Spell(info.Path), what.name, len(data)),
		Images: []Image{{what.mime, data}},
	}, nil
}
