package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The names of the tools that are here and not in package tool: they are about
// the connection and reach no file.
const (
	SessionOpen  = "session_open"
	SessionClose = "session_close"
)

//go:embed session_open.md
var sessionOpenText string

//go:embed session_close.md
var sessionCloseText string

func (f *face) sessionOpen() served {
	no := false
	return served{
		&mcp.Tool{
			Name: SessionOpen, Title: "Open a session", Description: sessionOpenText,
			InputSchema:  json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`),
			OutputSchema: json.RawMessage(`{"type": "object", "properties": {"session": {"type": "string"}, "idle_seconds": {"type": "integer"}}, "required": ["session", "idle_seconds"], "additionalProperties": false}`),
			Annotations:  &mcp.ToolAnnotations{Title: "Open a session", DestructiveHint: &no, OpenWorldHint: &no},
		},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := noMore(req.Params.Arguments); err != nil {
				return failed(err), nil
			}
			handle, idle, err := f.Threads.Open()
			if err != nil {
				return failed(err), nil
			}
			text := fmt.Sprintf("session: %s\nGive it as the argument session to the other tools. It ends when it was not used for %s.", handle, time.Duration(idle)*time.Second)
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: text}},
				StructuredContent: map[string]any{"session": handle, "idle_seconds": idle},
			}, nil
		},
	}
}

func (f *face) sessionClose() served {
	no, yes := false, true
	return served{
		&mcp.Tool{
			Name: SessionClose, Title: "Close a session", Description: sessionCloseText,
			InputSchema: json.RawMessage(`{"type": "object", "properties": {"session": {"type": "string", "description": "A session from session_open."}}, "required": ["session"], "additionalProperties": false}`),
			Annotations: &mcp.ToolAnnotations{Title: "Close a session", DestructiveHint: &yes, OpenWorldHint: &no},
		},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			rest, handle, err := takeSession(req.Params.Arguments)
			if err == nil {
				err = noMore(rest)
			}
			if err == nil && handle == "" {
				err = errors.New("session is missing: the text that session_open returned")
			}
			if err == nil {
				err = f.Threads.Close(handle)
			}
			if err != nil {
				return failed(err), nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "The session is closed, and what was kept in it is gone."}}}, nil
		},
	}
}

// noMore refuses arguments that a tool does not know.
func noMore(args json.RawMessage) (err error) {
	w := walker{text: args}
	w.blank()
	if len(args) == w.at || args[w.at] != '{' {
		return nil
	}
	w.object(func(key string, _ []byte) { err = fmt.Errorf("there is no argument %s", shown(key)) })
	return err
}
