package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Options are what a Server is made of.
type Options struct {
	// Tokens tell who calls. Required.
	Tokens *Tokens
	// Hosts are further names of this server, without a port.
	Hosts []string
	// Origins are those whose pages may use it: "https://app.example.org".
	Origins []string
	Limits  Limits
	// Log takes what net/http has to tell, a line at a time; nil drops it.
	Log func(line string)
}

// Server serves a handler to those who may call it.
type Server struct {
	gate   *gate
	log    func(string)
	limits Limits
}

// New makes a Server. next sees requests to Path by POST alone; see PrincipalOf
// and BodyOf.
func New(o Options, next http.Handler) (*Server, error) {
	if o.Tokens == nil {
		return nil, errors.New("a server needs tokens; NoToken is the way to have none")
	}
	g := &gate{tokens: o.Tokens, limits: o.Limits.filled(), next: next}
	for _, host := range o.Hosts {
		name := hostname(host)
		if name == "" || name != strings.TrimSuffix(strings.ToLower(host), ".") {
			return nil, fmt.Errorf("%q is no host name; write one without a port", host)
		}
		g.names.hosts = append(g.names.hosts, name)
	}
	for _, origin := range o.Origins {
		scheme, host, _ := strings.Cut(strings.ToLower(origin), "://")
		if !sameHost(scheme+"://"+host, host) {
			return nil, fmt.Errorf("%q is no origin; write one like https://app.example.org, without a path", origin)
		}
		g.names.origins = append(g.names.origins, strings.ToLower(origin))
	}
	g.calls = newCalls(g.limits.Calls, g.limits.CallsEach)
	g.bodies = newBodies(g.limits)
	return &Server{gate: g, log: o.Log, limits: g.limits}, nil
}

// errAbroad guards what Listen checked already, for who brings another socket.
var errAbroad = errors.New("a server without tokens serves loopback addresses alone")

// Serve serves until ctx ends. Then no new call is taken; calls that run may
// go on for Limits.Drain, and after that their contexts end and, soon, their
// connections. It closes the listener, and returns when no request is being
// handled any more, unless a handler does not heed its context. A stop that
// was asked for is no error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if s.gate.tokens.Open() && (err != nil || !at.Addr().Unmap().IsLoopback()) {
		_ = l.Close() // nobody was served
		return errAbroad
	}
	// Not of ctx: calls that run outlive it for a while.
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler:           s.gate,
		ReadHeaderTimeout: s.limits.Header,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		BaseContext:       func(net.Listener) context.Context { return running },
		ErrorLog:          log.New(lineWriter(s.write), "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(bound(l, s.limits.Connections)) }()
	select {
	case err := <-served:
		_ = server.Close() // what is left of it
		return fmt.Errorf("serving on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	return s.stop(server, cancel, served)
}

// lastWords is how long calls may take to end after they were told to.
const lastWords = 2 * time.Second

func (s *Server) stop(server *http.Server, cancel context.CancelFunc, served <-chan error) error {
	drain := time.AfterFunc(s.limits.Drain, cancel)
	defer drain.Stop()
	late, done := context.WithTimeout(context.Background(), s.limits.Drain+lastWords)
	defer done()
	err := server.Shutdown(late)
	cancel()
	if err != nil {
		_ = server.Close() // the error is about the calls that did not end
		err = errors.New("some calls did not end in time and were cut off")
	}
	<-served
	return err
}

func (s *Server) write(line string) {
	if s.log != nil {
		s.log(line)
	}
}

// lineWriter makes a writer of a function that takes lines.
type lineWriter func(string)

func (w lineWriter) Write(p []byte) (int, error) {
	w(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}
