package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/tool"
)

// metaKind is the key under which a refused call tells its kind to programs.
const metaKind = "paddock/kind"

// answer puts a tool's result in the protocol's form. A denial is a tool
// error: the model reads those and can do something else.
func answer(t tool.Tool, r tool.Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{IsError: r.IsError, Content: []mcp.Content{&mcp.TextContent{Text: r.Text}}}
	for _, image := range r.Images {
		out.Content = append(out.Content, &mcp.ImageContent{MIMEType: image.MIME, Data: image.Data})
	}
	if r.Denied {
		out.Meta = mcp.Meta{metaKind: string(r.Kind)}
	}
	switch {
	case r.Structured != nil && !r.IsError:
		out.StructuredContent = r.Structured
	case t.OutputSchema != nil:
		// A tool that promised structure and has none must not claim success:
		// clients drop such a result. It is a person's answer in place of the
		// tool's, whose text has to reach the model.
		out.IsError = true
	}
	return out
}

// progressEvery is the least time between two notices of one call.
const progressEvery = 100 * time.Millisecond

// progress tells a client how far its call is; nil when it did not ask. The
// protocol wants values that rise.
func progress(ctx context.Context, req *mcp.CallToolRequest) tool.Progress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var mu sync.Mutex
	var last float64
	var sent time.Time
	return func(done, total float64, note string) {
		mu.Lock()
		defer mu.Unlock()
		first := sent.IsZero()
		if !first && (done <= last || time.Since(sent) < progressEvery && done != total) {
			return
		}
		last, sent = done, time.Now()
		// Progress that gets lost is no reason to fail.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: note})
	}
}
