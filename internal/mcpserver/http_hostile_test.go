package mcpserver_test

import (
	"net/http"
	"strings"
	"testing"

	"paddock/approve"
	"paddock/internal/httpserver"
)

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
