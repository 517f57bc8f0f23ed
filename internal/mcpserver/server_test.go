package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/approve"
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

func TestRealClientsOfEachVersion(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			s := serve(t, approve.AutoAllow)
			session := s.connect(version, nil)
			if got := session.InitializeResult().Instructions; !strings.Contains(got, "Denied:") {
				t.Errorf("instructions: %q", got)
			}
			list, err := session.ListTools(t.Context(), nil)
			must(t, err)
			if len(list.Tools) != len(tool.Rules()) {
				t.Errorf("%d tools are listed, want %d", len(list.Tools), len(tool.Rules()))
			}
			read := s.call(session, "read_file", map[string]any{"file_path": "/notes.txt"})
			if read.IsError || !strings.Contains(text(read), "two") {
				t.Errorf("read: %+v", read)
			}
			denied := s.call(session, "read_file", map[string]any{"file_path": "/.env"})
			if !denied.IsError || !strings.HasPrefix(text(denied), "Denied: ") || denied.Meta["paddock/kind"] != "PathAccessDenied" || strings.Contains(text(denied), s.dir) {
				t.Errorf("denied: %q, %v", text(denied), denied.Meta)
			}
			written := s.call(session, "write_file", map[string]any{"file_path": "/new.txt", "content": "x"})
			if written.IsError {
				t.Errorf("write: %q", text(written))
			}
			must(t, session.Close())
			if err := <-s.done; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
}

func (s *served) call(session *mcp.ClientSession, name string, args any) *mcp.CallToolResult {
	s.t.Helper()
	r, err := session.CallTool(s.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	must(s.t, err)
	return r
}

func TestToolsAreListedWhole(t *testing.T) {
	// The raw JSON: the client's own types fill in defaults.
	s := serve(t, nil)
	in := s.lines()
	in.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name, Title, Description string
				Annotations              map[string]any
				InputSchema              map[string]any
			}
		}
	}
	must(t, json.Unmarshal([]byte(in.next()), &list))
	for _, tool := range list.Result.Tools {
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint].(bool); !ok {
				t.Errorf("%s: %s is not set: %v", tool.Name, hint, tool.Annotations)
			}
		}
		if tool.Title == "" || tool.Description == "" || tool.InputSchema["type"] != "object" {
			t.Errorf("%s has no title, description or schema", tool.Name)
		}
	}
	if len(list.Result.Tools) != len(tool.Rules()) {
		t.Errorf("%d tools in one page, want %d", len(list.Result.Tools), len(tool.Rules()))
	}
}

func TestStructuredContentMeetsItsSchema(t *testing.T) {
	s := serve(t, approve.AutoAllow)
	session := s.connect("", nil)
	list, err := session.ListTools(t.Context(), nil)
	must(t, err)
	schemas := map[string]any{}
	for _, tool := range list.Tools {
		schemas[tool.Name] = tool.OutputSchema
	}
	for _, c := range []struct {
		name string
		args map[string]any
	}{
		{"ls", map[string]any{"path": "/"}}, {"read_file", map[string]any{"file_path": "/notes.txt"}},
		{"glob", map[string]any{"pattern": "**/*.txt"}}, {"grep", map[string]any{"pattern": "two", "output_mode": "content"}},
		{"write_file", map[string]any{"file_path": "/w.txt", "content": "x"}}, {"edit_file", map[string]any{"file_path": "/w.txt", "old_string": "x", "new_string": "y"}},
	} {
		r := s.call(session, c.name, c.args)
		if r.IsError {
			t.Errorf("%s: %s", c.name, text(r))
			continue
		}
		if schemas[c.name] == nil {
			continue
		}
		if err := meets(schemas[c.name], r.StructuredContent); err != nil {
			t.Errorf("%s: %v\n%v", c.name, err, r.StructuredContent)
		}
	}
}

func meets(schema, value any) error {
	raw, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(value)
}

