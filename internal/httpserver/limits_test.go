package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBodiesAreBounded(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Body: 2 << 20}}, whoami)
	most := strings.Repeat("x", 2<<20)
	resp, body := s.send("POST", "", most, nil)
	if resp.StatusCode != 200 || !strings.Contains(body, "2097152") {
		t.Errorf("the longest body: %d %s", resp.StatusCode, body)
	}
	resp, body = s.send("POST", "", most+"x", nil)
	refused(t, resp, body, http.StatusRequestEntityTooLarge, "2097152")
	// A client that sends all before it reads gets the answer too.
	resp, body = s.send("POST", "", most+most[1:], nil)
	refused(t, resp, body, http.StatusRequestEntityTooLarge, "2097152")
	// In chunks nobody knows the length before.
	resp, body = s.send("POST", "", "", func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(most+"x")), -1
	})
	refused(t, resp, body, http.StatusRequestEntityTooLarge, "2097152")
}

func TestALargeBodyWaitsForItsTurn(t *testing.T) {
	release, reached := make(chan struct{}), make(chan struct{}, 100)
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Turn: within}}, func(http.ResponseWriter, *http.Request) {
		reached <- struct{}{}
		<-release
	})
	large := strings.Repeat("x", smallBody+1)
	var wg sync.WaitGroup
	for range largeBodies + 2 {
		wg.Go(func() {
			if resp, body := s.send("POST", "", large, nil); resp.StatusCode != 200 {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
		})
	}
	for range largeBodies {
		<-reached
	}
	select {
	case <-reached:
		t.Error("too many large bodies are in memory")
	case <-time.After(50 * time.Millisecond): // a chance to be wrong
	}
	close(release)
	wg.Wait()
}

// endless is a body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestABodyThatNeverEndsCostsLittle(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Body: 2 << 20}}, whoami)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url(), endless{})
	if err != nil {
		t.Fatal(err)
	}
	// The server stops reading, so the client may see the answer or a broken
	// connection.
	if resp, err := http.DefaultClient.Do(r); err == nil {
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		refused(t, resp, string(body), http.StatusRequestEntityTooLarge, "longer")
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("it cost %d bytes", used)
	}
}

func TestLargeBodiesAreFewAtOnce(t *testing.T) {
	release, reached := make(chan struct{}), make(chan struct{}, 100)
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Turn: 50 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		if len(BodyOf(r.Context())) > smallBody {
			reached <- struct{}{}
			<-release
		}
	})
	large := strings.Repeat("x", 8<<20) // more than sockets hold: it must be read to be refused
	var wg sync.WaitGroup
	for range largeBodies {
		wg.Go(func() { s.send("POST", "", large, nil) })
	}
	for range largeBodies {
		<-reached
	}
	resp, body := s.send("POST", "", large, nil)
	refused(t, resp, body, http.StatusServiceUnavailable, "large")
	if resp, body := s.send("POST", "", large[:smallBody], nil); resp.StatusCode != 200 {
		t.Errorf("a small body beside them: %d %s", resp.StatusCode, body)
	}
	close(release)
	wg.Wait()
	if resp, body := s.send("POST", "", large, nil); resp.StatusCode != 200 {
		t.Errorf("a large body after them: %d %s", resp.StatusCode, body)
	}
}

func TestCallsAreBoundedEachAndInAll(t *testing.T) {
	release, reached := make(chan struct{}), make(chan struct{}, 3)
	s := start(t, Options{Tokens: twoTokens(t), Limits: Limits{Calls: 3, CallsEach: 2}}, func(w http.ResponseWriter, r *http.Request) {
		reached <- struct{}{}
		<-release
	})
	var wg sync.WaitGroup
	hold := func(token string) {
		wg.Go(func() { s.send("POST", token, "{}", nil) })
		<-reached
	}
	hold(aliceToken)
	hold(aliceToken)
	resp, body := s.send("POST", aliceToken, "{}", nil)
	refused(t, resp, body, http.StatusTooManyRequests, "2 of your requests")
	if resp.Header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	hold(bobToken)
	resp, body = s.send("POST", bobToken, "{}", nil)
	refused(t, resp, body, http.StatusServiceUnavailable, "all the work")
	close(release)
	wg.Wait()
	for _, token := range []string{aliceToken, bobToken, aliceToken, bobToken} {
		if resp, body := s.send("POST", token, "{}", nil); resp.StatusCode != 200 {
			t.Errorf("after the others ended: %d %s", resp.StatusCode, body)
		}
		<-reached
	}
}

func TestSlowHeadersAndBodiesEnd(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Header: 50 * time.Millisecond, Read: 50 * time.Millisecond}}, whoami)
	slow := s.dial()
	defer slow.Close()
	if _, err := io.WriteString(slow, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-"); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(slow); err != nil {
		t.Errorf("a header that does not end: %q, %v", text, err)
	}
	if got := s.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc"); !strings.HasPrefix(got, "408") {
		t.Errorf("a body that does not end: %s", got)
	}
	if got := s.raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", 64<<10) + "\r\n\r\n"); !strings.HasPrefix(got, "431") {
		t.Errorf("a header without measure: %s", got)
	}
}

func TestTheTimeForABodyIsNotTheTimeForACall(t *testing.T) {
	// The handler takes longer than the body may, and its context must live.
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Read: 50 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusTeapot)
		case <-time.After(200 * time.Millisecond):
		}
	})
	if resp, _ := s.send("POST", "", "{}", nil); resp.StatusCode != 200 {
		t.Errorf("the call was ended with its body's time: %d", resp.StatusCode)
	}
}

func TestAClientThatTakesNoAnswerIsLetGo(t *testing.T) {
	failed := make(chan error, 1)
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Write: 50 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})
	c := s.dial()
	defer c.Close()
	if _, err := io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-failed:
	case <-time.After(within):
		t.Error("the server still writes to a client that does not read")
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Limits: Limits{Connections: 2}}, whoami)
	request := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
	one, two := s.dial(), s.dial()
	defer one.Close()
	defer two.Close()
	for i, c := range []io.ReadWriter{one, two} {
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("connection %d: %v %v", i+1, resp, err)
		}
		resp.Body.Close()
	}
	three := s.dial()
	resp, err := http.ReadResponse(bufio.NewReader(three), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	three.Close()
	refused(t, resp, string(body), http.StatusServiceUnavailable, "connections")
	one.Close()
	for end := time.Now().Add(within); ; { // until the server saw it
		if got := s.rawOr(request); strings.HasPrefix(got, "200") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("a closed connection gives no place")
		}
	}
}

// rawOr is raw for a request whose connection may be closed before it is sent.
func (s *running) rawOr(text string) string {
	c := s.dial()
	defer c.Close()
	_, _ = io.WriteString(c, text)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	return resp.Status
}
