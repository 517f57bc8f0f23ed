package tool

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"paddock"
	"paddock/backend"
)

// A search waits for its turn before it opens a file, and gives it back.
func TestSearchesTakeTurns(t *testing.T) {
	m := backend.NewMemory(1 << 20)
	g, err := paddock.NewUnrestricted(m)
	if err != nil {
		t.Fatal(err)
	}
	write, grep := Tool{}, grepFiles()
	for _, one := range Rules() {
		if one.Name == "write_file" {
			write = one
		}
	}
	if r := Run(t.Context(), g, write, json.RawMessage(`{"file_path":"/a","content":"needle"}`), nil); r.IsError {
		t.Fatal(r.Text)
	}
	args := json.RawMessage(`{"pattern":"needle"}`)
	for range 3 * maxSearches { // more than there are turns
		if r := Run(t.Context(), g, grep, args, nil); r.Text != "/a" {
			t.Fatalf("%+v", r)
		}
	}
	turns := make(chan struct{}, 1)
	turns <- struct{}{}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	c := g.Begin("grep", args)
	_, err = runGrep(ctx, c, args, nil, turns)
	c.End(err)
	if err == nil {
		t.Error("a search went on without its turn")
	}
	<-turns // still the other's
	c = g.Begin("grep", args)
	_, err = runGrep(t.Context(), c, args, nil, turns)
	c.End(err)
	if err != nil || len(turns) != 0 {
		t.Errorf("with its turn: %v; %d turns are not given back", err, len(turns))
	}
}
