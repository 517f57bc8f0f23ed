package cases

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"paddock/internal/mcpserver"
	"paddock/tool"
)

// A wire is a client that sends lines as they are to a server in this process.
type wireClient struct {
	in    *io.PipeWriter
	lines chan []byte // of the server's answers; closed at their end
	all   [][]byte    // what came so far
	ended chan error
}

const (
	// settle is how long the runner waits for an answer that may never come.
	settle = 3 * time.Second
	// hello opens a session, as every client of before 2026-07-28 does.
	hello       = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"cases","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// mcpCase sends a case's raw lines to a server over the case's policy.
func (r *run) mcpCase(own bool) result {
	if strings.Contains(fmt.Sprint(r.c.Input.Calls), `"shell"`) {
		return result{skipped: skipShell}
	}
	r.policy = r.mapPolicy(r.c)
	r.setup(r.c.Input.Setup)
	ctx, cancel := context.WithTimeout(context.Background(), caseTime)
	defer cancel()
	r.ctx = ctx
	r.load()
	if r.loadErr != nil {
		r.t.Fatal(r.loadErr)
	}
	r.before = r.snapshot(r.top)
	r.client = r.connect(ctx)
	for i, call := range r.c.Input.Calls {
		call = r.placeAll(call).(map[string]any)
		a := r.mcpCall(call)
		r.answers = append(r.answers, a)
		if want := r.c.verdicts(i); want != nil && !r.accepts(want, a) {
			r.t.Errorf("call %d: %s; want %s: %.300s", i+1, a.verdict, strings.Join(want, "|"), a.text)
		}
	}
	r.client.in.Close()
	select {
	case <-r.client.ended:
	case <-ctx.Done():
		r.t.Error("the server does not end with its input")
	}
	return result{unread: r.statements(own)}
}

func (r *run) connect(ctx context.Context) *wireClient {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &wireClient{in: toServer, lines: make(chan []byte, 4096), ended: make(chan error, 1)}
	go func() {
		err := mcpserver.New(r.guard, tool.Rules(), "test").Serve(ctx, in, out)
		out.Close()
		in.CloseWithError(io.ErrClosedPipe)
		c.ended <- err
	}()
	go func() {
		defer close(c.lines)
		lines := bufio.NewReader(fromServer)
		for {
			line, err := lines.ReadBytes('\n')
			if len(line) > 0 {
				c.lines <- line
			}
			if err != nil {
				return
			}
		}
	}()
	r.send(c, hello, initialized)
	r.await(c, caseTime, func(m message) bool { return string(m.ID) == `"hello"` })
	return c
}

func (r *run) send(c *wireClient, lines ...string) {
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			return // the server closed the connection; what it answered decides
		}
	}
}

// A message is what the server wrote.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  *struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// await reads answers until one is the one, or nothing more comes.
func (r *run) await(c *wireClient, long time.Duration, is func(message) bool) (message, bool) {
	for _, line := range c.all {
		var m message
		if json.Unmarshal(line, &m) == nil && is(m) {
			return m, true
		}
	}
	timer := time.NewTimer(long)
	defer timer.Stop()
	for {
		select {
		case line, open := <-c.lines:
			if !open {
				return message{}, false
			}
			c.all = append(c.all, line)
			var m message
			if json.Unmarshal(line, &m) == nil && is(m) {
				return m, true
			}
		case <-timer.C:
			return message{}, false
		}
	}
}

var (
	rawName = regexp.MustCompile(`("name"\s*:\s*")(read|write|edit)"`)
	rawPath = regexp.MustCompile(`"(path|PATH)"(\s*:)`)
	rawID   = regexp.MustCompile(`"id"\s*:\s*(\d+)`)
)

// translate puts the product's names into a raw line. It works on the text,
// since a line may be no JSON, or have a key twice.
func translate(line string) string {
	if !rawName.MatchString(line) {
		return line
	}
	line = rawName.ReplaceAllString(line, `${1}${2}_file"`)
	return rawPath.ReplaceAllStringFunc(line, func(key string) string {
		m := rawPath.FindStringSubmatch(key)
		return `"` + map[string]string{"path": "file_path", "PATH": "FILE_PATH"}[m[1]] + `"` + m[2]
	})
}

