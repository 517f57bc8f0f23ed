package httpserver

import (
	"net/http"
	"sync"
	"time"
)

// answer writes a response in bounded time: each write gets a deadline of its
// own, because an answer may be long in coming but a client that takes none of
// it holds its memory. Writes of several goroutines do not mix.
type answer struct {
	http.ResponseWriter
	conn *http.ResponseController
	time time.Duration

	mu   sync.Mutex
	over bool
}

func newAnswer(w http.ResponseWriter, time time.Duration) *answer {
	return &answer{ResponseWriter: w, conn: http.NewResponseController(w), time: time}
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.ready(); err != nil {
		return 0, err
	}
	return a.ResponseWriter.Write(p)
}

// FlushError sends what was written. http.ResponseController calls it.
func (a *answer) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.ready(); err != nil {
		return err
	}
	return a.conn.Flush()
}

// ready gives the next write its time. After the request has been answered
// nothing may be written: the response is not the handler's any more.
func (a *answer) ready() error {
	if a.over {
		return http.ErrHandlerTimeout
	}
	return a.conn.SetWriteDeadline(time.Now().Add(a.time))
}

// end is called when the handler has returned. What net/http still has to send
// gets its time too.
func (a *answer) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = a.ready() // a connection that takes no deadline is gone
	a.over = true
}
