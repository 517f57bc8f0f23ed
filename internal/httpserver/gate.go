package httpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"paddock/internal/show"
)

// Path is where the one endpoint is.
const Path = "/mcp"

// gate hands a request on when everything about it is in order.
type gate struct {
	names  names
	tokens *Tokens
	calls  *calls
	bodies *bodies
	limits Limits
	next   http.Handler
}

// single are the headers that decide something here or are compared with the
// body later. With two of one name a proxy may judge the first and this server
// the second.
var single = [...]string{"Authorization", "Origin", "Content-Type", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id"}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.names.host(r) {
		refuse(w, http.StatusForbidden, fmt.Sprintf("the Host header %s is no name of this server; if it should be, start the server with --allow-host", quoted(r.Host)))
		return
	}
	for _, name := range single {
		if len(r.Header.Values(name)) > 1 {
			refuse(w, http.StatusBadRequest, "the header "+name+" is there twice; send it once")
			return
		}
	}
	if !g.names.origin(r) {
		refuse(w, http.StatusForbidden, fmt.Sprintf("pages of the origin %s may not use this server; if they should, start the server with --allow-origin", quoted(r.Header.Get("Origin"))))
		return
	}
	if g.names.allowOrigin(w, r) {
		return
	}
	if r.URL.Path != Path {
		refuse(w, http.StatusNotFound, "there is nothing here; the endpoint is "+Path)
		return
	}
	p := g.principal(w, r)
	if p == nil {
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "this server keeps no streams or sessions of the transport; send requests by POST")
		return
	}
	switch g.calls.begin(p.Name) {
	case eachFull:
		busy(w, http.StatusTooManyRequests, fmt.Sprintf("%d of your requests are under way already; wait for one to be answered", g.limits.CallsEach))
		return
	case allFull:
		busy(w, http.StatusServiceUnavailable, "the server has all the work it takes at once; try again in a moment")
		return
	}
	defer g.calls.end(p.Name)
	g.handOn(w, r, p)
}

// principal finds out who calls, or answers that nobody it knows does.
func (g *gate) principal(w http.ResponseWriter, r *http.Request) *Principal {
	if g.tokens.open != nil {
		return g.tokens.open
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="paddock"`)
		refuse(w, http.StatusUnauthorized, "a token is needed; send it in the header Authorization: Bearer TOKEN")
		return nil
	}
	p := g.tokens.find(token)
	if p == nil {
		w.Header().Set("WWW-Authenticate", `Bearer realm="paddock", error="invalid_token"`)
		refuse(w, http.StatusUnauthorized, "the token is not one that this server knows")
	}
	return p
}

// handOn reads the body and calls the handler.
func (g *gate) handOn(w http.ResponseWriter, r *http.Request, p *Principal) {
	body, done, err := g.bodies.read(w, r)
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		g.bodies.drop(r)
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is longer than %d bytes", tooLong.Limit))
		return
	case errors.Is(err, errManyLarge):
		g.bodies.drop(r)
		w.Header().Set("Connection", "close") // there may be still more
		busy(w, http.StatusServiceUnavailable, err.Error())
		return
	case err != nil:
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestTimeout, "the request did not arrive whole and in time")
		return
	}
	defer done()
	ctx := context.WithValue(r.Context(), principalKey{}, p)
	ctx = context.WithValue(ctx, bodyKey{}, body)
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	out := newAnswer(w, g.limits.Write)
	defer out.end()
	g.next.ServeHTTP(out, r)
}

func quoted(s string) string { return `"` + show.Cut(show.Line(s), 100) + `"` }
