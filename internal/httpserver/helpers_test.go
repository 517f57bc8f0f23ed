package httpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// within bounds what could hang; no test waits for it to pass.
const within = 20 * time.Second

// running is a server on a loopback port.
type running struct {
	t    *testing.T
	addr string
	stop context.CancelFunc
	done chan error
	err  error
}

func (s *running) url() string { return "http://" + s.addr + Path }

// start serves a handler and checks, at the end, that nothing of it is left.
func start(t *testing.T, o Options, next http.HandlerFunc) *running {
	t.Helper()
	before := runtime.NumGoroutine()
	s, err := New(o, next)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(t.Context(), "127.0.0.1:0", !o.Tokens.Open())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{t: t, addr: l.Addr().String(), stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		r.end()
		noneLeft(t, before)
	})
	return r
}

// end stops the server and waits for it.
func (s *running) end() error {
	s.stop()
	select {
	case s.err = <-s.done:
		s.done <- s.err
	case <-time.After(within):
		s.t.Error("the server does not stop")
	}
	return s.err
}

// noneLeft waits until no more goroutines run than before.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(5 * time.Millisecond) {
		if runtime.NumGoroutine() <= before {
			return
		}
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Errorf("%d goroutines ran before and %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
			return
		}
	}
}

const (
	aliceToken = "alice-alice-alice-1"
	bobToken   = "bob-bob-bob-bob-bob"
)

func twoTokens(t *testing.T) *Tokens {
	t.Helper()
	tokens, err := parseTokens([]byte("alice " + aliceToken + "\nbob " + bobToken + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// send makes a request; edit changes it before it goes.
func (s *running) send(method, token, body string, edit func(*http.Request)) (*http.Response, string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.url(), strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if edit != nil {
		edit(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp, string(text)
}

// raw sends bytes as they are and returns what comes back until the end.
func (s *running) raw(text string) string {
	s.t.Helper()
	c := s.dial()
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		s.t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		s.t.Fatalf("no response to %.60q: %v", text, err)
	}
	defer r.Body.Close()
	return r.Status
}

func (s *running) dial() net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(within))
	return c
}

// refused checks that an answer is a refusal that an MCP client understands.
func refused(t *testing.T, resp *http.Response, body string, status int, says string) {
	t.Helper()
	if resp.StatusCode != status {
		t.Errorf("got status %d, want %d: %s", resp.StatusCode, status, body)
	}
	var e struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil || e.Version != "2.0" || string(e.ID) != "null" || e.Error.Code == 0 {
		t.Errorf("no error of JSON-RPC: %q", body)
	}
	if !strings.Contains(e.Error.Message, says) {
		t.Errorf("the refusal %q does not say %q", e.Error.Message, says)
	}
}

// whoami answers with the name of the principal and the length of the body.
func whoami(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if string(body) != string(BodyOf(r.Context())) {
		w.WriteHeader(http.StatusTeapot)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"name": PrincipalOf(r.Context()).Name, "bytes": len(body)})
}
