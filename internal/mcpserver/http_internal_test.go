package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// recorder tells of each flush.
type recorder struct {
	*httptest.ResponseRecorder
	flushed chan struct{}
}

func (r recorder) Flush() {
	r.ResponseRecorder.Flush()
	select {
	case r.flushed <- struct{}{}:
	default:
	}
}

func TestAClientThatWaitsGetsSignsOfLife(t *testing.T) {
	w := recorder{httptest.NewRecorder(), make(chan struct{}, 100)}
	request, gone := context.WithCancel(t.Context())
	defer gone()
	s := &stream{request: request, w: w, every: time.Millisecond}
	ctx := context.WithValue(t.Context(), streamKey{}, s)
	_, err := kept(func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-w.flushed
		<-w.flushed
		gone() // and the call ends with its request
		<-ctx.Done()
		return nil, ctx.Err()
	})(ctx, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the tool ended with %v", err)
	}
	s.tick() // as if the timer had been faster than its end
	sent := w.Body.String()
	for event := range strings.SplitSeq(strings.TrimSuffix(sent, "\n\n"), "\n\n") {
		if !strings.HasPrefix(event, ":") || strings.Contains(event, "\n") {
			t.Errorf("no comment: %q", event)
		}
	}
	if n := strings.Count(sent, "\n\n"); n < 2 {
		t.Errorf("%d signs of life", n)
	}
	before := w.Body.Len()
	s.tick()
	if w.Body.Len() != before {
		t.Error("there is a sign of life after the end")
	}
}

func TestTheSessionIsAddedToASchema(t *testing.T) {
	for given, want := range map[string]string{
		`{"type": "object", "properties": {"b": {"type": "string"}, "a": {}}, "required": ["b"]}`: `{"type":"object","properties":{"b":{"type": "string"},"a":{},"session":` + sessionProperty + `},"required":["b"]}`,
		` {"type":"object","properties":{}}`:                                                      `{"type":"object","properties":{"session":` + sessionProperty + `}}`,
		`{"type":"object"}`:                                                                       `{"type":"object","properties":{"session": ` + sessionProperty + `}}`,
		`{}`:                                                                                      `{"properties":{"session": ` + sessionProperty + `}}`,
	} {
		got, err := withSession(json.RawMessage(given))
		if err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("%s: got %s, %v", given, got, err)
		}
	}
	if _, err := withSession(json.RawMessage(`{"properties":{"session":{}}}`)); !errors.Is(err, errSessionTaken) {
		t.Errorf("a tool with a session of its own: %v", err)
	}
}

func TestTheSessionIsTakenOutOfArguments(t *testing.T) {
	for given, want := range map[string][2]string{
		`{"path":"/a","session":"S","x":[1, 2]}`:  {`{"path":"/a","x":[1, 2]}`, "S"},
		`{"session":"S"}`:                         {`{}`, "S"},
		` { "session" : "\u0053" , "a\u0062":1 }`: {`{"ab":1}`, "S"},
		`{"path":  "/a"}`:                         {`{"path":  "/a"}`, ""},
		`{"a":{"session":"inner"}}`:               {`{"a":{"session":"inner"}}`, ""},
		`{}`:                                      {`{}`, ""},
		`null`:                                    {`null`, ""},
		``:                                        {``, ""},
	} {
		rest, handle, err := takeSession(json.RawMessage(given))
		if err != nil || string(rest) != want[0] || handle != want[1] {
			t.Errorf("%s: got %s, %q, %v", given, rest, handle, err)
		}
	}
	for _, given := range []string{`{"session":""}`, `{"session":null}`, `{"session":1}`, `{"session":{}}`, `{"session":["S"]}`} {
		if rest, handle, err := takeSession(json.RawMessage(given)); err == nil {
			t.Errorf("%s: got %s, %q", given, rest, handle)
		}
	}
}

func TestFacesThatCannotBe(t *testing.T) {
	if _, err := NewHTTP(map[string]Face{"nobody": {}}, "1"); !errors.Is(err, errNoTools) {
		t.Errorf("a face without tools: %v", err)
	}
}
