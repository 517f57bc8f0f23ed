package httpserver

import (
	"context"
	"errors"
	"net"
	"testing"
)

func TestAddress(t *testing.T) {
	for given, want := range map[string]string{
		"8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080", "127.0.0.1:0": "127.0.0.1:0", "[::1]:80": "[::1]:80", "0.0.0.0:80": "0.0.0.0:80",
		"localhost:http": "localhost:http", "host.example.org:1": "host.example.org:1",
		"": "", "host": "", ":": "", "host:": "", "1.2.3.4:99999": "", "::1": "", "a:b:c": "", "-1": "",
	} {
		got, err := Address(given)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", given, got, err, want)
		}
	}
}

func TestOthersNeedAToken(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", "[::]:0"} {
		l, err := Listen(t.Context(), address, false)
		if !errors.Is(err, ErrNeedsToken) {
			t.Errorf("%s without tokens: %v", address, err)
		}
		if l != nil {
			l.Close()
		}
	}
	l, err := Listen(t.Context(), "0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	// Who opens the socket past Listen is stopped as well.
	s, err := New(Options{Tokens: NoToken("local")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(context.Background(), l); !errors.Is(err, errAbroad) {
		t.Errorf("a server without tokens on all addresses: %v", err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("its socket is open still")
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(t.Context(), address, false)
		if err != nil {
			t.Errorf("%s without tokens: %v", address, err)
			continue
		}
		l.Close()
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	for name, o := range map[string]Options{
		"no tokens":           {},
		"a host with a port":  {Tokens: NoToken("x"), Hosts: []string{"a.example:80"}},
		"a host with a path":  {Tokens: NoToken("x"), Hosts: []string{"a.example/x"}},
		"no host":             {Tokens: NoToken("x"), Hosts: []string{""}},
		"every origin":        {Tokens: NoToken("x"), Origins: []string{"*"}},
		"no origin":           {Tokens: NoToken("x"), Origins: []string{"null"}},
		"an origin and path":  {Tokens: NoToken("x"), Origins: []string{"https://a.example/"}},
		"an origin, no host":  {Tokens: NoToken("x"), Origins: []string{"https://"}},
		"an origin of a file": {Tokens: NoToken("x"), Origins: []string{"file://a"}},
	} {
		if _, err := New(o, nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
