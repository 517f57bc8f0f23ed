package httpserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// smallBody is what each request may hold in memory. Only largeBodies of
	// them may hold more at once; a body costs several times its size until it
	// is a tool's argument.
	smallBody   = 256 << 10
	largeBodies = 2
)

// bodies reads bodies of requests.
type bodies struct {
	max   int64
	time  time.Duration // for a body to come
	wait  time.Duration // for a large one to have its turn
	large chan struct{} // slots
}

func newBodies(l Limits) *bodies {
	return &bodies{max: l.Body, time: l.Read, wait: l.Turn, large: make(chan struct{}, largeBodies)}
}

var errManyLarge = errors.New("too many large requests are under way; try again in a moment")

// read reads a body whole, in bounded time: a client that sends a byte now and
// then would hold its slot for ever. done gives the memory back. An error may
// be a *http.MaxBytesError or errManyLarge.
func (b *bodies) read(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	done = func() {}
	conn := http.NewResponseController(w)
	if err := conn.SetReadDeadline(time.Now().Add(b.time)); err != nil {
		return nil, done, err
	}
	if r.ContentLength > b.max {
		return nil, done, &http.MaxBytesError{Limit: b.max}
	}
	in := http.MaxBytesReader(w, r.Body, b.max)
	var text bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= smallBody {
		text.Grow(int(n) + bytes.MinRead)
	}
	_, err = text.ReadFrom(io.LimitReader(in, smallBody+1))
	if err == nil && text.Len() > smallBody {
		if done, err = b.turn(r.Context()); err == nil {
			err = conn.SetReadDeadline(time.Now().Add(b.time))
		}
		if err == nil {
			text.Grow(int(max(0, r.ContentLength-smallBody)) + bytes.MinRead)
			_, err = text.ReadFrom(in)
		}
	}
	if err == nil {
		// From here on the connection is read only to learn that it was closed,
		// which must not look so because time passed.
		err = conn.SetReadDeadline(time.Time{})
	}
	if err != nil {
		done()
		return nil, func() {}, err
	}
	return text.Bytes(), done, nil
}

// turn waits until a large body may be read; done ends the turn.
func (b *bodies) turn(ctx context.Context) (done func(), err error) {
	late := time.NewTimer(b.wait)
	defer late.Stop()
	select {
	case b.large <- struct{}{}:
		return func() { <-b.large }, nil
	case <-late.C:
		return func() {}, errManyLarge
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}

// drop reads on without keeping anything: a client that sends all of its
// request before it reads would never see why it was refused. The time for the
// body, and a length that no mistake comes to, end it.
func (b *bodies) drop(r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, 8*b.max) // the answer is the same
}

type bodyKey struct{}

// BodyOf is the body of a request that came through a Server, whole. It must
// not be changed. r.Body reads the same.
func BodyOf(ctx context.Context) []byte {
	body, _ := ctx.Value(bodyKey{}).([]byte)
	return body
}
