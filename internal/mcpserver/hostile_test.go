package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/approve"
)

// Each hostile line is answered with one line, and the connection lives on.
func TestHostileLines(t *testing.T) {
	s := serve(t, approve.AutoAllow)
	in := s.lines()
	in.initialize()
	for i, c := range []struct{ line, want string }{
		{`{not json`, `-32700`},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", `-32700`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/ok.txt","FILE_PATH":"/.env","content":"x"}}}`, `"id":1,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/ok.txt","file_path":"/.env","content":"x"}}}`, `"id":2,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":5,"method":"ping","params":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, `"id":5,"error"`},
		{strings.Repeat("[", 1_000_000), `-32700`},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":"x"}`, `"id":6,"error":{"code":-32602`},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":["/notes.txt"]}}}`, `"id":7,"result":{"content":[{"type":"text","text":"Error: `},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":null}}}`, `"id":8,"result":{"content":[{"type":"text","text":"Error: `},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nosuchtool","arguments":{}}}`, `"id":9,"error":{"code":-32602`},
		{`{"jsonrpc":"2.0","id":10,"method":"nosuch"}`, `"id":10,"error":{"code":-32601`},
		{`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"` + strings.Repeat("n", 100_000) + `"}}`, `"id":11,"error"`},
		{`{"jsonrpc":"2.0","id":12,"method":"initialize","params":{"protocolVersion":["` + strings.Repeat("v", 100_000) + `"]}}`, `"id":12,"error"`},
		{`{"jsonrpc":"3.0","id":13,"method":"ping"}`, `"id":13,"error":{"code":-32600`},
		{strings.Repeat(" ", 33<<20), `"id":null,"error":{"code":-32600,"message":"the message is longer than`},
		{`{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/notes.txt","_meta":{"a":1,"A":2}}}}`, `"id":14,"error"`},
	} {
		go io.WriteString(s.in, c.line+"\n") // it may be answered before it is all sent
		got := in.next()
		if !strings.Contains(got, c.want) {
			t.Errorf("%.150q\ngot  %.300s\nwant %s", c.line, got, c.want)
		}
		if len(got) > 3000 {
			t.Errorf("%.150q is answered with %d bytes", c.line, len(got))
		}
		ping := fmt.Sprintf(`"p%d"`, i)
		in.send(`{"jsonrpc":"2.0","id":` + ping + `,"method":"ping"}`)
		if got := in.next(); got != `{"jsonrpc":"2.0","id":`+ping+`,"result":{}}` {
			t.Fatalf("ping after %.100q: %s", c.line, got)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "ok.txt")); err == nil {
		t.Error("a refused call had an effect")
	}
}

// Content with every kind of line end stays in one line of the protocol.
func TestContentStaysInItsLine(t *testing.T) {
	s := serve(t, nil)
	must(t, os.WriteFile(filepath.Join(s.dir, "odd.txt"), []byte("a\nb\r\n\rc\u2028d\x01\x1b[2J\n"), 0o644))
	in := s.lines()
	in.initialize()
	in.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/odd.txt"}}}`)
	if got := in.next(); !strings.Contains(got, `"id":1,"result"`) {
		t.Errorf("got %s", got)
	}
	in.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got := in.next(); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
		t.Errorf("the next line is %s", got)
	}
}

func TestAnswersBelongToTheirIDs(t *testing.T) {
	s := serve(t, nil)
	in := s.lines()
	in.initialize()
	const n = 50
	for i := range n {
		must(t, os.WriteFile(fmt.Sprintf("%s/f%d.txt", s.dir, i), fmt.Appendf(nil, "content %d.\n", i), 0o644))
	}
	go func() {
		for i := range n {
			fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/f%d.txt"}}}`+"\n", i, i)
		}
	}()
	seen := map[int]bool{}
	for range n {
		var got struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		line := in.next()
		must(t, json.Unmarshal([]byte(line), &got))
		if seen[got.ID] || len(got.Result.Content) == 0 || !strings.Contains(got.Result.Content[0].Text, fmt.Sprintf("content %d.", got.ID)) {
			t.Errorf("answer %d: %s", got.ID, line)
		}
		seen[got.ID] = true
	}
}

func TestOpenRequestsAreBounded(t *testing.T) {
	w := &waiting{make(chan struct{}, 2000), make(chan struct{}, 2000)}
	s := serve(t, w)
	in := s.lines()
	in.initialize()
	go func() {
		for i := range 1025 {
			fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/f%d.txt","content":"x"}}}`+"\n", i, i)
		}
	}()
	if got := in.next(); !strings.Contains(got, `"id":1024,"error"`) || !strings.Contains(got, "requests are open already") {
		t.Errorf("request 1025: %s", got)
	}
	in.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if got := in.next(); !strings.Contains(got, "not answered yet") || !strings.Contains(got, `"id":null`) {
		t.Errorf("an id in use: %s", got)
	}
	for range 1024 {
		<-w.began
	}
	in.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	if got := in.next(); !strings.Contains(got, `"id":3,`) {
		t.Errorf("the cancelled one: %s", got)
	}
	in.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if got := in.next(); got != `{"jsonrpc":"2.0","id":3,"result":{}}` {
		t.Errorf("its id again: %s", got)
	}
}
