package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/approve"
	"paddock/internal/httpserver"
)

// httpVersions are those that have Streamable HTTP.
var httpVersions = []string{"", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}

func TestHTTPRealClientsOfEachVersion(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	for _, version := range httpVersions {
		t.Run("version "+version, func(t *testing.T) {
			session := s.connect(writerToken, version)
			if got := session.InitializeResult().ProtocolVersion; version != "" && got != version || got == "" {
				t.Errorf("the session speaks %q", got)
			}
			list, err := session.ListTools(t.Context(), nil)
			must(t, err)
			if len(list.Tools) != 9 {
				t.Errorf("%d tools are listed", len(list.Tools))
			}
			if out, _ := s.call(session, "read_file", map[string]any{"file_path": "/notes.txt"}); !strings.Contains(out, "two") {
				t.Errorf("reading: %q", out)
			}
			if out, r := s.call(session, "read_file", map[string]any{"file_path": "/.env"}); !r.IsError || !strings.Contains(out, "Denied") || strings.Contains(out, "secret") {
				t.Errorf("reading what is denied: %q", out)
			}
			out, r := s.call(session, "write_file", map[string]any{"file_path": "/new.txt", "content": version})
			if r.IsError {
				t.Errorf("writing: %q", out)
			}
			if got, _ := os.ReadFile(filepath.Join(s.dir, "new.txt")); string(got) != version {
				t.Errorf("the file holds %q", got)
			}
		})
	}
}

func TestHTTPPrincipalsHaveToolsAndRightsOfTheirOwn(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		writer, reader := s.connect(writerToken, version), s.connect(readerToken, version)
		tools := func(session *mcp.ClientSession) []string {
			list, err := session.ListTools(t.Context(), nil)
			must(t, err)
			var names []string
			for _, x := range list.Tools {
				names = append(names, x.Name)
			}
			if version == "2026-07-28" && list.CacheScope != "private" {
				t.Errorf("the list may be shared between principals: cacheScope is %q", list.CacheScope)
			}
			return names
		}
		want := []string{"ls", "read_file", "session_close", "session_open", "write_file"}
		got := tools(reader)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the reader sees %v", got)
		}
		if got := tools(writer); !slices.Contains(got, "grep") || !slices.Contains(got, "delete") {
			t.Errorf("the writer sees %v", got)
		}
		if _, err := reader.CallTool(t.Context(), &mcp.CallToolParams{Name: "grep", Arguments: map[string]any{"pattern": "x"}}); err == nil {
			t.Error("the reader calls a tool that it does not see")
		}
		if out, _ := s.call(reader, "read_file", map[string]any{"file_path": "/notes.txt"}); !strings.Contains(out, "two") {
			t.Errorf("the reader reads %q", out)
		}
		for path, does := range map[string]func(string) (string, *mcp.CallToolResult){
			"/private": func(p string) (string, *mcp.CallToolResult) {
				return s.call(reader, "read_file", map[string]any{"file_path": p})
			},
			"/notes.txt": func(p string) (string, *mcp.CallToolResult) {
				return s.call(reader, "write_file", map[string]any{"file_path": p, "content": "x"})
			},
		} {
			if out, r := does(path); !r.IsError || !strings.Contains(out, "Denied") {
				t.Errorf("%s by the reader: %q", path, out)
			}
		}
		if out, _ := s.call(writer, "read_file", map[string]any{"file_path": "/private"}); !strings.Contains(out, "not for the reader") {
			t.Errorf("the writer reads %q", out)
		}
	}
}

