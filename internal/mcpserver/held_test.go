package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"
)

// Requests that wait for a person hold their content: what they hold together
// is bounded, and smaller ones are still taken.
func TestWhatOpenRequestsHoldIsBounded(t *testing.T) {
	w := newWaiting()
	s := serve(t, w)
	in := s.lines()
	in.initialize()
	const size, fit = 30 << 20, 4
	content := strings.Repeat("x", size)
	go func() {
		for i := range fit + 1 {
			fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/f%d.txt","content":"%s"}}}`+"\n", i, i, content)
		}
	}()
	if got := in.next(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"error"`, fit)) || !strings.Contains(got, "hold too much") {
		t.Errorf("one more large request: %.200s", got)
	}
	in.send(`{"jsonrpc":"2.0","id":100,"method":"ping"}`)
	if got := in.next(); got != `{"jsonrpc":"2.0","id":100,"result":{}}` {
		t.Errorf("a small request: %.200s", got)
	}
	for range fit {
		<-w.began
	}
	in.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
	if got := in.next(); !strings.Contains(got, `"id":0,`) {
		t.Errorf("the cancelled one: %.200s", got)
	}
	go fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":101,"method":"tools/call","params":{"name":"write_file","arguments":{"file_path":"/f.txt","content":"%s"}}}`+"\n", content)
	<-w.began // there is room again
}
