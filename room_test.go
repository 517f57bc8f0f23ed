package paddock_test

import (
	"context"
	"strings"
	"testing"

	"paddock"
)

// Calls that wait for a person hold the content that they change. What they
// hold together is bounded, and is free again after them.
func TestContentOfWaitingCallsIsBounded(t *testing.T) {
	const size = 20 << 20
	began, goOn := make(chan struct{}, 100), make(chan struct{})
	who := &asked{answer: func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		began <- struct{}{}
		<-goOn
		return paddock.Decision{Answer: paddock.Reject}, nil
	}}
	g, base := guard(t, `
version: 1
paths: [{slug: root, path: ws, allowed_permission: read|write, required_permission: write}]
`, paddock.Options{Approver: who})
	text := strings.Repeat("x", size)
	put(t, base+"/ws/large", text)
	edit := func() error {
		c := g.Begin("edit_file", nil)
		_, err := c.Edit(context.Background(), "large", func(old []byte) ([]byte, error) { return old[:len(old)-1], nil })
		c.End(err)
		return err
	}
	replace := func() error { return write(g, "large", text[1:]) }
	// Each holds what is there and what is to be: six of them have room.
	const fit = 6
	ended := make(chan error, fit)
	for i := range fit {
		call := edit
		if i%2 == 1 {
			call = replace
		}
		go func() { ended <- call() }()
		<-began
	}
	for name, call := range map[string]func() error{"edit": edit, "write": replace} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "too much content") {
			t.Errorf("one more %s: %v", name, err)
		}
	}
	close(goOn)
	for range fit {
		if err := <-ended; kind(err) != paddock.ApprovalDenied {
			t.Errorf("one that had room: %v", err)
		}
	}
	for name, call := range map[string]func() error{"edit": edit, "write": replace} {
		if err := call(); kind(err) != paddock.ApprovalDenied {
			t.Errorf("%s, after them: %v", name, err)
		}
	}
}
