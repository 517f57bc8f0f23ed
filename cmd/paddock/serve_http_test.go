package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpBox is a running server.
type httpBox struct {
	*box
	server   *exec.Cmd
	url      string
	token    string // where it says its token is
	messages *lockedBuffer
}

// lockedBuffer takes the messages of a process while a test reads them.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *box) serveHTTP(args ...string) *httpBox {
	b.t.Helper()
	h := &httpBox{box: b, messages: &lockedBuffer{}}
	h.server = b.command(append([]string{"--json", "serve", "--http", "127.0.0.1:0"}, args...)...)
	h.server.Stderr = h.messages
	out, err := h.server.StdoutPipe()
	must(b.t, err)
	must(b.t, h.server.Start())
	var where struct{ URL, Token string }
	if err := json.NewDecoder(out).Decode(&where); err != nil {
		_ = h.server.Wait()
		b.t.Fatalf("the server does not say where it is: %v\n%s", err, h.messages)
	}
	h.url, h.token = where.URL, where.Token
	return h
}

// stop tells the server to end, and checks that it does so well and quietly.
func (h *httpBox) stop(secrets ...string) {
	h.t.Helper()
	must(h.t, h.server.Process.Signal(syscall.SIGTERM))
	if err := h.server.Wait(); err != nil {
		h.t.Errorf("the server ended with %v:\n%s", err, h.messages)
	}
	for _, secret := range secrets {
		if strings.Contains(h.messages.String(), secret) {
			h.t.Errorf("a token is among the messages:\n%s", h.messages)
		}
	}
}

type withToken string

func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if t != "" {
		r.Header.Set("Authorization", "Bearer "+string(t))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (h *httpBox) connect(token, version string) (*mcp.ClientSession, error) {
	h.t.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: h.url, HTTPClient: &http.Client{Transport: withToken(token)}, MaxRetries: -1}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(h.t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		h.t.Cleanup(func() { session.Close() })
	}
	return session, err
}

// call calls a tool in one session of the transport.
func (h *httpBox) call(token, version, tool string, args map[string]any) (text string, isError bool) {
	h.t.Helper()
	session, err := h.connect(token, version)
	must(h.t, err)
	r, err := session.CallTool(h.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	must(h.t, err)
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

func TestServeHTTPWithATokenOfItsOwn(t *testing.T) {
	b := policyBox(t)
	var before string
	for _, version := range []string{"2026-07-28", "2025-06-18"} {
		h := b.serveHTTP()
		kept, err := os.ReadFile(h.token)
		must(t, err)
		token := strings.TrimSpace(string(kept))
		if before != "" && token != before {
			t.Error("the next start has another token")
		}
		before = token
		if text, bad := h.call(token, version, "read_file", map[string]any{"file_path": "/notes.txt"}); bad || !strings.Contains(text, "two") {
			t.Errorf("%s: read: %s", version, text)
		}
		if text, bad := h.call(token, version, "read_file", map[string]any{"file_path": "/.env"}); !bad || !strings.HasPrefix(text, "Denied") {
			t.Errorf("%s: read what is denied: %s", version, text)
		}
		if text, bad := h.call(token, version, "session_open", nil); bad {
			t.Errorf("%s: session_open: %s", version, text)
		}
		for _, wrong := range []string{"", "not-the-token-of-this-server"} {
			if _, err := h.connect(wrong, version); err == nil {
				t.Errorf("%s: a client with the token %q connects", version, wrong)
			}
		}
		h.stop(token)
	}
}

func TestServeHTTPWithATokenFile(t *testing.T) {
	b := policyBox(t)
	const all, few = "the-token-that-may-do-all", "the-token-that-may-do-little"
	// In the workspace, where the agent may read: but not this.
	file := filepath.Join(b.dir, "tokens")
	must(t, os.WriteFile(file, []byte("boss "+all+"\nhelper "+few+" worker=reader tools=ls,read_file,write_file\n"), 0o600))
	must(t, os.Symlink("tokens", filepath.Join(b.dir, "link")))
	h := b.serveHTTP("--token-file", "link")
	tools := func(token string) (names []string) {
		session, err := h.connect(token, "")
		must(t, err)
		list, err := session.ListTools(t.Context(), nil)
		must(t, err)
		for _, x := range list.Tools {
			names = append(names, x.Name)
			schema, err := json.Marshal(x.InputSchema)
			must(t, err)
			if token == few && strings.Contains(string(schema), `"session"`) {
				t.Errorf("%s takes a session that cannot be opened", x.Name)
			}
		}
		return names
	}
	if got := strings.Join(tools(few), " "); got != "ls read_file write_file" {
		t.Errorf("the helper sees %s", got)
	}
	if got := len(tools(all)); got < 9 {
		t.Errorf("the boss sees %d tools", got)
	}
	write := map[string]any{"file_path": "/new.txt", "content": "x"}
	if text, bad := h.call(few, "", "write_file", write); !bad || !strings.HasPrefix(text, "Denied") {
		t.Errorf("the helper writes: %s", text)
	}
	if text, bad := h.call(all, "", "write_file", write); bad {
		t.Errorf("the boss writes: %s", text)
	}
	for _, path := range []string{"/tokens", "/link"} {
		if text, bad := h.call(few, "", "read_file", map[string]any{"file_path": path}); !bad || strings.Contains(text, all) {
			t.Errorf("the helper reads the tokens at %s: %s", path, text)
		}
	}
	h.stop(all, few)
	r := b.run("audit", "show")
	for _, want := range []string{"boss:box", "helper:reader"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the record does not tell of %s:\n%s%s", want, r.out, r.err)
		}
	}
}

func TestServeHTTPWithATokenOfTheEnvironment(t *testing.T) {
	b := policyBox(t)
	const token = "a-token-of-the-environment"
	b.env = append(b.env, "PADDOCK_TOKEN="+token)
	h := b.serveHTTP()
	if h.token != "$PADDOCK_TOKEN" {
		t.Errorf("the token is said to be in %s", h.token)
	}
	if text, bad := h.call(token, "", "ls", map[string]any{"path": "/"}); bad || !strings.Contains(text, "notes.txt") {
		t.Errorf("ls: %s", text)
	}
	h.stop(token)
}

func TestServeHTTPWithoutTokens(t *testing.T) {
	b := policyBox(t)
	h := b.serveHTTP("--no-token")
	if text, bad := h.call("", "", "ls", map[string]any{"path": "/"}); bad || !strings.Contains(text, "notes.txt") {
		t.Errorf("ls: %s", text)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", h.url, strings.NewReader("{}"))
	must(t, err)
	r.Header.Set("Origin", "https://evil.example")
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a page of the web is answered with %d", resp.StatusCode)
	}
	h.stop()
}

// A call that does not end holds a server that was told to stop, for a while;
// who says it twice means now.
func TestServeHTTPEndsAtTheSecondSignal(t *testing.T) {
	b := policyBox(t)
	h := b.serveHTTP("--no-token")
	address := strings.TrimSuffix(strings.TrimPrefix(h.url, "http://"), "/mcp")
	c, err := net.Dial("tcp", address)
	must(t, err)
	defer c.Close()
	_, err = io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: "+address+"\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
	must(t, err)
	// The server asks for the body, so the request is under way.
	_, err = bufio.NewReader(c).ReadString('\n')
	must(t, err)
	must(t, h.server.Process.Signal(syscall.SIGINT))
	for !strings.Contains(h.messages.String(), "stopping") {
		time.Sleep(time.Millisecond) // the command has a deadline
		must(t, h.server.Process.Signal(syscall.Signal(0)))
	}
	must(t, h.server.Process.Signal(syscall.SIGINT))
	var exit *exec.ExitError
	if err := h.server.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Errorf("the server ended with %v:\n%s", err, h.messages)
	}
}

