package paddock

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"sync"

	"paddock/backend"
	"paddock/internal/show"
	"paddock/policy"
)

// Edit changes the content of a file: READ and WRITE. change gets what is
// there and gives what shall be; it may be called more than once and must not
// use the Guard. Its error ends the call with nothing changed. What is written
// replaces exactly what was read, or nothing.
func (c *Call) Edit(ctx context.Context, path string, change func(old []byte) ([]byte, error)) (out WriteResult, err error) {
	err = c.again(path, func() error {
		n, err := c.decide("edit", policy.Request{Path: path, Perm: policy.Needs(policy.ActOpenRead) | policy.Needs(policy.ActOpenWrite)})
		if err != nil {
			return err
		}
		// Edits of one file wait for each other, but never for a person.
		if !c.asks(&n) {
			lock := c.guard.edits.of(n.decision.Real)
			lock.Lock()
			defer lock.Unlock()
		}
		e, err := c.readForEdit(ctx, &n)
		if err != nil {
			return err
		}
		// The old file stays open until the new one has its name: its number
		// cannot be given to another file meanwhile.
		defer e.release()
		fresh, changeErr := change(e.old)
		grown, err := c.guard.room.take(int64(max(0, len(fresh)-len(e.old))))
		if err != nil {
			return err
		}
		defer grown()
		if changeErr == nil {
			n.content = fresh
			n.detail = func() string { return show.Diff(e.old, fresh, n.decision.Virtual(), maxDiff) }
		}
		// An error of change tells something of the content, so it waits for
		// the permission too.
		if err := c.permit(ctx, n); err != nil {
			return err
		}
		switch {
		case changeErr != nil:
			return &changeError{changeErr}
		case len(fresh) > MaxFile:
			return errTooLarge
		}
		out, err = c.put(ctx, e.target, fresh)
		return err
	})
	var changed *changeError
	if errors.As(err, &changed) {
		return out, changed.err
	}
	return out, err
}

// changeError carries the caller's own error past the cleaning of others.
type changeError struct{ err error }

func (e *changeError) Error() string { return e.err.Error() }

// editing is a file that was read to be changed.
type editing struct {
	target target
	file   *File
	old    []byte
	given  func() // gives back the room for old and for what becomes of it
}

func (e *editing) release() {
	_ = e.file.Close() // only read
	if e.given != nil {
		e.given()
	}
}

// readForEdit reads a file and binds the write to what was read.
func (c *Call) readForEdit(ctx context.Context, n *need) (e editing, err error) {
	if e.target, err = c.target(ctx, n, WriteOptions{Replace: true}); err != nil {
		return e, err
	}
	if e.file, err = c.open(ctx, e.target.real); err != nil {
		return e, err
	}
	e.target.judged = &e.file.info
	size := e.file.info.Size
	if size > MaxFile {
		err = errTooLarge
	} else if e.given, err = c.guard.room.take(2 * size); err == nil {
		e.old, err = readWhole(e.file, size)
	}
	if err != nil {
		e.release()
	}
	return e, err
}

// readWhole reads a file of a size that was told. One that grows is another
// file by now.
func readWhole(f io.Reader, size int64) ([]byte, error) {
	text := make([]byte, size+1)
	n, err := io.ReadFull(f, text)
	switch {
	case err == nil:
		return nil, backend.ErrSwapped
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return text[:n:n], nil
	default:
		return nil, err
	}
}

// edits keeps the edits of one file apart, so that each sees what the one
// before it wrote. Different files may share a lock.
type edits struct {
	locks [64]sync.Mutex
}

// seed is for edits.of alone.
var seed = maphash.MakeSeed()

func (e *edits) of(real string) *sync.Mutex {
	return &e.locks[maphash.String(seed, real)%uint64(len(e.locks))]
}
