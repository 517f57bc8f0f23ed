package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const soakPolicy = `version: 1
name: soak
paths:
  - {slug: root, path: ., allowed_permission: read|write, denied_path_regex: [.env]}
  - {slug: scratch, backend: memory, allowed_permission: read|write}
`

// soak is how long a server is used: many sessions one after the other and
// beside each other, and the calls of all of them together. PADDOCK_SOAK, which
// scripts/soak sets, makes it the long one.
type soak struct {
	long            bool
	sessions, calls int
	growth          int // of memory that is taken for chance, in KiB
}

const soakers = 8 // clients at work at once

func soakOf(t *testing.T) soak {
	if testing.Short() {
		t.Skip("the race detector changes what a process holds")
	}
	if os.Getenv("PADDOCK_SOAK") != "" {
		// 100 bytes kept of each call, or 10 KiB of each session, are more.
		return soak{true, 1000, 100_000, 8 << 10}
	}
	// Too short to tell what is kept from what the collector has not come to.
	return soak{false, 40, 1000, 64 << 10}
}

func soakBox(t *testing.T) *box {
	b := newBox(t)
	b.file("p.yaml", soakPolicy)
	b.file("notes.txt", "one\ntwo\n")
	b.file(".env", "secret\n")
	b.env = append(b.env, "PADDOCK_POLICY=p.yaml", "GOTRACEBACK=all")
	return b
}

// start runs a server without a limit of time, unlike command.
func (b *box) start(args ...string) (*exec.Cmd, *lockedBuffer) {
	cmd, messages := exec.Command("/proc/self/exe", args...), &lockedBuffer{}
	cmd.Dir, cmd.Env, cmd.Stderr = b.dir, b.env, messages
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, messages
}

// soakCalls makes calls of all kinds, by one client. session is the argument
// that names one, nil for none.
func soakCalls(ctx context.Context, s *mcp.ClientSession, session map[string]any, worker, calls int) error {
	// Two that write one file at the same moment are both told so.
	own := fmt.Sprintf("/scratch/own-%d.txt", worker)
	kinds := []struct {
		tool, says string
		args       map[string]any
		denied     bool
	}{
		{"read_file", "two", map[string]any{"file_path": "/notes.txt"}, false},
		{"write_file", "", map[string]any{"file_path": own, "content": "three\n"}, false},
		{"read_file", "three", map[string]any{"file_path": own}, false},
		{"ls", "notes.txt", map[string]any{"path": "/"}, false},
		{"grep", "notes.txt", map[string]any{"pattern": "two", "path": "/"}, false},
		{"read_file", "Denied", map[string]any{"file_path": "/.env"}, true},
		{"read_file", "not found", map[string]any{"file_path": "/missing"}, true},
	}
	for n := range calls {
		k := kinds[n%len(kinds)]
		args := map[string]any{}
		for _, from := range []map[string]any{k.args, session} {
			for name, value := range from {
				args[name] = value
			}
		}
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: k.tool, Arguments: args})
		if err != nil {
			return fmt.Errorf("%s %v: %w", k.tool, args, err)
		}
		if text := r.Content[0].(*mcp.TextContent).Text; r.IsError != k.denied || !strings.Contains(text, k.says) {
			return fmt.Errorf("%s %v: %s", k.tool, args, text)
		}
	}
	return nil
}

