package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"paddock/internal/mcpserver"
)

func TestServeToARealClient(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"} {
		b := policyBox(t)
		server := b.command("serve")
		var messages bytes.Buffer
		server.Stderr = &messages
		client, err := mcpserver.Dial(t.Context(), server, version)
		must(t, err)
		if tools, err := client.Tools(t.Context()); err != nil || len(tools) < 7 {
			t.Errorf("%s: tools: %v, %v", version, tools, err)
		}
		if r, err := client.Call(t.Context(), "read_file", map[string]any{"file_path": "notes.txt"}); err != nil || r.IsError || !strings.Contains(r.Text, "two") {
			t.Errorf("%s: read: %+v, %v", version, r, err)
		}
		if r, err := client.Call(t.Context(), "grep", map[string]any{"pattern": "secret"}); err != nil || strings.Contains(r.Text, ".env") {
			t.Errorf("%s: a search sees the secret: %+v, %v", version, r, err)
		}
		if r, err := client.Call(t.Context(), "delete", map[string]any{"path": "/notes.txt"}); err != nil || !r.IsError || r.Kind != "ApprovalDenied" && r.Kind != "ApprovalTimeout" {
			t.Errorf("%s: a delete without anybody to ask: %+v, %v", version, r, err)
		}
		if err := client.Close(); err != nil {
			t.Errorf("%s: the server ended with %v:\n%s", version, err, &messages)
		}
	}
}

// With a policy that causes notices and with calls that fail, each line of
// output is one message of the protocol.
func TestServeWritesNothingButProtocol(t *testing.T) {
	b := newBox(t)
	b.file("paddock.yaml", boxPolicy) // found and untrusted: a notice
	b.file("notes.txt", "one\n")
	r := b.runWith(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{not json`, `{"jsonrpc":"2.0","id":2,"method":"nosuch"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/x","content":"x"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"/notes.txt"}}}`,
		`{"jsonrpc":"2.0","id":99,"method":"ping"}`,
	}, "\n"), "serve")
	if r.code != 0 || !strings.Contains(r.err, "paddock trust") {
		t.Errorf("exit %d, messages:\n%s", r.code, r.err)
	}
	ids := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(r.out), "\n") {
		var msg struct {
			JSONRPC string
			ID      json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &msg); err != nil || msg.JSONRPC != "2.0" {
			t.Errorf("a line that is no message: %q", line)
		}
		ids[string(msg.ID)] = true
	}
	for _, id := range []string{"1", "null", "2", "3", "4", "99"} {
		if !ids[id] {
			t.Errorf("%s is not answered; answered are %v", id, ids)
		}
	}
}

// An endless line costs no more memory than the longest message that is taken,
// and the server lives on.
func TestServeSurvivesAnEndlessLine(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector needs memory of its own: the plain run measures")
	}
	b := policyBox(t)
	server := b.command("serve")
	in, err := server.StdinPipe()
	must(t, err)
	out, err := server.StdoutPipe()
	must(t, err)
	must(t, server.Start())
	lines := bufio.NewReader(out)
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	for range 300 {
		_, err := in.Write(chunk)
		must(t, err)
	}
	if got, err := lines.ReadString('\n'); err != nil || !strings.Contains(got, "longer than") {
		t.Errorf("the endless line: %s, %v", got, err)
	}
	_, err = io.WriteString(in, "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
	must(t, err)
	if got, err := lines.ReadString('\n'); err != nil || got != "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n" {
		t.Errorf("ping: %s, %v", got, err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", server.Process.Pid))
	must(t, err)
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	var kib int
	if _, err := fmt.Sscan(peak, &kib); err != nil || kib > 200<<10 {
		t.Errorf("peak memory is %d KiB (%v), want at most 200 MiB", kib, err)
	}
	must(t, in.Close())
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
}

func TestServeEndsWhenTold(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		b := policyBox(t)
		server := b.command("serve")
		in, err := server.StdinPipe()
		must(t, err)
		out, err := server.StdoutPipe()
		must(t, err)
		must(t, server.Start())
		_, err = io.WriteString(in, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
		must(t, err)
		_, err = bufio.NewReader(out).ReadString('\n')
		must(t, err)
		must(t, server.Process.Signal(sig))
		if err := server.Wait(); err != nil {
			t.Errorf("%v: %v", sig, err)
		}
	}
}

func TestDemo(t *testing.T) {
	b := newBox(t)
	b.env = append(b.env, "TMPDIR="+t.TempDir())
	r := b.run("demo")
	b.want(r, 0, "All 5 steps went as they should.", "")
	for _, want := range []string{
		"Denied: read /.env (PathAccessDenied", "/src/app.py", "| -retries = 1", "| +retries = 3", "because  ", "Denied: delete /notes.txt",
	} {
		b.want(r, 0, want, "")
	}
	if strings.Contains(r.out, demoSecret) || strings.Contains(r.out, "FAILED") {
		t.Errorf("the demo shows what it must not:\n%s", r.out)
	}
	got := decode[struct {
		Failed int
		Steps  []demoOutcome
	}](b, b.run("demo", "--json"))
	if got.Failed != 0 || len(got.Steps) != len(demoSteps) || got.Steps[3].Asked == "" {
		t.Errorf("demo --json: %+v", got)
	}
	left, err := os.ReadDir(strings.TrimPrefix(b.env[len(b.env)-1], "TMPDIR="))
	if err != nil || len(left) != 0 {
		t.Errorf("the demo leaves %v behind, %v", left, err)
	}
}

// A demo that cannot fail shows nothing: with a secret that is readable it
// must say so.
func TestDemoNoticesWhatIsWrong(t *testing.T) {
	open := mcpserver.Reply{Text: "api_key=" + demoSecret + " /src/app.py /notes.txt retries run out"}
	failed := 0
	for _, step := range demoSteps {
		if step.wrong(t.TempDir(), open) != "" {
			failed++
		}
	}
	if failed != len(demoSteps)-1 {
		t.Errorf("%d of %d steps notice a server without a policy, want all but the first", failed, len(demoSteps))
	}
}

func TestBinaryIsQuietAboutColour(t *testing.T) {
	b := policyBox(t)
	for _, env := range []string{"NO_COLOR=1", "TERM=xterm-256color"} {
		b.env = append(b.env, env)
		for _, args := range [][]string{{"check"}, {"explain", "read", "x"}, {"tools"}, {"--help"}} {
			if r := b.run(args...); strings.Contains(r.out+r.err, "\x1b") {
				t.Errorf("%q with %s writes escapes", args, env)
			}
		}
	}
}
