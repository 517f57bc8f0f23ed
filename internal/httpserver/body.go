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
	// them may hold more at once, so that sixty-four callers with bodies of
	// 32 MiB do not fill the memory.
	smallBody   = 1 << 20
	largeBodies = 4
)

// bodies reads bodies of requests.
type bodies struct {
	max   int64
	time  time.Duration
	large chan struct{} // slots
}

func newBodies(max int64, time time.Duration) *bodies {
	return &bodies{max: max, time: time, large: make(chan struct{}, largeBodies)}
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
	in := http.MaxBytesReader(w, r.Body, b.max)
	var text bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= smallBody {
		text.Grow(int(n) + bytes.MinRead)
	}
	_, err = text.ReadFrom(io.LimitReader(in, smallBody+1))
	if err == nil && text.Len() > smallBody {
		select {
		case b.large <- struct{}{}:
			done = func() { <-b.large }
			_, err = text.ReadFrom(in)
		default:
			err = errManyLarge
		}
	}
	if err != nil {
		done()
		return nil, func() {}, err
	}
	// From here on the connection is read only to learn that it was closed,
	// which must not look so because time passed.
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		done()
		return nil, func() {}, err
	}
	return text.Bytes(), done, nil
}

type bodyKey struct{}

// BodyOf is the body of a request that came through a Server, whole. It must
// not be changed. r.Body reads the same.
func BodyOf(ctx context.Context) []byte {
	body, _ := ctx.Value(bodyKey{}).([]byte)
	return body
}
