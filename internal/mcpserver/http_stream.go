package mcpserver

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// aliveEvery is how often a client that waits is sent a sign of life. Clients
// give up on a request of which nothing came for a minute, and proxies sooner;
// a person may take longer to answer.
const aliveEvery = 15 * time.Second

// stream is the way back to the client of one request, while its tool runs. The
// response must take writes of several goroutines.
type stream struct {
	// request ends when the client is gone, or the server wants to stop. The SDK
	// hands that on in its newest version only, and would wait for the tool.
	request context.Context // this is what it is about
	w       http.ResponseWriter
	every   time.Duration

	mu    sync.Mutex
	over  bool
	timer *time.Timer
}

type streamKey struct{}

func withStream(ctx context.Context, w http.ResponseWriter) context.Context {
	return context.WithValue(ctx, streamKey{}, &stream{request: ctx, w: w, every: aliveEvery})
}

// kept makes a handler that ends with its request, and keeps the stream alive
// until then. Only here is that safe: before, and after, the SDK may still want
// to answer with another status.
func kept(h mcp.ToolHandler) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if s, ok := ctx.Value(streamKey{}).(*stream); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(s.request, cancel)()
			s.begin()
			defer s.end()
		}
		return h(ctx, req)
	}
}

func (s *stream) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(s.every, s.tick)
}

// tick writes a comment, which readers of event streams pass over.
func (s *stream) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	if _, err := s.w.Write([]byte(": still at work\n\n")); err != nil {
		return // the client is gone, and so will the call be
	}
	_ = http.NewResponseController(s.w).Flush() // what cannot be sent now is sent later
	s.timer.Reset(s.every)
}

// end returns when no sign of life is being written, and none will be.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.timer.Stop()
}
