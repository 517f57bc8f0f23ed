package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// onlyOffered refuses the methods of what the servers here do not have. The SDK
// answers prompts/list and its like with empty lists, whatever the server said
// of itself: a client that asks before it believes would be told two things.
func onlyOffered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		family, _, _ := strings.Cut(method, "/")
		switch family {
		case "prompts", "resources", "completion", "logging":
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "this server has tools and nothing else; it does not offer " + family}
		}
		return next(ctx, method, req)
	}
}
