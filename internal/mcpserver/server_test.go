package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/approve"
	"paddock/tool"
)

func TestRealClientsOfEachVersion(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			s := serve(t, approve.AutoAllow)
			session := s.connect(version, nil)
			if got := session.InitializeResult().Instructions; !strings.Contains(got, "Denied:") {
				t.Errorf("instructions: %q", got)
			}
			list, err := session.ListTools(t.Context(), nil)
			must(t, err)
			if len(list.Tools) != len(tool.Rules()) {
				t.Errorf("%d tools are listed, want %d", len(list.Tools), len(tool.Rules()))
			}
			read := s.call(session, "read_file", map[string]any{"file_path": "/notes.txt"})
			if read.IsError || !strings.Contains(text(read), "two") {
				t.Errorf("read: %+v", read)
			}
			denied := s.call(session, "read_file", map[string]any{"file_path": "/.env"})
			if !denied.IsError || !strings.HasPrefix(text(denied), "Denied: ") || denied.Meta["paddock/kind"] != "PathAccessDenied" || strings.Contains(text(denied), s.dir) {
				t.Errorf("denied: %q, %v", text(denied), denied.Meta)
			}
			written := s.call(session, "write_file", map[string]any{"file_path": "/new.txt", "content": "x"})
			if written.IsError {
				t.Errorf("write: %q", text(written))
			}
			must(t, session.Close())
			if err := <-s.done; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
}

func TestToolsAreListedWhole(t *testing.T) {
	// The raw JSON: the client's own types fill in defaults.
	s := serve(t, nil)
	in := s.lines()
	in.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name, Title, Description string
				Annotations              map[string]any
				InputSchema              map[string]any
			}
		}
	}
	must(t, json.Unmarshal([]byte(in.next()), &list))
	for _, tool := range list.Result.Tools {
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint].(bool); !ok {
				t.Errorf("%s: %s is not set: %v", tool.Name, hint, tool.Annotations)
			}
		}
		if tool.Title == "" || tool.Description == "" || tool.InputSchema["type"] != "object" {
			t.Errorf("%s has no title, description or schema", tool.Name)
		}
	}
	if len(list.Result.Tools) != len(tool.Rules()) {
		t.Errorf("%d tools in one page, want %d", len(list.Result.Tools), len(tool.Rules()))
	}
}

func TestStructuredContentMeetsItsSchema(t *testing.T) {
	s := serve(t, approve.AutoAllow)
	session := s.connect("", nil)
	list, err := session.ListTools(t.Context(), nil)
	must(t, err)
	schemas := map[string]any{}
	for _, tool := range list.Tools {
		schemas[tool.Name] = tool.OutputSchema
	}
	for _, c := range []struct {
		name string
		args map[string]any
	}{
		{"ls", map[string]any{"path": "/"}}, {"read_file", map[string]any{"file_path": "/notes.txt"}},
		{"glob", map[string]any{"pattern": "**/*.txt"}}, {"grep", map[string]any{"pattern": "two", "output_mode": "content"}},
		{"write_file", map[string]any{"file_path": "/w.txt", "content": "x"}}, {"edit_file", map[string]any{"file_path": "/w.txt", "old_string": "x", "new_string": "y"}},
	} {
		r := s.call(session, c.name, c.args)
		if r.IsError {
			t.Errorf("%s: %s", c.name, text(r))
			continue
		}
		if schemas[c.name] == nil {
			continue
		}
		if err := meets(schemas[c.name], r.StructuredContent); err != nil {
			t.Errorf("%s: %v\n%v", c.name, err, r.StructuredContent)
		}
	}
}

func meets(schema, value any) error {
	raw, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	return resolved.Validate(value)
}

func TestImagesArePictures(t *testing.T) {
	s := serve(t, nil)
	png := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89")
	must(t, os.WriteFile(filepath.Join(s.dir, "dot.png"), png, 0o644))
	r := s.call(s.connect("", nil), "read_file", map[string]any{"file_path": "/dot.png"})
	for _, c := range r.Content {
		if image, ok := c.(*mcp.ImageContent); ok && image.MIMEType == "image/png" && string(image.Data) == string(png) {
			return
		}
	}
	t.Errorf("no image in %+v (%s)", r, text(r))
}

func TestProgressRises(t *testing.T) {
	s := serve(t, nil)
	for i := range 2100 {
		must(t, os.WriteFile(fmt.Sprintf("%s/f%d", s.dir, i), []byte("x\n"), 0o644))
	}
	var mu sync.Mutex
	var seen []float64
	session := s.connect("", &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		seen = append(seen, r.Params.Progress)
		mu.Unlock()
	}})
	params := &mcp.CallToolParams{Name: "grep", Arguments: map[string]any{"pattern": "nothing like it"}}
	params.SetProgressToken("p")
	r, err := session.CallTool(t.Context(), params)
	must(t, err)
	if r.IsError {
		t.Fatal(text(r))
	}
	must(t, session.Close())
	<-s.done
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 {
		t.Error("a call over 2100 files told no progress")
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] <= seen[i-1] {
			t.Errorf("progress does not rise: %v", seen)
		}
	}
}

// A person's answer in place of a tool's has no structure, which clients of
// tools with an output schema drop unless it is an error.
func TestAnswerInPlaceReachesTheModel(t *testing.T) {
	s := serve(t, approve.Callback(func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		return paddock.Decision{Answer: paddock.Respond, Reason: "it is written already"}, nil
	}))
	r := s.call(s.connect("", nil), "write_file", map[string]any{"file_path": "/x.txt", "content": "x"})
	if !strings.Contains(text(r), "it is written already") || r.StructuredContent == nil && !r.IsError {
		t.Errorf("got %+v (%s)", r, text(r))
	}
}
