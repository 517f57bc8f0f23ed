package httpserver

import (
	"net/http"
	"strings"
	"testing"
)

func TestATokenSaysWhoCalls(t *testing.T) {
	s := start(t, Options{Tokens: twoTokens(t)}, whoami)
	for token, name := range map[string]string{aliceToken: "alice", bobToken: "bob"} {
		resp, body := s.send("POST", token, "{}", nil)
		if resp.StatusCode != 200 || !strings.Contains(body, `"name":"`+name+`"`) {
			t.Errorf("the token of %s: %d %s", name, resp.StatusCode, body)
		}
	}
	// The scheme's letter case does not matter (RFC 9110).
	resp, _ := s.send("POST", "", "{}", func(r *http.Request) { r.Header.Set("Authorization", "bearer "+bobToken) })
	if resp.StatusCode != 200 {
		t.Errorf("bearer in lower case: %d", resp.StatusCode)
	}
}

func TestWithoutAKnownTokenNothingIsReached(t *testing.T) {
	s := start(t, Options{Tokens: twoTokens(t)}, func(http.ResponseWriter, *http.Request) { t.Error("the handler was reached") })
	const wants, wrong = `Bearer realm="paddock"`, `Bearer realm="paddock", error="invalid_token"`
	for header, challenge := range map[string]string{
		"":                                 wants,
		"Bearer":                           wants,
		"Bearer ":                          wants,
		"Basic " + aliceToken:              wants,
		aliceToken:                         wants,
		"Bearer wrong":                     wrong,
		"Bearer " + aliceToken + "x":       wrong,
		"Bearer " + aliceToken[:18]:        wrong,
		"Bearer " + aliceToken + " x":      wrong,
		"Bearer alice":                     wrong,
		"Bearer sha256:00":                 wrong,
		"Bearer " + strings.ToUpper("bob"): wrong,
	} {
		resp, body := s.send("POST", "", "{}", func(r *http.Request) {
			if header != "" {
				r.Header.Set("Authorization", header)
			}
		})
		refused(t, resp, body, http.StatusUnauthorized, "token")
		if got := resp.Header.Get("WWW-Authenticate"); got != challenge {
			t.Errorf("%q: WWW-Authenticate is %q, want %q", header, got, challenge)
		}
		if strings.Contains(body, aliceToken) {
			t.Errorf("%q: the answer repeats a token", header)
		}
	}
	// The token is asked for before anything else is told.
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		resp, body := s.send(method, "", "", nil)
		refused(t, resp, body, http.StatusUnauthorized, "token")
	}
}

func TestHost(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Hosts: []string{"Agents.Example.org"}}, whoami)
	for host, ok := range map[string]bool{
		s.addr: true, "127.0.0.1": true, "localhost": true, "LOCALHOST:99": true, "localhost.": true, "[::1]:80": true, "127.9.9.9": true,
		"agents.example.org": true, "agents.example.org:443": true, "AGENTS.example.org.": true,
		"evil.example": false, "evil.example:80": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false, "10.0.0.1": false,
		"0.0.0.0": false, "[::]": false, "localhost@evil.example": false, "2130706433": false, "0177.0.0.1": false, "127.1": false, "x.agents.example.org": false,
	} {
		resp, body := s.send("POST", "", "{}", func(r *http.Request) { r.Host = host })
		switch {
		case ok && resp.StatusCode != 200:
			t.Errorf("Host %s: %d %s", host, resp.StatusCode, body)
		case !ok:
			refused(t, resp, body, http.StatusForbidden, "Host header")
		}
	}
	// No Host at all, and an absolute target, whose host counts.
	for request, status := range map[string]string{
		"POST /mcp HTTP/1.0\r\n\r\n": "403 Forbidden",
		"POST /mcp HTTP/1.1\r\n\r\n": "400 Bad Request",
		"POST http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n":    "403 Forbidden",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n": "400 Bad Request",
	} {
		if got := s.raw(request); !strings.HasPrefix(got, status) {
			t.Errorf("%q: got %s, want %s", request, got, status)
		}
	}
}

func TestOrigin(t *testing.T) {
	s := start(t, Options{Tokens: NoToken("local"), Origins: []string{"https://App.example.org"}}, whoami)
	for origin, ok := range map[string]bool{
		"http://" + s.addr: true, "https://app.example.org": true, "HTTPS://APP.EXAMPLE.ORG": true,
		"null": false, "": false, "http://evil.example": false, "http://app.example.org": false, "https://app.example.org:444": false,
		"https://app.example.org.evil.example": false, "https://app.example.org/": false, "file://": false, "http://localhost": false,
		"http://" + s.addr + "/x": false, "http://x@" + s.addr: false, "chrome-extension://abc": false,
	} {
		resp, body := s.send("POST", "", "{}", func(r *http.Request) { r.Header["Origin"] = []string{origin} })
		switch {
		case ok && resp.StatusCode != 200:
			t.Errorf("Origin %s: %d %s", origin, resp.StatusCode, body)
		case !ok:
			refused(t, resp, body, http.StatusForbidden, "origin")
			if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("Origin %s: the page may read the answer: %s", origin, got)
			}
		}
	}
}

func TestPagesOfANamedOriginMayAsk(t *testing.T) {
	s := start(t, Options{Tokens: twoTokens(t), Origins: []string{"https://app.example.org"}}, whoami)
	ask := func(origin string) (*http.Response, string) {
		return s.send("OPTIONS", "", "", func(r *http.Request) {
			r.Header.Set("Origin", origin)
			r.Header.Set("Access-Control-Request-Method", "POST")
		})
	}
	resp, body := ask("https://app.example.org")
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Origin") != "https://app.example.org" || !strings.Contains(resp.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("a named origin: %d %v %s", resp.StatusCode, resp.Header, body)
	}
	resp, body = ask("http://" + s.addr)
	refused(t, resp, body, http.StatusUnauthorized, "token")
	resp, body = ask("https://evil.example")
	refused(t, resp, body, http.StatusForbidden, "origin")
	resp, _ = s.send("POST", aliceToken, "{}", func(r *http.Request) { r.Header.Set("Origin", "https://app.example.org") })
	if resp.StatusCode != 200 || resp.Header.Get("Access-Control-Allow-Origin") != "https://app.example.org" {
		t.Errorf("a call of a named origin: %d %v", resp.StatusCode, resp.Header)
	}
}

func TestHeadersThatDecideComeOnce(t *testing.T) {
	s := start(t, Options{Tokens: twoTokens(t)}, whoami)
	for _, name := range single {
		resp, body := s.send("POST", aliceToken, "{}", func(r *http.Request) {
			r.Header[name] = append(r.Header[name], "a", "b")
		})
		refused(t, resp, body, http.StatusBadRequest, name)
	}
}

func TestOnePathAndOneMethod(t *testing.T) {
	s := start(t, Options{Tokens: twoTokens(t)}, whoami)
	for _, path := range []string{"/", "/mcp/", "/MCP", "/mcp/../mcp", "/x/mcp"} {
		resp, body := s.send("POST", aliceToken, "{}", func(r *http.Request) { r.URL.Opaque = "//" + s.addr + path })
		refused(t, resp, body, http.StatusNotFound, "/mcp")
	}
	for _, method := range []string{"GET", "DELETE", "PUT", "OPTIONS"} {
		resp, body := s.send(method, aliceToken, "", nil)
		refused(t, resp, body, http.StatusMethodNotAllowed, "POST")
		if resp.Header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow is %q", method, resp.Header.Get("Allow"))
		}
	}
}
