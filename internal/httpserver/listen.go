package httpserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Address reads the address to listen on. Without a host ("8080", ":8080") it
// is on this machine alone: to serve others is something one has to say, by an
// address or by 0.0.0.0.
func Address(s string) (string, error) {
	if s == "" {
		return "", errors.New("the address to listen on is empty; write one like 127.0.0.1:8080")
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		host, port, err = net.SplitHostPort(":" + s)
	}
	if err != nil {
		return "", fmt.Errorf("%q is no address to listen on; write HOST:PORT, such as 127.0.0.1:8080", s)
	}
	if _, err := net.LookupPort("tcp", port); err != nil || port == "" {
		return "", fmt.Errorf("%q is no port; write a number up to 65535", port)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// IsLoopback tells whether an address of Address can be reached from this
// machine alone. Every address that a name stands for must be one.
func IsLoopback(ctx context.Context, address string) (bool, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false, fmt.Errorf("%q is no address to listen on", address)
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return false, fmt.Errorf("the address to listen on: %w", err)
	}
	for _, ip := range ips {
		if !ip.Unmap().IsLoopback() {
			return false, nil
		}
	}
	return len(ips) > 0, nil
}

// ErrNeedsToken is the error of Listen for an address that others can reach,
// without a token that they would need.
var ErrNeedsToken = errors.New("others can reach this address, and whoever does would act with the policy's rights; give a token first")

// Listen opens the socket of an address of Address. An address that is not
// loopback is refused with ErrNeedsToken unless tokens were given by a person.
func Listen(ctx context.Context, address string, tokens bool) (net.Listener, error) {
	loopback, err := IsLoopback(ctx, address)
	if err != nil {
		return nil, err
	}
	if !loopback && !tokens {
		return nil, fmt.Errorf("listening on %s: %w", address, ErrNeedsToken)
	}
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen: %w", err)
	}
	// The name was looked up twice.
	if at, err := netip.ParseAddrPort(l.Addr().String()); err != nil || !at.Addr().Unmap().IsLoopback() && !tokens {
		_ = l.Close() // nobody came yet
		return nil, fmt.Errorf("listening on %s: %w", address, ErrNeedsToken)
	}
	return l, nil
}

// bounded is a listener of which at most max connections are open. One more is
// told so and closed: were it left waiting, it would look like a dead server.
type bounded struct {
	net.Listener
	slots chan struct{}
}

func bound(l net.Listener, max int) *bounded { return &bounded{l, make(chan struct{}, max)} }

// full is what a client gets that cannot be served. It is written before the
// request was read.
const full = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: "

func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case b.slots <- struct{}{}:
			return &boundedConn{Conn: c, release: sync.OnceFunc(func() { <-b.slots })}, nil
		default:
			body := refusalBody("too many connections are open; try again in a moment")
			_ = c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)) // a client that does not read learns nothing
			_, _ = fmt.Fprintf(c, "%s%d\r\n\r\n%s", full, len(body), body)
			_ = c.Close()
		}
	}
}

type boundedConn struct {
	net.Conn
	release func()
}

func (c *boundedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}
