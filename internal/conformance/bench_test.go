package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/internal/mcpserver"
)

// actAsBare makes the test binary a server that is the SDK and nothing else.
const actAsBare = "PADDOCK_TEST_ACT_AS_BARE"

func TestMain(m *testing.M) {
	if os.Getenv(actAsBare) != "" {
		serveBare()
		return
	}
	os.Exit(m.Run())
}

// serveBare has one tool, which answers at once with the text of the file that
// the others read.
func serveBare() {
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "read", InputSchema: json.RawMessage(`{"type": "object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "one\ntwo\n"}}}, nil
	})
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// spoken is a version of the protocol that all of them know.
const spoken = "2025-11-25"

// reader is a server, and the call that makes it read the file.
type reader struct {
	name    string
	command func() *exec.Cmd
	tool    string
	args    map[string]any
}

// readers are paddock, the reference file server and the bare SDK, on one file.
func readers(b *testing.B) []reader {
	folder := os.Getenv(programsVariable)
	if folder == "" {
		b.Skip("it takes programs from npm: run scripts/bench-mcp")
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "notes.txt")
	for name, text := range map[string]string{file: "one\ntwo\n", filepath.Join(dir, "paddock.yaml"): servedPolicy} {
		fail(b, os.WriteFile(name, []byte(text), 0o644))
	}
	state := b.TempDir()
	command := func(env []string, program string, args ...string) func() *exec.Cmd {
		return func() *exec.Cmd {
			cmd := exec.Command(program, args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
			return cmd
		}
	}
	own := []string{"HOME=" + state, "PADDOCK_STATE=" + filepath.Join(state, "state"), "PADDOCK_POLICY=" + filepath.Join(dir, "paddock.yaml")}
	peer := filepath.Join(folder, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
	return []reader{
		{"paddock", command(own, filepath.Join(folder, "paddock"), "serve"), "read_file", map[string]any{"file_path": "/notes.txt"}},
		{"peer", command(nil, filepath.Join(folder, "node"), peer, dir), "read_text_file", map[string]any{"path": file}},
		{"sdk", command([]string{actAsBare + "=1"}, "/proc/self/exe"), "read", map[string]any{}},
	}
}

func fail(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMCPRead reads one small file by MCP: from paddock, from the
// reference file server and from a server that is the SDK alone. They take
// turns, so that whatever else the machine does meets all of them. "client" is
// one client of the official Go SDK; "lines" writes and reads lines, which
// leaves out what that client costs. The ratio is the reference server's time
// over paddock's.
func BenchmarkMCPRead(b *testing.B) {
	all := readers(b)
	b.Run("client", func(b *testing.B) {
		calls, pids := map[string]func() error{}, map[string]int{}
		for _, r := range all {
			server := r.command()
			c, err := mcpserver.Dial(b.Context(), server, spoken)
			fail(b, err)
			pids[r.name] = server.Process.Pid
			b.Cleanup(func() { _ = c.Close() }) // the reference server does not end by itself
			calls[r.name] = func() error {
				reply, err := c.Call(b.Context(), r.tool, r.args)
				if err == nil && (reply.IsError || !strings.Contains(reply.Text, "two")) {
					err = fmt.Errorf("%s: %s", r.name, reply.Text)
				}
				return err
			}
		}
		b.Run("serial", func(b *testing.B) { inTurn(b, all, pids, 1, func(r reader) error { return calls[r.name]() }) })
		b.Run("pipelined", func(b *testing.B) {
			inTurn(b, all, pids, batch, func(r reader) error { return together(batch, calls[r.name]) })
		})
	})
	b.Run("lines", func(b *testing.B) {
		streams, pids := map[string]*lines{}, map[string]int{}
		for _, r := range all {
			streams[r.name] = openLines(b, r)
			pids[r.name] = streams[r.name].pid
		}
		b.Run("serial", func(b *testing.B) { inTurn(b, all, pids, 1, func(r reader) error { return streams[r.name].call(1) }) })
		b.Run("pipelined", func(b *testing.B) {
			inTurn(b, all, pids, batch, func(r reader) error { return streams[r.name].call(batch) })
		})
	})
}

// batch is how many calls are on their way at once.
const batch = 64

// inTurn times the readers one after the other, again and again, and tells what
// time each server spent on a processor: on a busy machine that says more.
func inTurn(b *testing.B, all []reader, pids map[string]int, calls int, read func(reader) error) {
	for _, r := range all { // nobody's first call is timed
		fail(b, read(r))
	}
	spent, worked := map[string]time.Duration{}, map[string]time.Duration{}
	for _, r := range all {
		worked[r.name] = -cpuOf(b, pids[r.name])
	}
	n := 0
	for b.Loop() {
		for _, r := range all {
			begin := time.Now()
			fail(b, read(r))
			spent[r.name] += time.Since(begin)
		}
		n += calls
	}
	for _, r := range all {
		worked[r.name] += cpuOf(b, pids[r.name])
		b.ReportMetric(float64(spent[r.name].Microseconds())/float64(n), r.name+"-µs/call")
		b.ReportMetric(float64(worked[r.name].Microseconds())/float64(n), r.name+"-cpu-µs/call")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(spent["peer"])/float64(spent["paddock"]), "ratio")
}

// cpuOf is how long a process has worked.
func cpuOf(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // this system does not tell
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var ticks int
	for _, field := range fields[11:13] { // user and system, in hundredths of a second
		n, err := strconv.Atoi(field)
		fail(b, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// together makes calls at once and waits for all of them.
func together(n int, call func() error) error {
	failed := make([]error, n)
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() { failed[i] = call() })
	}
	calls.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// lines is a server that is spoken to without a client's library.
type lines struct {
	in      io.Writer
	out     *bufio.Reader
	request string
	n       int
	pid     int
}

func openLines(b *testing.B, r reader) *lines {
	cmd := r.command()
	in, err := cmd.StdinPipe()
	fail(b, err)
	out, err := cmd.StdoutPipe()
	fail(b, err)
	fail(b, cmd.Start())
	b.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	params, err := json.Marshal(map[string]any{"name": r.tool, "arguments": r.args})
	fail(b, err)
	l := &lines{in: in, out: bufio.NewReaderSize(out, 1<<20), request: `,"method":"tools/call","params":` + string(params) + "}\n", pid: cmd.Process.Pid}
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+spoken+`","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`+"\n")
	fail(b, err)
	_, err = l.out.ReadString('\n')
	fail(b, err)
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	fail(b, err)
	return l
}

// call sends requests and reads as many answers.
func (l *lines) call(n int) error {
	var text strings.Builder
	for range n {
		l.n++
		fmt.Fprintf(&text, `{"jsonrpc":"2.0","id":%d%s`, l.n, l.request)
	}
	if _, err := io.WriteString(l.in, text.String()); err != nil {
		return err
	}
	for got := 0; got < n; {
		line, err := l.out.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.Contains(line, `"method"`) {
			continue // the reference server asks for roots
		}
		if !strings.Contains(line, "two") {
			return fmt.Errorf("an answer without the text: %.200s", line)
		}
		got++
	}
	return nil
}
