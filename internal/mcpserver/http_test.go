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

func TestHTTPHostileMessages(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	call := func(args string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":` + args + `}}`
	}
	for name, c := range map[string]struct {
		message string
		code    int
		id      string
	}{
		"no JSON":            {`{not json`, -32700, "null"},
		"nothing":            {``, -32700, "null"},
		"not UTF-8":          {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700, "null"},
		"two messages":       {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, -32700, "null"},
		"a batch":            {`[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`, -32600, "null"},
		"no message":         {`{"id":1}`, -32600, "1"},
		"a doubled key":      {call(`{"file_path":"/notes.txt","file_path":"/.env"}`), -32600, "1"},
		"a key in two cases": {call(`{"file_path":"/notes.txt","FILE_PATH":"/.env"}`), -32600, "1"},
		"a doubled session":  {call(`{"file_path":"/notes.txt","session":"a","session":"b"}`), -32600, "1"},
		"deep nesting":       {call(`{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`), -32600, "1"},
		"deeper nesting":     {`{"jsonrpc":"2.0","id":1,"params":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + `}`, -32700, "null"},
		"arguments of text":  {call(`"x"`), -32602, "1"},
		"parameters of text": {`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":"x"}`, -32602, `"a"`},
		"an id of 1e3":       {`{"jsonrpc":"2.0","id":1e3,"method":"tools/list"}`, -32600, "1e3"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := s.post(writerToken, c.message, nil)
			id, code, _ := wireError(t, body)
			if status != http.StatusBadRequest || code != c.code || id != c.id && !(id == "1000" && c.id == "1e3") {
				t.Errorf("got %d, code %d, id %s; want 400, %d, %s", status, code, id, c.code, c.id)
			}
			if strings.Contains(body, "secret") {
				t.Error("the denied file was read")
			}
			if status, body := s.post(writerToken, call(`{"file_path":"/notes.txt"}`), nil); status != 200 || !strings.Contains(body, "two") {
				t.Errorf("after it: %d %s", status, body)
			}
		})
	}
}

func TestHTTPHeadersMustMatchTheBody(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
	const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/notes.txt"},` + meta + `}}`
	good := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "read_file"}
	try := func(change map[string]string) (int, string) {
		return s.post(writerToken, message, func(h http.Header) {
			for name, value := range good {
				h.Set(name, value)
			}
			for name, value := range change {
				h.Set(name, value)
				if value == "" {
					h.Del(name)
				}
			}
		})
	}
	if status, body := try(nil); status != 200 || !strings.Contains(body, "two") {
		t.Fatalf("as it should be: %d %s", status, body)
	}
	for name, value := range map[string]string{"Mcp-Method": "tools/list", "Mcp-Name": "ls", "Mcp-Protocol-Version": "2025-06-18"} {
		for _, value := range []string{value, ""} {
			status, body := try(map[string]string{name: value})
			if _, code, _ := wireError(t, body); status != 400 || code != -32020 {
				t.Errorf("%s %q: %d, code %d: %s", name, value, status, code, body)
			}
		}
	}
	if status, body := try(map[string]string{"Mcp-Protocol-Version": "1999-01-01"}); status != 400 {
		t.Errorf("an unknown version: %d %s", status, body)
	}
	for _, header := range []string{"Content-Type", "Accept"} {
		if status, _ := try(map[string]string{header: "text/plain"}); status != 400 && status != 415 {
			t.Errorf("%s text/plain: %d", header, status)
		}
	}
}

func TestHTTPWithoutAToken(t *testing.T) {
	s := serveHTTP(t, approve.AutoAllow, httpserver.Limits{})
	for _, version := range httpVersions {
		if _, err := s.tryConnect("token-of-nobody-else", version); err == nil {
			t.Errorf("version %q: a client with a wrong token connects", version)
		}
	}
	if status, body := s.post(writerToken[1:], `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil); status != 401 {
		t.Errorf("%d %s", status, body)
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
