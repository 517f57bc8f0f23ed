package mcpserver_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/backend"
	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
	"paddock/tool"
)

// BenchmarkHTTPCall is one read by a real client, and by four at once.
func BenchmarkHTTPCall(b *testing.B) {
	files := backend.NewMemory(1 << 20)
	g, err := paddock.NewUnrestricted(files)
	fail(b, err)
	c := g.Begin("write_file", nil)
	_, err = c.Write(b.Context(), "/notes.txt", []byte("one\ntwo\n"), paddock.WriteOptions{Create: true})
	c.End(err)
	fail(b, err)
	endpoint, err := mcpserver.NewHTTP(map[string]mcpserver.Face{"bench": {Guard: g, Tools: tool.Rules()}}, "1")
	fail(b, err)
	tokens := filepath.Join(b.TempDir(), "tokens")
	fail(b, os.WriteFile(tokens, []byte("bench "+writerToken+"\n"), 0o600))
	known, err := httpserver.ReadTokens(tokens)
	fail(b, err)
	server, err := httpserver.New(httpserver.Options{Tokens: known}, endpoint)
	fail(b, err)
	l, err := httpserver.Listen(b.Context(), "127.0.0.1:0", true)
	fail(b, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	b.Cleanup(func() {
		stop()
		fail(b, <-done)
		fail(b, g.Close())
	})
	session := func(b *testing.B) *mcp.ClientSession {
		transport := &mcp.StreamableClientTransport{Endpoint: "http://" + l.Addr().String() + httpserver.Path, HTTPClient: &http.Client{Transport: bearer(writerToken)}, MaxRetries: -1}
		s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, transport, nil)
		fail(b, err)
		b.Cleanup(func() { s.Close() })
		return s
	}
	read := func(s *mcp.ClientSession) error {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"file_path": "/notes.txt"}})
		return err
	}
	b.Run("serial", func(b *testing.B) {
		s := session(b)
		for b.Loop() {
			fail(b, read(s))
		}
	})
	b.Run("parallel", func(b *testing.B) {
		s := session(b)
		b.SetParallelism(2)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := read(s); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func fail(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
