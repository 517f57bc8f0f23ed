package mcpserver

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/internal/httpserver"
	"paddock/internal/telemetry"
	"paddock/tool"
)

// Observe makes a server tell of each request; call it before Serve, with the
// tools of New. A nil t changes nothing.
func (s *Server) Observe(t *telemetry.Telemetry, tools []tool.Tool) {
	known := map[string]bool{}
	for i := range tools {
		known[tools[i].Name] = true
	}
	if t != nil {
		s.mcp.AddReceivingMiddleware(observer(t, "pipe", known))
	}
}

// Observe makes the endpoint tell of each request; call it before the first
// one. A nil t changes nothing.
func (h *HTTP) Observe(t *telemetry.Telemetry) {
	for _, f := range h.faces {
		f.watch = t
	}
}

// observer tells of each operation. known says which tools there are.
func observer(t *telemetry.Telemetry, transport string, known map[string]bool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			o := telemetry.Operation{Method: method, Transport: transport}
			if p := httpserver.PrincipalOf(ctx); p != nil {
				o.Principal = p.Name
			}
			if call, ok := req.(*mcp.CallToolRequest); ok && known[call.Params.Name] {
				o.Tool, o.Args = call.Params.Name, call.Params.Arguments
			}
			about(&o, req)
			ctx, end := t.Begin(ctx, o)
			result, err := next(ctx, method, req)
			end(outcome(result, err))
			return result, err
		}
	}
}

// about reads what a request says of itself.
func about(o *telemetry.Operation, req mcp.Request) {
	if session, ok := req.GetSession().(*mcp.ServerSession); ok {
		if p := session.InitializeParams(); p != nil {
			setVersion(o, p.ProtocolVersion)
		}
	}
	params := req.GetParams()
	if v := reflect.ValueOf(params); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return // a request without parameters has none, in a type of theirs
	}
	meta := params.GetMeta()
	if own, ok := meta[mcp.MetaKeyProtocolVersion].(string); ok {
		setVersion(o, own)
	}
	o.Traceparent, _ = meta["traceparent"].(string)
	o.Tracestate, _ = meta["tracestate"].(string)
}

// setVersion takes only versions that there are: what a client makes up is no
// label.
func setVersion(o *telemetry.Operation, version string) {
	if slices.Contains(mcp.SupportedProtocolVersions(), version) {
		o.Version = version
	}
}

func outcome(result mcp.Result, err error) telemetry.Outcome {
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire) && wire.Code != 0:
		return telemetry.Outcome{Code: int(wire.Code)}
	case err != nil:
		return telemetry.Outcome{Code: jsonrpc.CodeInternalError}
	}
	r, ok := result.(*mcp.CallToolResult)
	if !ok || r == nil {
		return telemetry.Outcome{}
	}
	kind, _ := r.Meta[metaKind].(string)
	return telemetry.Outcome{ToolError: r.IsError, Kind: kind}
}