// mcpCall does one step: lines of which the first decides the verdict, calls at
// once, or something that no line can write down.
func (r *run) mcpCall(call map[string]any) answer {
	switch {
	case call["mcp_raw"] != nil:
		var lines []string
		for _, line := range call["mcp_raw"].([]any) {
			lines = append(lines, translate(line.(string)))
		}
		return r.exchange(lines)
	case call["mcp_raw_hex"] != nil:
		var lines []string
		for _, line := range call["mcp_raw_hex"].([]any) {
			raw, err := hex.DecodeString(line.(string))
			r.check(err)
			lines = append(lines, strings.TrimRight(string(raw), "\n"))
		}
		if then := text(call, "then"); then != "" {
			lines = append(lines, then)
		}
		return r.exchange(lines)
	case call["parallel"] != nil:
		return r.mcpParallel(call["parallel"].([]any))
	}
	switch says := text(call, "do"); {
	case strings.HasPrefix(says, "send 2 GB"):
		return r.flood()
	case strings.Contains(says, "1000000 brackets"):
		const many = 1000000
		return r.exchange([]string{`{"jsonrpc":"2.0","id":6,"method":"ping","params":` + strings.Repeat("[", many) + strings.Repeat("]", many) + `}`})
	case strings.HasPrefix(says, "close standard input"):
		r.client.in.Close()
		return answer{verdict: "ok"}
	}
	return r.do(call)
}

// exchange sends lines and waits for the answers that must come; a last ping
// tells that what need not be answered was dealt with.
func (r *run) exchange(lines []string) answer {
	before := len(r.client.all)
	r.send(r.client, lines...)
	mark := fmt.Sprintf("mark%d", len(r.answers))
	r.send(r.client, `{"jsonrpc":"2.0","id":"`+mark+`","method":"ping"}`)
	if _, ok := r.await(r.client, caseTime, func(m message) bool { return string(m.ID) == `"`+mark+`"` }); !ok {
		return answer{verdict: "error", text: "the connection was closed"}
	}
	for _, line := range lines {
		if id := rawID.FindStringSubmatch(line); id != nil && utf8.ValidString(line) && json.Valid([]byte(line)) {
			r.await(r.client, settle, func(m message) bool { return string(m.ID) == id[1] })
		}
	}
	return r.first(lines[0], r.client.all[before:])
}

// first is the verdict of the first line.
func (r *run) first(line string, came [][]byte) answer {
	id := rawID.FindStringSubmatch(line)
	for _, text := range came {
		var m message
		if json.Unmarshal(text, &m) != nil || strings.Contains(string(m.ID), "mark") {
			continue
		}
		mine := id != nil && string(m.ID) == id[1]
		if mine || m.Error != nil && (len(m.ID) == 0 || string(m.ID) == "null") {
			return m.answer(text)
		}
	}
	return answer{verdict: "error", text: "no answer"} // dropped, and the next was answered
}

func (m message) answer(line []byte) answer {
	a := answer{verdict: "allow", data: string(line), calls: 1}
	if m.Error != nil {
		a.verdict, a.text = "error", m.Error.Message
		return a
	}
	for _, c := range m.Result.Content {
		a.text += c.Text
	}
	switch {
	case !m.Result.IsError:
	case strings.Contains(a.text, "(ApprovalDenied"):
		a.verdict = "ask"
	case strings.HasPrefix(a.text, "Denied"):
		a.verdict = "deny"
	default:
		a.verdict = "error"
	}
	return a
}

func (r *run) mcpParallel(calls []any) answer {
	var all []answer
	for i, call := range calls {
		c := call.(map[string]any)
		args, _ := c["args"].(map[string]any)
		params, err := json.Marshal(map[string]any{"name": productTool(text(c, "tool")), "arguments": productArgs(text(c, "tool"), args)})
		r.check(err)
		r.send(r.client, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, 1000+i, params))
	}
	for i := range calls {
		m, _ := r.await(r.client, caseTime, func(m message) bool { return string(m.ID) == fmt.Sprint(1000+i) })
		if m.Result == nil && m.Error == nil {
			return answer{verdict: "error", text: "no answer"}
		}
		all = append(all, m.answer(nil))
	}
	r.each = all
	return together(all)
}

// flood sends a line that never ends, and watches the memory.
func (r *run) flood() answer {
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for i := range 2 << 10 {
		if _, err := r.client.in.Write(chunk); err != nil {
			return answer{verdict: "error", text: "the connection was closed"}
		}
		if i%256 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			r.most = max(r.most, m.HeapInuse)
		}
	}
	r.send(r.client, "", `{"jsonrpc":"2.0","id":98,"method":"ping"}`)
	m, ok := r.await(r.client, caseTime, func(m message) bool { return m.Error != nil || string(m.ID) == "98" })
	if ok && m.Error != nil {
		return m.answer(nil)
	}
	return answer{verdict: "allow"}
}
