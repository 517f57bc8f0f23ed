package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Anchor is a place in the chain that was kept elsewhere.
type Anchor struct {
	Seq  uint64
	Hash string
}

// ParseAnchor reads SEQ:HASH, as Report prints its head.
func ParseAnchor(text string) (Anchor, error) {
	number, hash, ok := strings.Cut(text, ":")
	seq, err := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil || len(hash) != hashSize {
		return Anchor{}, fmt.Errorf("an anchor is SEQ:HASH as `paddock audit verify` prints it, not %q", text)
	}
	return Anchor{seq, hash}, nil
}

func (a Anchor) String() string { return strconv.FormatUint(a.Seq, 10) + ":" + a.Hash }

// Broken is the first thing wrong with a log.
type Broken struct {
	File   string // its base name
	Line   int
	Reason string
}

func (b *Broken) Error() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Reason) }

// Unwrap makes errors.Is(err, ErrBroken) work.
func (b *Broken) Unwrap() error { return ErrBroken }

// Report is what Verify found.
type Report struct {
	Records uint64 // that verify
	First   uint64 // sequence number of the first; not 1 when older files were taken away
	Head    Anchor // the last one
	Torn    int64  // bytes after it, of a record that was not written whole
	// Anchored says that the chain holds an anchor that was given: up to it
	// the log is as it was when the anchor was kept. Without one the log
	// vouches for itself alone.
	Anchored bool
}

// Verify reads a whole log and checks every link. The error is a *Broken that
// names the first record that is wrong, or one of reading.
func Verify(dir string, anchor *Anchor) (Report, error) {
	var out Report
	err := Each(dir, func(r Record) error {
		if out.Records == 0 {
			out.First = r.Seq
		}
		out.Records++
		out.Head = Anchor{r.Seq, r.Hash}
		if anchor != nil && *anchor == out.Head {
			out.Anchored = true
		}
		return nil
	})
	var torn *tornError
	if errors.As(err, &torn) {
		out.Torn, err = torn.bytes, nil
	}
	if err == nil && anchor != nil && !out.Anchored {
		err = &Broken{File: filepath.Base(dir), Reason: fmt.Sprintf("the chain does not hold the anchor %s: records were cut off or written anew", anchor)}
	}
	return out, err
}

// ErrTorn says that a record at the very end was not written whole: its writer
// died, or is writing it now.
var ErrTorn = errors.New("the last record was not written whole")

// tornError tells of bytes at the very end that are no whole line.
type tornError struct{ bytes int64 }

func (e *tornError) Error() string {
	return fmt.Sprintf("%d bytes at the end are of a record that was not written whole", e.bytes)
}

// Unwrap makes errors.Is(err, ErrTorn) work.
func (e *tornError) Unwrap() error { return ErrTorn }

// Each calls visit for every record of a log, oldest first, each checked
// against the one before. The error is visit's, a *Broken, one of reading, or
// ErrTorn.
func Each(dir string, visit func(Record) error) error {
	all, err := segments(dir)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("there is no audit log in %s", dir)
	}
	c := chain{visit: visit}
	for i, file := range all {
		if i > 0 && segmentNumber(file) != segmentNumber(all[i-1])+1 {
			return &Broken{File: filepath.Base(file), Reason: "the file before it is missing"}
		}
		if err := c.read(file, i == len(all)-1); err != nil {
			return err
		}
	}
	return nil
}

type chain struct {
	visit func(Record) error
	last  Record
	begun bool
}

func (c *chain) read(file string, newest bool) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	in := bufio.NewReaderSize(f, 256<<10)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			switch {
			case len(text) == 0:
				return nil
			case newest:
				return &tornError{int64(len(text))}
			}
			return &Broken{filepath.Base(file), line, "the line does not end, and another file follows"}
		}
		if err != nil {
			return err
		}
		if err := c.take(text[:len(text)-1]); err != nil {
			var wrong *linkError
			if errors.As(err, &wrong) {
				return &Broken{filepath.Base(file), line, wrong.reason}
			}
			return err
		}
	}
}

// linkError is what is wrong with one line.
type linkError struct{ reason string }

func (e *linkError) Error() string { return e.reason }

func (c *chain) take(text []byte) error {
	r, err := parseLine(text)
	switch {
	case err != nil:
		return &linkError{err.Error()}
	case !c.begun && r.Seq == 1 && r.Prev != "":
		return &linkError{"the first record names one before it"}
	case c.begun && r.Seq != c.last.Seq+1:
		return &linkError{fmt.Sprintf("record %d follows record %d", r.Seq, c.last.Seq)}
	case c.begun && r.Prev != c.last.Hash:
		return &linkError{fmt.Sprintf("record %d is not linked to the one before it", r.Seq)}
	}
	c.last, c.begun = r, true
	return c.visit(r)
}
