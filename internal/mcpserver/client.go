package mcpserver

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client is an MCP client of the official SDK at the other end of a server
// process. It is what the demo shows the server with.
type Client struct{ session *mcp.ClientSession }

// Reply is what a tool answered.
type Reply struct {
	Text    string
	IsError bool
	Kind    string // of a refusal by the policy
}

// Dial starts a server process and connects to it. It speaks the newest
// version that both know, or the one given. Close ends the process.
func Dial(ctx context.Context, server *exec.Cmd, version string) (*Client, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "paddock-demo", Version: "1"}, nil)
	transport := &mcp.CommandTransport{Command: server, TerminateDuration: 5 * time.Second}
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	return &Client{session}, nil
}

// Tools are the names of the server's tools.
func (c *Client) Tools(ctx context.Context) ([]string, error) {
	list, err := c.session.ListTools(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("listing the tools: %w", err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names, nil
}

// Call calls a tool and waits for its answer.
func (c *Client) Call(ctx context.Context, tool string, args any) (Reply, error) {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return Reply{}, fmt.Errorf("calling %s: %w", tool, err)
	}
	var text []string
	for _, content := range result.Content {
		if t, ok := content.(*mcp.TextContent); ok {
			text = append(text, t.Text)
		}
	}
	kind, _ := result.Meta[metaKind].(string)
	return Reply{strings.Join(text, "\n"), result.IsError, kind}, nil
}

// Close ends the connection and the server.
func (c *Client) Close() error { return c.session.Close() }