func TestImagesArePictures(t *testing.T) {
	s := serve(t, nil)
	png := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89")
	must(t, os.WriteFile(filepath.Join(s.dir, "dot.png"), png, 0o644))
	r := s.call(s.connect("", nil), "read_file", map[string]any{"file_path": "/dot.png"})
	for _, c := range r.Content {
		if image, ok := c.(*mcp.ImageContent); ok && image.MIMEType == "image/png" && string(image.Data) == string(png) {
			return
		}
	}
	t.Errorf("no image in %+v (%s)", r, text(r))
}

func TestProgressRises(t *testing.T) {
	s := serve(t, nil)
	for i := range 5000 {
		must(t, os.WriteFile(fmt.Sprintf("%s/f%d", s.dir, i), []byte("x\n"), 0o644))
	}
	var mu sync.Mutex
	var seen []float64
	session := s.connect("", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		seen = append(seen, r.Params.Progress)
		mu.Unlock()
	}})
	params := &mcp.CallToolParams{Name: "grep", Arguments: map[string]any{"pattern": "nothing like it"}}
	params.SetProgressToken("p")
	r, err := session.CallTool(t.Context(), params)
	must(t, err)
	if r.IsError {
		t.Fatal(text(r))
	}
	must(t, session.Close())
	<-s.done
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 {
		t.Error("a call over 5000 files told no progress")
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] <= seen[i-1] {
			t.Errorf("progress does not rise: %v", seen)
		}
	}
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

func TestCancellationStopsTheWork(t *testing.T) {
	for _, version := range versions {
		w := newWaiting()
		s := serve(t, w)
		session := s.connect(version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "write_file", Arguments: map[string]any{"file_path": "/x.txt", "content": "x"}})
			answered <- err
		}()
		<-w.began
		// A call that waits does not hold up others.
		if r := s.call(session, "ls", map[string]any{"path": "/"}); r.IsError {
			t.Errorf("%s: ls beside a waiting call: %s", version, text(r))
		}
		cancel()
		if err := <-answered; err == nil {
			t.Errorf("%s: the cancelled call was answered", version)
		}
		<-w.ended // or the test never ends
		if _, err := os.Stat(filepath.Join(s.dir, "x.txt")); err == nil {
			t.Errorf("%s: the cancelled call had its effect", version)
		}
		if r := s.call(session, "ls", map[string]any{"path": "/"}); r.IsError {
			t.Errorf("%s: ls after a cancelled call: %s", version, text(r))
		}
	}
}

// A person's answer in place of a tool's has no structure, which clients of
// tools with an output schema drop unless it is an error.
func TestAnswerInPlaceReachesTheModel(t *testing.T) {
	s := serve(t, approve.Callback(func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		return paddock.Decision{Answer: paddock.Respond, Reason: "it is written already"}, nil
	}))
	r := s.call(s.connect("", nil), "write_file", map[string]any{"file_path": "/x.txt", "content": "x"})
	if !strings.Contains(text(r), "it is written already") || r.StructuredContent == nil && !r.IsError {
		t.Errorf("got %+v (%s)", r, text(r))
	}
}

func TestEndOfInputAnswersWhatIsOpen(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, approve.Callback(func(ctx context.Context, _ paddock.ApprovalRequest) (paddock.Decision, error) {
		<-release
		return paddock.Decision{Answer: paddock.Approve}, nil
	}))
	in := s.lines()
	in.initialize()
	in.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/x.txt","content":"x"}}}`)
	must(t, s.in.Close())
	close(release)
	if got := in.next(); !strings.Contains(got, `"id":5`) || strings.Contains(got, "isError\":true") {
		t.Errorf("after the end of input: %s", got)
	}
	if err := <-s.done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestEndOfInputEndsAWaitingServer(t *testing.T) {
	w := newWaiting()
	s := serve(t, w)
	in := s.lines()
	in.initialize()
	in.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/x.txt","content":"x"}}}`)
	<-w.began
	must(t, s.in.Close())
	go io.Copy(io.Discard, s.out)
	select {
	case <-s.done:
	case <-time.After(30 * time.Second):
		t.Fatal("the server waits for a client that is gone")
	}
	<-w.ended
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
