package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/internal/httpserver"
	"paddock/internal/telemetry"
	"paddock/tool"
)

// Face is what one principal sees of a server over HTTP.
type Face struct {
	// Guard judges the calls that name no session.
	Guard *paddock.Guard
	Tools []tool.Tool
	// Threads, if not nil, are offered by the tools session_open and
	// session_close, and every tool takes a session.
	Threads Threads
}

// Threads are the sessions of one principal. They are used by any number of
// goroutines.
type Threads interface {
	// Open makes a session and returns its handle, and for how many seconds it
	// lives unused. The error is for the agent.
	Open() (handle string, idle int, err error)
	// Use gives the Guard of a session to one call, which ends with done.
	Use(handle string) (g *paddock.Guard, done func(), err error)
	// Close ends a session.
	Close(handle string) error
}

// HTTP is the MCP endpoint: Streamable HTTP without sessions of the transport,
// one POST for each message, in the versions from 2025-03-26 to 2026-07-28. It
// is the handler of an httpserver.Server, which bounds and reads the body, and
// says who calls. A call ends when its client closes the request.
type HTTP struct {
	faces map[string]*face
	sdk   http.Handler
}

// face makes its server when the first call comes: a file may name many
// principals, and each costs time at the start.
type face struct {
	Face
	tools  []served
	watch  *telemetry.Telemetry
	server func() *mcp.Server
}

// NewHTTP makes the endpoint. faces are by the names of the principals; a
// principal without one is refused.
func NewHTTP(faces map[string]Face, version string) (*HTTP, error) {
	h := &HTTP{faces: map[string]*face{}}
	for name := range faces {
		f := &face{Face: faces[name]}
		var err error
		if f.tools, err = f.all(); err != nil {
			return nil, fmt.Errorf("the tools of %s: %w", name, err)
		}
		f.server = sync.OnceValue(func() *mcp.Server { return f.newServer(version) })
		h.faces[name] = f
	}
	h.sdk = mcp.NewStreamableHTTPHandler(h.serverOf, &mcp.StreamableHTTPOptions{
		Stateless:           true,
		MaxRequestBodyBytes: -1, // httpserver bounded it
		// httpserver looked at Host, and knows more names of this server.
		DisableLocalhostProtection: true,
	})
	return h, nil
}

// serverOf is the server of the principal that calls; the SDK refuses a request
// that has none.
func (h *HTTP) serverOf(r *http.Request) *mcp.Server {
	p := httpserver.PrincipalOf(r.Context())
	if p == nil || h.faces[p.Name] == nil {
		return nil
	}
	return h.faces[p.Name].server()
}

func (f *face) newServer(version string) *mcp.Server {
	s := mcp.NewServer(
		&mcp.Implementation{Name: "paddock", Title: "Paddock", Version: version},
		&mcp.ServerOptions{
			Instructions: instructions,
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			PageSize:     len(f.tools) + 1,
			// A cache between a client and us must not show the tools of one
			// principal to another.
			SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
		},
	)
	s.AddReceivingMiddleware(onlyOffered)
	known := map[string]bool{}
	for _, t := range f.tools {
		known[t.description.Name] = true
		s.AddTool(t.description, kept(t.handler))
	}
	if f.watch != nil {
		s.AddReceivingMiddleware(observer(f.watch, "tcp", known))
	}
	return s
}

// ServeHTTP implements http.Handler.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := httpserver.BodyOf(r.Context())
	if refused := examineHTTP(body); refused != nil {
		refused.send(w)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy must not keep progress back
	h.sdk.ServeHTTP(w, r.WithContext(withStream(r.Context(), w)))
}

// examineHTTP is examine, and what the SDK would answer in plain text.
func examineHTTP(body []byte) *refusal {
	e, refused := read(body)
	if refused != nil {
		return refused
	}
	var err error
	if e.method == nil {
		_, err = jsonrpc.DecodeMessage(body)
	} else {
		_, err = e.request()
	}
	if err != nil {
		return &refusal{e.knownID(), jsonrpc.CodeInvalidRequest, "not a message of JSON-RPC 2.0"}
	}
	return nil
}

// send answers over HTTP.
func (r *refusal) send(w http.ResponseWriter) {
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": r.id, "error": map[string]any{"code": r.code, "message": r.text},
	})
	if err != nil {
		http.Error(w, "bad request", http.StatusBadRequest) // not so: every part of it is plain
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(text) // who is not there any more needs no answer
}

// errNoTools is told at the start: an empty list is a mistake in a token file.
var errNoTools = errors.New("there are none")
