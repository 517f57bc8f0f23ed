package paddock_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"paddock"
)

// Who goes away takes his request with him, whatever the answer.
func TestCancelWhileAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	who := after(cancel)
	book := &recorder{}
	g, base := guard(t, askPolicy, paddock.Options{Approver: who, Recorder: book})
	askTree(t, base)
	c := g.Begin("write_file", nil)
	_, err := c.Write(ctx, "a.txt", []byte("changed"), paddock.WriteOptions{Replace: true})
	c.End(err)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want canceled", err)
	}
	if got := content(t, base+"/ws/a.txt"); got != "hello" {
		t.Errorf("the file holds %q", got)
	}
	if got, want := book.steps(), "asked answered outcome"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	for _, e := range book.events[1:] {
		if !strings.Contains(e.Error, "canceled") {
			t.Errorf("%s: the error is %q", e.Step, e.Error)
		}
	}
}

// What changes while a person thinks is not what he agreed to.
func TestChangeWhileAsked(t *testing.T) {
	replace := func(t *testing.T, base string) {
		put(t, base+"/new", "other")
		if err := os.Rename(base+"/new", base+"/ws/a.txt"); err != nil {
			t.Fatal(err)
		}
	}
	grow := func(t *testing.T, base string) { put(t, base+"/ws/a.txt", "hello and more") }
	gone := func(t *testing.T, base string) { removeAll(t, base+"/ws/a.txt") }
	toLink := func(t *testing.T, base string) {
		removeAll(t, base+"/ws/a.txt")
		link(t, "movable", base+"/ws/a.txt")
	}
	appears := func(t *testing.T, base string) { put(t, base+"/ws/new", "theirs") }
	below := func(t *testing.T, base string) { put(t, base+"/ws/d/e/four", "4") }
	retarget := func(t *testing.T, base string) {
		removeAll(t, base+"/ws/to-a")
		link(t, "movable", base+"/ws/to-a")
	}
	for _, c := range []struct {
		act, path, change string
		do                func(*testing.T, string)
	}{
		{"open", "a.txt", "replaced", replace}, {"open", "a.txt", "gone", gone}, {"open", "a.txt", "a link now", toLink},
		{"open", "to-a", "another target", retarget}, {"open", "to-a", "target replaced", replace},
		{"write", "a.txt", "replaced", replace}, {"write", "a.txt", "grown", grow}, {"write", "a.txt", "gone", gone}, {"write", "a.txt", "a link now", toLink},
		{"write", "to-a", "another target", retarget}, {"create", "new", "appeared", appears}, {"mkdir", "new", "appeared", appears},
		{"edit", "a.txt", "replaced", replace}, {"edit", "a.txt", "grown", grow}, {"edit", "a.txt", "gone", gone},
		{"delete", "a.txt", "replaced", replace}, {"delete", "a.txt", "grown", grow}, {"delete", "a.txt", "a link now", toLink},
		{"delete recursive", "d", "more in it", below},
		{"move from", "a.txt", "replaced", replace}, {"move from", "a.txt", "grown", grow}, {"move from", "d", "more in it", below}, {"move to", "new", "appeared", appears},
		{"copy from", "a.txt", "replaced", replace}, {"copy from", "d", "more in it", below}, {"copy to", "new", "appeared", appears}, {"copy to", "a.txt", "grown", grow},
		{"authorize write", "a.txt", "replaced", replace}, {"authorize execute", "a.txt", "grown", grow},
		{"redirect to", "a.txt", "grown", grow}, {"redirect from", "a.txt", "replaced", replace},
	} {
		t.Run(c.act+", "+c.path+" "+c.change, func(t *testing.T) {
			base := tempDir(t)
			askTree(t, base)
			var changed string
			who := after(func() {
				c.do(t, base)
				changed = tree(t, base+"/ws")
			})
			g := guardAt(t, base, askPolicy, paddock.Options{Approver: who})
			_, err := find(t, g, c.act).run(g, c.path)
			if !errors.Is(err, paddock.ErrSwapped) {
				t.Errorf("%v, want %v", err, paddock.ErrSwapped)
			}
			if got := tree(t, base+"/ws"); got != changed {
				t.Errorf("the tree became\n%s\nit was\n%s", got, changed)
			}
			if len(who.requests) != 1 {
				t.Errorf("%d questions: a second one would be about another tree", len(who.requests))
			}
		})
	}
}

func find(t *testing.T, g *paddock.Guard, name string) act {
	t.Helper()
	for _, a := range acts(g) {
		if a.name == name {
			return a
		}
	}
	t.Fatalf("no act %s", name)
	return act{}
}

// Nothing is locked while a person is asked: he may look, and change the very
// file.
func TestNothingIsLockedWhileAsked(t *testing.T) {
	base := tempDir(t)
	askTree(t, base)
	free := guardAt(t, base, "version: 1\npaths: [{slug: root, path: ws, allowed_permission: all}]\n", paddock.Options{})
	var inner error
	who := after(func() {
		c := free.Begin("edit_file", nil)
		_, inner = c.Edit(context.Background(), "a.txt", func([]byte) ([]byte, error) { return []byte("his"), nil })
		c.End(inner)
	})
	g := guardAt(t, base, askPolicy, paddock.Options{Approver: who})
	done := make(chan error, 1)
	go func() {
		c := g.Begin("edit_file", nil)
		_, err := c.Edit(context.Background(), "a.txt", func([]byte) ([]byte, error) { return []byte("mine"), nil })
		c.End(err)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, paddock.ErrSwapped) || inner != nil {
			t.Errorf("%v and %v", err, inner)
		}
	case <-time.After(time.Minute):
		t.Fatal("an edit waits for a question")
	}
	if got := content(t, base+"/ws/a.txt"); got != "his" {
		t.Errorf("the file holds %q", got)
	}
}
