package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/internal/mcpserver"
	"paddock/policy"
	"paddock/tool"
)

// served is a server on a folder, and both ends of its streams.
type served struct {
	t    *testing.T
	dir  string
	in   io.WriteCloser
	out  io.ReadCloser
	done chan error
}

const testPolicy = `version: 1
paths:
  - {slug: root, path: ., allowed_permission: read|write, required_permission: write, denied_path_regex: [.env]}
`

// serve starts a server. ask answers its questions.
func serve(t *testing.T, ask paddock.Approver) *served {
	t.Helper()
	dir := t.TempDir()
	c, err := policy.Parse("paddock.yaml", []byte(testPolicy))
	must(t, err)
	tree, err := disk.Open(dir)
	must(t, err)
	g, err := paddock.New(paddock.Options{Context: c, Mounts: map[string]backend.Backend{"root": tree}, Approver: ask, Dir: dir})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("one\ntwo\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, ".env"), []byte("secret\n"), 0o644))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	s := &served{t: t, dir: dir, in: inWrite, out: outRead, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := mcpserver.New(g, tool.Rules(), "1.2.3").Serve(ctx, inRead, outWrite)
		outWrite.Close()
		s.done <- err
	}()
	t.Cleanup(func() {
		cancel()
		inWrite.Close()
		outRead.Close()
		g.Close()
	})
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *served) connect(version string, o *mcp.ClientOptions) *mcp.ClientSession {
	s.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(s.t.Context(), &mcp.IOTransport{Reader: s.out, Writer: s.in}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	must(s.t, err)
	return session
}

func text(r *mcp.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n")
}

var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

func (s *served) call(session *mcp.ClientSession, name string, args any) *mcp.CallToolResult {
	s.t.Helper()
	r, err := session.CallTool(s.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	must(s.t, err)
	return r
}

// waiting is an approver that waits as a person does, and tells when it began
// and ended.
type waiting struct{ began, ended chan struct{} }

func newWaiting() *waiting { return &waiting{make(chan struct{}, 100), make(chan struct{}, 100)} }

func (w *waiting) Request(ctx context.Context, _ paddock.ApprovalRequest) (paddock.Decision, error) {
	w.began <- struct{}{}
	<-ctx.Done()
	w.ended <- struct{}{}
	return paddock.Decision{}, ctx.Err()
}

// lines talks to a server line by line.
type lines struct {
	s *served
	r *bufio.Reader
}

func (s *served) lines() *lines { return &lines{s, bufio.NewReader(s.out)} }

func (l *lines) send(line string) {
	l.s.t.Helper()
	_, err := io.WriteString(l.s.in, line+"\n")
	must(l.s.t, err)
}

func (l *lines) next() string {
	l.s.t.Helper()
	line, err := l.r.ReadString('\n')
	must(l.s.t, err)
	if !json.Valid([]byte(line)) {
		l.s.t.Errorf("the line is no message: %q", line)
	}
	return strings.TrimSpace(line)
}

func (l *lines) initialize() {
	l.s.t.Helper()
	l.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	l.next()
	l.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}
