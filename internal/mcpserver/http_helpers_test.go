package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
	"paddock/internal/telemetry"
	"paddock/policy"
	"paddock/tool"
)

const httpPolicy = `version: 1
paths:
  - {slug: root, path: ., allowed_permission: read|write, required_permission: write, denied_path_regex: [.env]}
  - {slug: scratch, backend: memory, allowed_permission: read|write}
workers:
  reader:
    paths:
      - {slug: root, path: ., allowed_permission: read, denied_path_regex: ["/private"]}
      - {slug: scratch, backend: memory, allowed_permission: read}
`

const (
	writerToken = "token-of-the-writer"
	readerToken = "token-of-the-reader"
	within      = 20 * time.Second
)

// httpServed is a real server on a loopback port, with two principals: writer
// has the policy's rights and all tools, reader those of a worker and three.
type httpServed struct {
	t        *testing.T
	dir, url string
	stop     context.CancelFunc
	done     chan error
}

// threads are the sessions of one principal.
type threads struct {
	of       *httpserver.Principal
	sessions *httpserver.Sessions[*paddock.Guard]
}

func (x threads) Open() (string, int, error) {
	handle, err := x.sessions.Open(x.of)
	return handle, int(x.sessions.Idle() / time.Second), err
}

func (x threads) Use(handle string) (*paddock.Guard, func(), error) {
	return x.sessions.Use(x.of, handle)
}

func (x threads) Close(handle string) error { return x.sessions.End(x.of, handle) }

// serveHTTP starts one. At the end it checks that nothing is left running.
func serveHTTP(t *testing.T, ask paddock.Approver, limits httpserver.Limits, watch ...*telemetry.Telemetry) *httpServed {
	t.Helper()
	goroutines := runtime.NumGoroutine()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("one\ntwo\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, ".env"), []byte("secret\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "private"), []byte("not for the reader\n"), 0o644))
	c, err := policy.Parse("paddock.yaml", []byte(httpPolicy))
	must(t, err)
	tree, err := disk.Open(dir)
	must(t, err)
	g, err := paddock.New(paddock.Options{
		Context: c, Mounts: map[string]backend.Backend{"root": tree, "scratch": backend.NewMemory(1 << 20)}, Approver: ask, Dir: dir,
	})
	must(t, err)
	tokens := filepath.Join(t.TempDir(), "tokens")
	must(t, os.WriteFile(tokens, []byte("writer "+writerToken+"\nreader "+readerToken+" worker=reader tools=ls,read_file,write_file,session_open\n"), 0o600))
	known, err := httpserver.ReadTokens(tokens)
	must(t, err)
	session := func(p *httpserver.Principal) (*paddock.Guard, error) {
		s, err := g.Session(map[string]backend.Backend{"scratch": backend.NewMemory(1 << 20)})
		if err != nil || p.Worker == "" {
			return s, err
		}
		return s.Worker(p.Worker, ask)
	}
	sessions := httpserver.NewSessions(limits, session, func(g *paddock.Guard) { must(t, g.Close()) })
	faces := map[string]mcpserver.Face{}
	for _, p := range known.Principals() {
		own, err := session(&p)
		must(t, err)
		var tools []tool.Tool
		for _, x := range tool.Rules() {
			if p.Tools == nil || strings.Contains(strings.Join(p.Tools, ","), x.Name) {
				tools = append(tools, x)
			}
		}
		faces[p.Name] = mcpserver.Face{Guard: own, Tools: tools, Threads: threads{&p, sessions}}
	}
	endpoint, err := mcpserver.NewHTTP(faces, "1.2.3")
	must(t, err)
	if watch != nil {
		endpoint.Observe(watch[0])
	}
	server, err := httpserver.New(httpserver.Options{Tokens: known, Limits: limits, Log: func(line string) { t.Error("net/http says:", line) }}, endpoint)
	must(t, err)
	l, err := httpserver.Listen(t.Context(), "127.0.0.1:0", true)
	must(t, err)
	ctx, stop := context.WithCancel(context.Background())
	s := &httpServed{t: t, dir: dir, url: "http://" + l.Addr().String() + httpserver.Path, stop: stop, done: make(chan error, 1)}
	go func() { s.done <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		s.end()
		sessions.Close()
		must(t, g.Close())
		http.DefaultClient.CloseIdleConnections()
		for end := time.Now().Add(within); runtime.NumGoroutine() > goroutines; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				stacks := make([]byte, 1<<16)
				t.Fatalf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
			}
		}
	})
	return s
}

// end stops the server and returns what Serve did.
func (s *httpServed) end() error {
	s.t.Helper()
	s.stop()
	select {
	case err := <-s.done:
		s.done <- err
		return err
	case <-time.After(within):
		s.t.Fatal("the server does not stop")
		return nil
	}
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// connect is a real client of one protocol version.
func (s *httpServed) connect(token, version string) *mcp.ClientSession {
	s.t.Helper()
	session, err := s.tryConnect(token, version)
	must(s.t, err)
	return session
}

func (s *httpServed) tryConnect(token, version string) (*mcp.ClientSession, error) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	s.t.Cleanup(cancel)
	transport := &mcp.StreamableClientTransport{Endpoint: s.url, HTTPClient: &http.Client{Transport: bearer(token)}, MaxRetries: -1}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		s.t.Cleanup(func() { session.Close() })
	}
	return session, err
}

// call calls a tool of a session and returns the text of its answer.
func (s *httpServed) call(session *mcp.ClientSession, name string, args map[string]any) (string, *mcp.CallToolResult) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	return text(r), r
}

// post sends a message as it is, in the newest version, unless edit changes
// the headers.
func (s *httpServed) post(token, message string, edit func(http.Header)) (status int, body string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url, strings.NewReader(message))
	must(s.t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	if edit != nil {
		edit(r.Header)
	}
	resp, err := http.DefaultClient.Do(r)
	must(s.t, err)
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	must(s.t, err)
	return resp.StatusCode, string(all)
}

// wireError is the error of JSON-RPC in a body.
func wireError(t *testing.T, body string) (id string, code int, message string) {
	t.Helper()
	var e struct {
		ID    json.RawMessage `json:"id"`
		Error struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(body))).Decode(&e); err != nil || e.Error.Code == 0 {
		t.Errorf("no error of JSON-RPC: %q, %v", body, err)
	}
	return string(e.ID), e.Error.Code, e.Error.Message
}
