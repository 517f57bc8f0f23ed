package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// names decides which Host and Origin a request may have.
//
// Attack: a page of evil.example makes its name resolve to 127.0.0.1 and posts
// to it from the browser of the person who runs this server. The browser sends
// the page's own name as Host, and it, or "null", as Origin.
type names struct {
	hosts   []string // in lower case, without a port
	origins []string // "https://app.example.org", in lower case
}

// host tells whether a request means this server: by a loopback name where it
// came over loopback, by the address it arrived at, or by a name that the
// person gave. The port is not looked at: a forwarded one may differ.
func (n *names) host(r *http.Request) bool {
	host := hostname(r.Host)
	if host == "" {
		return false
	}
	if slices.Contains(n.hosts, host) {
		return true
	}
	local := localAddr(r)
	if host == "localhost" {
		return local.IsLoopback()
	}
	named, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	named = named.Unmap()
	return named.IsLoopback() && local.IsLoopback() || named == local
}

// origin tells whether the page that sent a request, if a page did, may: one
// of this very server, or one that the person named. "null", which sandboxed
// pages and files have, is never the same.
func (n *names) origin(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	return origin == "" && len(r.Header.Values("Origin")) == 0 || n.foreign(origin) || sameHost(origin, r.Host)
}

// foreign tells whether an origin is one of those the person named.
func (n *names) foreign(origin string) bool {
	return slices.Contains(n.origins, strings.ToLower(origin))
}

func sameHost(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return false
	}
	return u.Scheme+"://"+u.Host == origin && strings.EqualFold(u.Host, host)
}

// hostname is a Host header without port, brackets and final dot, "" when it
// is none.
func hostname(host string) string {
	if host == "" || strings.ContainsAny(host, "/@\\ \t") {
		return ""
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	} else if strings.Count(host, ":") == 1 {
		return "" // "name:" or "name:what"
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// localAddr is the address at which a request arrived; the zero Addr, which is
// no loopback, when it is not known.
func localAddr(r *http.Request) netip.Addr {
	a, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if a == nil {
		return netip.Addr{}
	}
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().Unmap().WithZone("")
}