func TestServeHTTPRefuses(t *testing.T) {
	b := policyBox(t)
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(b.dir, name)
		must(t, os.WriteFile(path, []byte(text), mode))
		must(t, os.Chmod(path, mode))
		return path
	}
	const line = "boss the-token-that-may-do-all"
	good := file("good", line+"\n", 0o600)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--http", "0.0.0.0:0"}, 2, "--token-file or $PADDOCK_TOKEN"},
		{[]string{"--http", "0.0.0.0:0", "--no-token"}, 2, "others can reach"},
		{[]string{"--http", "0", "--no-token", "--token-file", good}, 2, "exclude each other"},
		{[]string{"--http", ""}, 2, "empty"},
		{[]string{"--http", "localhost"}, 2, "--http"},
		{[]string{"--http", "0", "--allow-origin", "*"}, 2, "no origin"},
		{[]string{"--http", "0", "--allow-host", "a:1"}, 2, "no host name"},
		{[]string{"--token-file", good}, 2, "goes with --http"},
		{[]string{"--no-token"}, 2, "goes with --http"},
		{[]string{"--http", "0", "--token-file", "missing"}, 1, "missing"},
		{[]string{"--http", "0", "--token-file", file("open", line, 0o644)}, 1, "chmod 600"},
		{[]string{"--http", "0", "--token-file", file("w", line+" worker=nobody", 0o600)}, 1, `no worker "nobody"`},
		{[]string{"--http", "0", "--token-file", file("t", line+" tools=ls,nothing", 0o600)}, 1, `no tool "nothing"`},
		{[]string{"--http", "0", "--token-file", file("tt", line+" tools=ls,ls", 0o600)}, 1, "twice"},
	} {
		r := b.run(append([]string{"serve"}, c.args...)...)
		b.want(r, c.code, "", c.says)
		if strings.Contains(r.err+r.out, "may-do-all") {
			t.Errorf("%v: the token is shown: %s", c.args, r.err)
		}
	}
	b.env = append(b.env, "PADDOCK_TOKEN=short")
	b.want(b.run("serve", "--http", "0"), 2, "", "16 to 512")
	b.want(b.run("serve", "--http", "0", "--no-token"), 2, "", "exclude each other")
}
