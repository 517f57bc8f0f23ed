package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"paddock"
	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
	"paddock/internal/telemetry"
	"paddock/internal/wire"
	"paddock/tool"
)

// httpFlags are the flags of serve that are about HTTP.
type httpFlags struct {
	HTTP        *string  `name:"http" placeholder:"ADDR" help:"Serve over Streamable HTTP at ADDR in place of standard input and output: a port on this machine (8080), or HOST:PORT. The endpoint is /mcp."`
	TokenFile   string   `name:"token-file" placeholder:"FILE" help:"File of bearer tokens, one a line: NAME TOKEN-or-sha256:HEX [worker=NAME] [tools=a,b]. Default: the token in $$PADDOCK_TOKEN; without it one is made and kept in the state folder."`
	NoToken     bool     `name:"no-token" help:"Let everybody on this machine in, whoever they are. Only on a loopback address."`
	AllowHost   []string `name:"allow-host" placeholder:"NAME" help:"A further name of this server, where it is reached through a proxy or by a name."`
	AllowOrigin []string `name:"allow-origin" placeholder:"ORIGIN" help:"An origin whose web pages may use this server, such as https://app.example.org."`
}

// httpServer is what serve --http runs.
type httpServer struct {
	app      *app
	setup    *wire.Setup
	tools    []tool.Tool
	tokens   *httpserver.Tokens
	watch    *telemetry.Telemetry
	sessions *httpserver.Sessions[*httpSession]
	shared   []*httpSession // of calls that name none, by principal
}

// httpSession is one thread of a principal.
type httpSession struct {
	guard *paddock.Guard
	end   func()
}

// serveHTTP serves clients over HTTP until the process is told to stop.
func (f *httpFlags) serveHTTP(a *app, tools []tool.Tool) error {
	address, err := httpserver.Address(*f.HTTP)
	if err != nil {
		return coded{exitUsage, fmt.Errorf("--http: %w", err)}
	}
	access, err := f.access(a)
	if err != nil {
		return err
	}
	setup, err := a.open(wire.Options{Private: access.private})
	if err != nil {
		return err
	}
	s := &httpServer{app: a, setup: setup, tools: tools, tokens: access.tokens, watch: a.telemetry()}
	defer a.endTelemetry(s.watch)
	s.sessions = httpserver.NewSessions(httpserver.Limits{}, s.open, func(x *httpSession) { x.end() })
	server, err := s.server(f)
	if err != nil {
		s.close()
		return err
	}
	l, err := httpserver.Listen(a.ctx, address, access.given)
	if err != nil {
		s.close()
		return needsToken(err)
	}
	if err := s.announce(l.Addr().String(), access); err != nil {
		s.close()
		return err
	}
	stop := context.AfterFunc(a.ctx, func() {
		// From now on a signal ends the process at once, as the person expects
		// who presses Ctrl-C again.
		signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		a.notice("stopping; calls that run have a moment to finish")
	})
	defer stop()
	if err := server.Serve(a.ctx, l); err != nil {
		// Calls may still run, so their Guards stay: the process ends anyway.
		return fmt.Errorf("serve: %w", err)
	}
	s.close()
	return nil
}

func (s *httpServer) server(f *httpFlags) (*httpserver.Server, error) {
	faces, err := s.faces()
	if err != nil {
		return nil, err
	}
	number, _ := version()
	endpoint, err := mcpserver.NewHTTP(faces, number)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	endpoint.Observe(s.watch)
	server, err := httpserver.New(httpserver.Options{
		Tokens: s.tokens, Hosts: f.AllowHost, Origins: f.AllowOrigin, Log: func(line string) { s.app.notice("http: " + line) },
	}, http.Handler(endpoint))
	if err != nil {
		return nil, coded{exitUsage, err}
	}
	return server, nil
}

// open makes the thread of a principal.
func (s *httpServer) open(p *httpserver.Principal) (*httpSession, error) {
	g, end, err := s.setup.Session(p.Name, p.Worker)
	if err != nil {
		return nil, err
	}
	return &httpSession{g, end}, nil
}

func (s *httpServer) close() {
	s.sessions.Close()
	for _, x := range s.shared {
		x.end()
	}
	_ = s.setup.Close() // nothing is under way any more
}

// announce tells where the server is and how to get in, and shows no token: a
// file of messages is no place for one.
func (s *httpServer) announce(address string, access *httpAccess) error {
	a, url := s.app, "http://"+address+httpserver.Path
	if a.json {
		return a.printJSON(map[string]string{"url": url, "token": access.from})
	}
	a.notice("serving MCP at " + url)
	switch {
	case access.tokens.Open():
		a.notice("no token is asked for: every program and every user of this machine can use this server")
	case access.kept != "":
		a.notice("clients need the token in " + access.kept)
		a.notice(`they send it in a header: "Authorization: Bearer $(cat ` + shellQuoted(access.kept) + `)"`)
	default:
		a.notice("clients need a token of " + access.from)
	}
	if loopback, err := httpserver.IsLoopback(a.ctx, address); err == nil && !loopback {
		a.notice("others can reach this address, and tokens travel as they are: put a proxy with TLS in front")
	}
	return nil
}

// shellQuoted is a path as a shell reads it inside $(…).
func shellQuoted(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+", r))
	}) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// httpThreads are the sessions of one principal, as the MCP server wants them.
type httpThreads struct {
	principal httpserver.Principal
	sessions  *httpserver.Sessions[*httpSession]
}

var _ mcpserver.Threads = (*httpThreads)(nil)

// Open implements mcpserver.Threads.
func (t *httpThreads) Open() (string, int, error) {
	handle, err := t.sessions.Open(&t.principal)
	return handle, int(t.sessions.Idle() / time.Second), err
}

// Use implements mcpserver.Threads.
func (t *httpThreads) Use(handle string) (*paddock.Guard, func(), error) {
	x, done, err := t.sessions.Use(&t.principal, handle)
	if err != nil {
		return nil, nil, err
	}
	return x.guard, done, nil
}

// Close implements mcpserver.Threads.
func (t *httpThreads) Close(handle string) error { return t.sessions.End(&t.principal, handle) }
