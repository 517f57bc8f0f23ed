package mcpserver_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"paddock"
	"paddock/approve"
	"paddock/backend"
	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
	"paddock/internal/telemetry"
	"paddock/tool"
)

// collect starts a Telemetry; sent closes it and returns all that was sent.
func collect(t *testing.T) (x *telemetry.Telemetry, sent func() string) {
	t.Helper()
	var mu sync.Mutex
	var all bytes.Buffer
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&all, r.Body)
	}))
	x, err := telemetry.Start(func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL}[name]
	}, "1", func(text string) { t.Error(text) })
	must(t, err)
	return x, func() string {
		must(t, x.Close(context.Background()))
		server.Close()
		return all.String()
	}
}

func TestHTTPRequestsAreObserved(t *testing.T) {
	x, sent := collect(t)
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{}, x)
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		session := s.connect(writerToken, version)
		s.call(session, "read_file", map[string]any{"file_path": "/.env"})
		must(t, session.Close())
	}
	if status, body := s.post(writerToken, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"made-up-by-a-client","arguments":{}}}`, nil); status != 200 || !strings.Contains(body, "-32602") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := s.post(writerToken, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	all := sent()
	for _, want := range []string{"tools/call read_file", "tools/list", "mcp.server.operation.duration", "PathAccessDenied", "tool_error", "writer", "tcp", "2026-07-28", "2025-06-18", "-32602"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing is told of %s", want)
		}
	}
	for _, secret := range []string{writerToken, ".env", "made-up-by-a-client"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is told", secret)
		}
	}
}

func TestRequestsOnAStreamAreObserved(t *testing.T) {
	x, sent := collect(t)
	g, err := paddock.NewUnrestricted(backend.NewMemory(1 << 20))
	must(t, err)
	server := mcpserver.New(g, tool.Rules(), "1")
	server.Observe(x, tool.Rules())
	in := strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ls","arguments":{"path":"/"}}}`,
	}, "\n"))
	must(t, server.Serve(t.Context(), in, io.Discard))
	must(t, g.Close())
	all := sent()
	for _, want := range []string{"tools/call ls", "initialize", "ping", "pipe", "2025-06-18"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing is told of %s", want)
		}
	}
}
