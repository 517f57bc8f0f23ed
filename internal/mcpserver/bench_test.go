package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"paddock"
	"paddock/backend/disk"
	"paddock/internal/mcpserver"
	"paddock/tool"
)

// BenchmarkReadCall is one read of a small file: by the operating system, by
// the tool, and by the tool over the protocol, one after the other and with 16
// calls on their way. The difference of the last ones to the tool is what the
// protocol and its SDK cost.
func BenchmarkReadCall(b *testing.B) {
	dir := b.TempDir()
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, []byte("one\ntwo\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	tree, err := disk.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	g, err := paddock.NewUnrestricted(tree)
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	b.Run("os.ReadFile", func(b *testing.B) {
		for b.Loop() {
			if _, err := os.ReadFile(file); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tool", func(b *testing.B) {
		for _, t := range tool.Rules() {
			for t.Name == "read_file" && b.Loop() {
				if r := tool.Run(b.Context(), g, t, json.RawMessage(`{"file_path":"/notes.txt"}`), nil); r.IsError {
					b.Fatal(r.Text)
				}
			}
		}
	})
	b.Run("serial", func(b *testing.B) { readCalls(b, g, 1) })
	b.Run("pipelined", func(b *testing.B) { readCalls(b, g, 16) })
}

// readCalls keeps a number of calls on their way, by lines: no client's cost is
// in it.
func readCalls(b *testing.B, g *paddock.Guard, open int) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- mcpserver.New(g, tool.Rules(), "1").Serve(ctx, in, out) }()
	lines := bufio.NewReader(fromServer)
	exchange := func(text string) {
		if _, err := io.WriteString(toServer, text+"\n"); err != nil {
			b.Fatal(err)
		}
	}
	answer := func() {
		if _, err := lines.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	exchange(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`)
	answer()
	n := 0
	send := func() {
		n++
		exchange(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/notes.txt"}}}`, n))
	}
	for range open - 1 {
		send()
	}
	for b.Loop() {
		send()
		answer()
	}
	b.StopTimer()
	cancel()
	fromServer.Close()
	<-done
}