// atOnce runs n pieces of work, some at a time, until one fails.
func atOnce(t *testing.T, n int, work func(worker, i int) error) {
	t.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for worker := range soakers {
		workers.Go(func() {
			for i := int(next.Add(1)); i <= n && !t.Failed(); i = int(next.Add(1)) {
				if err := work(worker, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// A server over HTTP that many sessions came to and left is as it was.
func TestSoakHTTP(t *testing.T) {
	t.Parallel()
	size := soakOf(t)
	// serve has one server do a part of the work, as often as told.
	serve := func(measured string, parts ...int) (after []holding, goroutines int) {
		b := soakBox(t)
		server, messages := b.start("--json", "serve", "--http", "127.0.0.1:0", "--no-token")
		out, err := server.StdoutPipe()
		must(t, err)
		must(t, server.Start())
		defer server.Process.Kill()
		var where struct{ URL string }
		must(t, json.NewDecoder(out).Decode(&where))
		for _, sessions := range parts {
			connections := &http.Transport{MaxIdleConnsPerHost: soakers}
			atOnce(t, sessions, func(_, i int) error {
				return soakSession(t.Context(), where.URL, connections, i, size.calls/size.sessions)
			})
			connections.CloseIdleConnections()
			after = append(after, settled(t, server.Process.Pid))
			t.Logf("%s: after %d more sessions: %v", measured, sessions, after[len(after)-1])
		}
		return after, goroutinesOf(t, server, messages)
	}
	_, before := serve("a server used little", soakers)
	after, left := serve("a server used much", size.sessions/10, size.sessions-size.sessions/10)
	compare(t, size, after[0], after[1])
	if left > before+chance {
		t.Errorf("%d goroutines are left where a server that was used little has %d", left, before)
	}
	t.Logf("%d sessions, %d calls; %d goroutines are left, %d after little use", size.sessions, size.calls, left, before)
}

// soakSession is one session of one client: of an older version of the
// protocol every other time.
func soakSession(ctx context.Context, url string, connections *http.Transport, i, calls int) error {
	version := []string{"2026-07-28", "2025-06-18"}[i%2]
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: connections}, MaxRetries: -1}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return err
	}
	defer s.Close()
	opened, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "session_open"})
	if err != nil {
		return err
	}
	handle, _ := opened.StructuredContent.(map[string]any)
	if opened.IsError || handle["session"] == nil {
		return fmt.Errorf("session_open: %+v", opened.Content[0])
	}
	own := map[string]any{"session": handle["session"]}
	if err := soakCalls(ctx, s, own, 0, calls-2); err != nil {
		return err
	}
	closed, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "session_close", Arguments: own})
	if err == nil && closed.IsError {
		err = fmt.Errorf("session_close: %+v", closed.Content[0])
	}
	return err
}

// A server on standard input and output that one client used for long, with
// calls on top of each other, is as it was.
func TestSoakStdio(t *testing.T) {
	t.Parallel()
	size := soakOf(t)
	serve := func(measured string, parts ...int) (after []holding, goroutines int) {
		server, messages := soakBox(t).start("serve")
		in, err := server.StdinPipe()
		must(t, err)
		out, err := server.StdoutPipe()
		must(t, err)
		must(t, server.Start())
		defer server.Process.Kill()
		s, err := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
		must(t, err)
		const each = 50
		for _, calls := range parts {
			atOnce(t, calls/each, func(worker, _ int) error { return soakCalls(t.Context(), s, nil, worker, each) })
			after = append(after, settled(t, server.Process.Pid))
			t.Logf("%s: after %d more calls: %v", measured, calls, after[len(after)-1])
		}
		return after, goroutinesOf(t, server, messages)
	}
	_, before := serve("a server used little", 100)
	after, left := serve("a server used much", size.calls/10, size.calls-size.calls/10)
	compare(t, size, after[0], after[1])
	if left > before+chance {
		t.Errorf("%d goroutines are left where a server that was used little has %d", left, before)
	}
	t.Logf("%d calls; %d goroutines are left, %d after little use", size.calls, left, before)
}

// Clients that come and go, each with a server process of its own, leave none.
func TestSoakStdioSessions(t *testing.T) {
	t.Parallel()
	sessions := 4
	if soakOf(t).long {
		sessions = 1000
	}
	b := soakBox(t)
	atOnce(t, sessions, func(worker, _ int) error {
		server, messages := b.start("serve")
		s, err := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, messages)
		}
		if err := soakCalls(t.Context(), s, nil, worker, 10); err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return fmt.Errorf("the server ended with %w\n%s", err, messages)
		}
		return nil
	})
}
