package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/internal/show"
)

const (
	// maxOpen bounds the requests that wait for their answer.
	maxOpen = 1024
	// maxOpenBytes bounds what they hold: each can be as long as a line may.
	maxOpenBytes = 4 * maxLine
	// drainTime is how long requests may still be answered after the input
	// ended: a script that pipes its requests in gets its answers, and a
	// client that died does not keep the server.
	drainTime = 3 * time.Second
	// maxErrorText bounds the message of an error, which can repeat what came.
	maxErrorText = 1000
)

// conn is the server's end of a stream of messages, one a line.
type conn struct {
	lines  chan []byte // closed at the end of input
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex
	open     map[jsonrpc.ID]int // the length of each
	held     int                // their sum
	sending  int                // answers on their way out
	answered chan struct{}      // told after each answer
}

var _ mcp.Connection = (*conn)(nil)

// transport hands one conn to the SDK.
type transport struct{ conn *conn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.conn, nil }

// newConn starts to read. The goroutine ends with the input; a read of
// standard input that waits for ever ends with the process.
func newConn(in io.Reader, out io.Writer) *conn {
	c := &conn{
		lines: make(chan []byte), closed: make(chan struct{}), out: out,
		open: map[jsonrpc.ID]int{}, answered: make(chan struct{}, 1),
	}
	go c.readLines(newLineReader(in))
	return c
}

func (c *conn) readLines(in *lineReader) {
	defer close(c.lines)
	for {
		line, err := in.next()
		switch {
		case errors.Is(err, errTooLong):
			c.refuse(&refusal{null, jsonrpc.CodeInvalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxLine)})
			continue
		case err != nil:
			return
		case len(bytes.TrimSpace(line)) == 0:
			continue
		}
		select {
		case c.lines <- line:
		case <-c.closed:
			return
		}
	}
}

// Read returns the next message that is fit to be handed on. It is called by
// one goroutine.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case line, more := <-c.lines:
			if !more {
				c.drain(ctx)
				return nil, io.EOF
			}
			if msg := c.take(line); msg != nil {
				return msg, nil
			}
		}
	}
}

// take makes a message of a line, or answers it and returns nil.
func (c *conn) take(line []byte) jsonrpc.Message {
	e, r := read(line)
	if r != nil {
		c.refuse(r)
		return nil
	}
	if e.method == nil {
		msg, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			c.refuse(&refusal{e.knownID(), jsonrpc.CodeInvalidRequest, "neither a request nor an answer of JSON-RPC 2.0"})
			return nil
		}
		return msg
	}
	request, err := e.request()
	if err != nil {
		c.refuse(&refusal{e.knownID(), jsonrpc.CodeInvalidRequest, "not a request of JSON-RPC 2.0"})
		return nil
	}
	if request.IsCall() {
		if r := c.admit(request.ID, len(line)); r != nil {
			c.refuse(r)
			return nil
		}
	}
	return request
}

// admit counts a request of a length as open.
func (c *conn) admit(id jsonrpc.ID, size int) *refusal {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.open[id]; twice {
		// Not to that id: the answer would be taken for the first one's.
		return &refusal{null, jsonrpc.CodeInvalidRequest, "the id is that of a request which is not answered yet"}
	}
	full := ""
	switch {
	case len(c.open) >= maxOpen:
		full = fmt.Sprintf("%d requests are open already; wait for some of them to be answered", maxOpen)
	case c.held+size > maxOpenBytes:
		full = "the open requests hold too much together; wait for some of them to be answered"
	default:
		c.open[id] = size
		c.held += size
		return nil
	}
	raw, err := json.Marshal(id.Raw())
	if err != nil {
		raw = null
	}
	return &refusal{raw, jsonrpc.CodeInvalidRequest, full}
}

// drain waits for open requests to be answered, for a while.
func (c *conn) drain(ctx context.Context) {
	late := time.NewTimer(drainTime)
	defer late.Stop()
	for {
		c.mu.Lock()
		left := len(c.open) + c.sending
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-late.C:
			return
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write sends a message. It may be called from any number of goroutines.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, isAnswer := msg.(*jsonrpc.Response)
	if isAnswer {
		msg = shortened(response)
		// The client may use the id again as soon as it has the answer.
		c.settle(response.ID)
		defer c.sent()
	}
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	return c.send(text)
}

// settle closes a request whose answer is about to be sent.
func (c *conn) settle(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held -= c.open[id]
	delete(c.open, id)
	c.sending++
}

// sent says that an answer is out.
func (c *conn) sent() {
	c.mu.Lock()
	c.sending--
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
}

// shortened bounds an error, which the SDK fills with what it could not read,
// and gives one without a code the code of a request out of turn: there is no
// other left.
func shortened(r *jsonrpc.Response) *jsonrpc.Response {
	if r.Error == nil {
		return r
	}
	told := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	var wire *jsonrpc.Error
	if errors.As(r.Error, &wire) && wire.Code != 0 {
		told.Code, told.Data = wire.Code, wire.Data
	}
	told.Message = show.Cut(show.Line(told.Message), maxErrorText)
	return &jsonrpc.Response{ID: r.ID, Error: &told}
}

// refuse answers a message that is not handed on.
func (c *conn) refuse(r *refusal) {
	type wireError struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", r.id, wireError{r.code, r.text}})
	if err != nil {
		return // not so: every part of it is plain
	}
	// Who cannot be told is found out by the next read.
	_ = c.send(text)
}

// send writes one line as a whole.
func (c *conn) send(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// Close ends reading.
func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID is empty: a stream is one session.
func (c *conn) SessionID() string { return "" }
