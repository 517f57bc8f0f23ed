package mcpserver_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock"
	"paddock/approve"
)

func TestCancellationStopsTheWork(t *testing.T) {
	for _, version := range versions {
		w := newWaiting()
		s := serve(t, w)
		session := s.connect(version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "write_file", Arguments: map[string]any{"file_path": "/x.txt", "content": "x"}})
			answered <- err
		}()
		<-w.began
		// A call that waits does not hold up others.
		if r := s.call(session, "ls", map[string]any{"path": "/"}); r.IsError {
			t.Errorf("%s: ls beside a waiting call: %s", version, text(r))
		}
		cancel()
		if err := <-answered; err == nil {
			t.Errorf("%s: the cancelled call was answered", version)
		}
		<-w.ended // or the test never ends
		if _, err := os.Stat(filepath.Join(s.dir, "x.txt")); err == nil {
			t.Errorf("%s: the cancelled call had its effect", version)
		}
		if r := s.call(session, "ls", map[string]any{"path": "/"}); r.IsError {
			t.Errorf("%s: ls after a cancelled call: %s", version, text(r))
		}
	}
}

func TestEndOfInputAnswersWhatIsOpen(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, approve.Callback(func(ctx context.Context, _ paddock.ApprovalRequest) (paddock.Decision, error) {
		<-release
		return paddock.Decision{Answer: paddock.Approve}, nil
	}))
	in := s.lines()
	in.initialize()
	in.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/x.txt","content":"x"}}}`)
	must(t, s.in.Close())
	close(release)
	if got := in.next(); !strings.Contains(got, `"id":5`) || strings.Contains(got, "isError\":true") {
		t.Errorf("after the end of input: %s", got)
	}
	if err := <-s.done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestEndOfInputEndsAWaitingServer(t *testing.T) {
	t.Parallel() // it waits for real seconds
	w := newWaiting()
	s := serve(t, w)
	in := s.lines()
	in.initialize()
	in.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/x.txt","content":"x"}}}`)
	<-w.began
	must(t, s.in.Close())
	go io.Copy(io.Discard, s.out)
	select {
	case <-s.done:
	case <-time.After(30 * time.Second):
		t.Fatal("the server waits for a client that is gone")
	}
	<-w.ended
}
