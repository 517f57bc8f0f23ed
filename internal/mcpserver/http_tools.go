package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/tool"
)

// served is a tool as one principal sees it.
type served struct {
	description *mcp.Tool
	handler     mcp.ToolHandler
}

// all are the tools of a face: those it was given, and those of its sessions.
func (f *face) all() ([]served, error) {
	if len(f.Tools) == 0 && f.Threads == nil {
		return nil, errNoTools
	}
	var all []served
	for _, t := range f.Tools {
		d := description(t)
		if f.Threads != nil {
			schema, err := withSession(t.InputSchema)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name, err)
			}
			d.InputSchema = schema
		}
		all = append(all, served{d, f.handler(t)})
	}
	if f.Threads != nil {
		all = append(all, f.sessionOpen(), f.sessionClose())
	}
	return all, nil
}

// handler runs a tool with the Guard of the session that the call names. The
// SDK ends ctx when the client is gone.
func (f *face) handler(t tool.Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		g, args, done, err := f.guardOf(req.Params.Arguments)
		if err != nil {
			return failed(err), nil
		}
		defer done()
		return answer(t, tool.Run(ctx, g, t, args, progress(ctx, req))), nil
	}
}

// guardOf finds the Guard of a call, and the arguments that are left for the
// tool.
func (f *face) guardOf(args json.RawMessage) (*paddock.Guard, json.RawMessage, func(), error) {
	if f.Threads == nil {
		return f.Guard, args, func() {}, nil
	}
	args, handle, err := takeSession(args)
	if err != nil {
		return nil, nil, nil, err
	}
	if handle == "" {
		return f.Guard, args, func() {}, nil
	}
	g, done, err := f.Threads.Use(handle)
	return g, args, done, err
}

// failed is an error that the model reads.
func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "Error: " + err.Error()}}}
}

// argSession names the session of a call among the arguments of its tool.
const argSession = "session"

// sessionProperty describes it to the model.
const sessionProperty = `{"type": "string", "description": "A session from session_open. Leave it out to work in the session that all calls without one share."}`

var errSessionTaken = errors.New("it has an argument named session already")

// withSession adds the session to the schema of a tool's arguments, and leaves
// the order of the others alone, which models heed.
func withSession(schema json.RawMessage) (json.RawMessage, error) {
	var out bytes.Buffer
	var err error
	found := false
	w := walker{text: schema}
	w.blank()
	w.object(func(key string, value []byte) {
		if key != "properties" {
			writeMember(&out, key, value)
			return
		}
		found = true
		var properties bytes.Buffer
		p := walker{text: value}
		p.object(func(key string, value []byte) {
			if key == argSession {
				err = errSessionTaken
			}
			writeMember(&properties, key, value)
		})
		writeMember(&properties, argSession, []byte(sessionProperty))
		writeMember(&out, key, object(&properties))
	})
	if !found {
		writeMember(&out, "properties", []byte(`{"session": `+sessionProperty+`}`))
	}
	return object(&out), err
}

// takeSession takes the session out of a tool's arguments; handle is "" when
// there is none. The arguments are an object or missing: examine saw to that,
// and that no key is there twice.
func takeSession(args json.RawMessage) (rest json.RawMessage, handle string, err error) {
	w := walker{text: args}
	w.blank()
	if len(args) == w.at || args[w.at] != '{' {
		return args, "", nil
	}
	var out bytes.Buffer
	found := false
	w.object(func(key string, value []byte) {
		if key != argSession {
			writeMember(&out, key, value)
			return
		}
		found = true
		if json.Unmarshal(value, &handle) != nil || handle == "" {
			err = errors.New("session must be the text that session_open returned")
		}
	})
	if !found {
		return args, "", nil
	}
	return object(&out), handle, err
}

func writeMember(out *bytes.Buffer, key string, value []byte) {
	if out.Len() > 0 {
		out.WriteByte(',')
	}
	name, err := json.Marshal(key)
	if err != nil {
		return // not so: it was a key
	}
	out.Write(name)
	out.WriteByte(':')
	out.Write(value)
}

func object(members *bytes.Buffer) json.RawMessage {
	return append(append([]byte{'{'}, members.Bytes()...), '}')
}
