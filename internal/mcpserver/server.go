package mcpserver

import (
	"context"
	_ "embed"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/tool"
)

//go:embed instructions.md
var instructions string

// Server serves the tools of one Guard.
type Server struct {
	guard *paddock.Guard
	mcp   *mcp.Server
}

// New makes a server. The list of tools is fixed; version is told to clients.
func New(g *paddock.Guard, tools []tool.Tool, version string) *Server {
	s := &Server{guard: g}
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: "paddock", Title: "Paddock", Version: version},
		&mcp.ServerOptions{
			Instructions: instructions,
			// The tools never change, and there is nothing else to offer.
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			PageSize:     len(tools) + 1,
		},
	)
	s.mcp.AddReceivingMiddleware(onlyOffered)
	for _, t := range tools {
		s.mcp.AddTool(description(t), s.handler(t))
	}
	return s
}

// description is a tool as a client lists it, with all four hints: a client
// would take a missing one for its cautious default, which may not be true.
func description(t tool.Tool) *mcp.Tool {
	d := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.ReadOnly, DestructiveHint: &t.Destructive, IdempotentHint: t.Idempotent, OpenWorldHint: &t.OpenWorld,
		},
	}
	if t.OutputSchema != nil {
		d.OutputSchema = t.OutputSchema
	}
	return d
}

// handler runs a tool. The SDK ends ctx when the client cancels the call or
// goes away. Progress stops before the answer, because the tool has returned.
func (s *Server) handler(t tool.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return answer(t, tool.Run(ctx, s.guard, t, req.Params.Arguments, progress(ctx, req))), nil
	}
}

// Serve talks to one client until the input ends or ctx does. Requests that
// are open at the end of the input are answered if that does not take long.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.mcp.Run(ctx, transport{newConn(in, out)})
}