func TestHTTPSessions(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{SessionEach: 2})
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		writer, reader := s.connect(writerToken, version), s.connect(readerToken, version)
		open := func(session *mcp.ClientSession) string {
			out, r := s.call(session, "session_open", nil)
			handle, _ := r.StructuredContent.(map[string]any)["session"].(string)
			if len(handle) < 26 || !strings.Contains(out, handle) || r.StructuredContent.(map[string]any)["idle_seconds"] != 1800.0 {
				t.Fatalf("session_open: %q %v", out, r.StructuredContent)
			}
			return handle
		}
		one, two := open(writer), open(writer)
		if out, r := s.call(writer, "session_open", nil); !r.IsError || !strings.Contains(out, "2 sessions of yours") {
			t.Errorf("a session too many: %q", out)
		}
		write := map[string]any{"file_path": "/scratch/a.txt", "content": "of one", "session": one}
		if out, r := s.call(writer, "write_file", write); r.IsError {
			t.Fatalf("writing in a session: %q", out)
		}
		read := func(session *mcp.ClientSession, handle any) (string, bool) {
			args := map[string]any{"file_path": "/scratch/a.txt"}
			if handle != nil {
				args["session"] = handle
			}
			out, r := s.call(session, "read_file", args)
			return out, r.IsError
		}
		if out, bad := read(writer, one); bad || !strings.Contains(out, "of one") {
			t.Errorf("in its session: %q", out)
		}
		for name, handle := range map[string]any{"another session": two, "no session": nil} {
			if out, bad := read(writer, handle); !bad || strings.Contains(out, "of one") {
				t.Errorf("in %s: %q", name, out)
			}
		}
		// Nobody else's handle, and none that was never minted, and both alike.
		foreign, _ := read(reader, one)
		unknown, _ := read(reader, "AAAAAAAAAAAAAAAAAAAAAAAAAA")
		if foreign != unknown || !strings.Contains(foreign, "no such session") {
			t.Errorf("another principal's session: %q; an unknown one: %q", foreign, unknown)
		}
		if out, r := s.call(reader, "session_close", map[string]any{"session": one}); !r.IsError {
			t.Errorf("another principal closes the session: %q", out)
		}
		for _, handle := range []any{"", 5, nil, []string{one}} {
			if out, r := s.call(writer, "read_file", map[string]any{"file_path": "/notes.txt", "session": handle}); !r.IsError {
				t.Errorf("session %v: %q", handle, out)
			}
		}
		// A worker's session has the worker's rights.
		own := open(reader)
		if out, r := s.call(reader, "write_file", map[string]any{"file_path": "/scratch/b.txt", "content": "x", "session": own}); !r.IsError || !strings.Contains(out, "Denied") {
			t.Errorf("the reader writes in its session: %q", out)
		}
		for _, x := range []struct {
			of     *mcp.ClientSession
			handle string
		}{{writer, one}, {writer, two}, {reader, own}} {
			if out, r := s.call(x.of, "session_close", map[string]any{"session": x.handle}); r.IsError {
				t.Errorf("session_close: %q", out)
			}
		}
		if out, bad := read(writer, one); !bad || !strings.Contains(out, "session_open") {
			t.Errorf("after it was closed: %q", out)
		}
		for name, args := range map[string]map[string]any{"session_open": {"x": 1}, "session_close": {"session": two, "x": 1}} {
			if out, r := s.call(writer, name, args); !r.IsError || !strings.Contains(out, `"x"`) {
				t.Errorf("%s with an argument it does not know: %q", name, out)
			}
		}
		if out, r := s.call(writer, "session_close", nil); !r.IsError || !strings.Contains(out, "missing") {
			t.Errorf("session_close of nothing: %q", out)
		}
	}
}

func TestHTTPProgressRises(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	for i := range 2100 {
		must(t, os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("f%d.txt", i)), nil, 0o644))
	}
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"glob","arguments":{"pattern":"nothing here"},"_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		if version != "2026-07-28" {
			message = strings.Replace(message, `,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`, "", 1)
		}
		status, body := s.post(writerToken, message, func(h http.Header) {
			h.Set("Mcp-Protocol-Version", version)
			h.Set("Mcp-Method", "tools/call")
			h.Set("Mcp-Name", "glob")
		})
		if status != 200 || !strings.Contains(body, "notifications/progress") || strings.LastIndex(body, "notifications/progress") > strings.Index(body, `"result"`) {
			t.Errorf("%s: %d %.400s", version, status, body)
		}
	}
}

func TestHTTPManyRequestsLeaveNothing(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	// The check for goroutines that are left is in serveHTTP.
	for i := range 200 {
		if status, body := s.post(writerToken, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, i), nil); status != 200 {
			t.Fatalf("%d %s", status, body)
		}
		// A notification, and an answer that nobody asked for.
		for _, message := range []string{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":7,"result":{}}`} {
			if status, body := s.post(writerToken, message, nil); status != http.StatusAccepted {
				t.Fatalf("%s: %d %s", message, status, body)
			}
		}
	}
}

func TestHTTPClosingTheRequestStopsTheWork(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		ask := newWaiting()
		s := serveHTTP(t, ask, httpserver.Limits{})
		session := s.connect(writerToken, version)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-ask.began
			cancel()
		}()
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "write_file", Arguments: map[string]any{"file_path": "/new.txt", "content": "x"}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: the call ended with %v", version, err)
		}
		<-ask.ended // or the test never ends
		if _, err := os.Stat(filepath.Join(s.dir, "new.txt")); !os.IsNotExist(err) {
			t.Errorf("%s: the file was written: %v", version, err)
		}
	}
}
