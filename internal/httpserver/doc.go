// Package httpserver is the HTTP side of a server for agents: who may call, in
// what name, how much at once, and which thread a call belongs to. What is
// served is an http.Handler that knows nothing of all this.
//
// Listen opens the socket and refuses an address that would need a token and
// has none. New makes a Server; Serve runs it until its context ends, lets
// running calls finish for a while and then ends them. A handler asks
// PrincipalOf whose call it has, and BodyOf for the body, which was read whole
// within its bounds. Sessions keeps the threads of principals.
//
// The checks of a request, in this order: Host and Origin (a web page that
// rebinds its name to this machine, or posts across origins, has the wrong
// ones), the path, the token, the number of calls, the size and speed of the
// body. There is no TLS here: a proxy in front has that, and a token that
// leaves the machine without one can be read on the way.
//
// Nothing here writes a token or a session's handle anywhere.
package httpserver
