package paddock_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

// One question for all that a folder holds.
func TestFolderAsksOnce(t *testing.T) {
	const text = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: all}
  - {slug: nested, path: ws/d/e, allowed_permission: all, required_permission: read}
rules:
  - {operations: [read, write], paths: ["/d/one", "/nested/t*"], mode: interrupt}
`
	tests := map[string]func(c *paddock.Call) error{
		"copy": func(c *paddock.Call) error {
			n, err := c.Copy(context.Background(), "d", "copy", false)
			if n != 3 {
				t.Errorf("copied %d files", n)
			}
			return err
		},
		"walk": func(c *paddock.Call) error {
			return c.Walk(context.Background(), "d", paddock.WalkOptions{}, func(v *paddock.Visit) error {
				if v.Kind != paddock.KindFile {
					return nil
				}
				f, err := v.Open(context.Background())
				if err != nil {
					return err
				}
				return f.Close()
			})
		},
		"walk of all mounts": func(c *paddock.Call) error {
			return c.Walk(context.Background(), "/", paddock.WalkOptions{Mounts: true}, func(*paddock.Visit) error { return nil })
		},
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			who := always(yes, nil)
			base := tempDir(t)
			askTree(t, base)
			g := guardAt(t, base, text, paddock.Options{Approver: who})
			c := g.Begin("tool", nil)
			err := do(c)
			c.End(err)
			if err != nil {
				t.Error(err)
			}
			if len(who.requests) != 1 {
				t.Errorf("%d questions, want 1", len(who.requests))
			}
		})
	}
}

func TestDeleteOfFolderAsksOnce(t *testing.T) {
	const text = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: all}
rules:
  - {operations: [write], paths: ["/d/**"], mode: interrupt}
`
	who := always(yes, nil)
	g, base := guard(t, text, paddock.Options{Approver: who})
	askTree(t, base)
	if n, err := remove(g, "d", true); n != 5 || err != nil {
		t.Errorf("removed %d: %v", n, err)
	}
	if len(who.requests) != 1 {
		t.Fatalf("%d questions, want 1", len(who.requests))
	}
	if r := who.requests[0]; !strings.Contains(r.Asked, "/d/e/three") {
		t.Errorf("asked %q", r.Asked)
	}
}

// The question shows what will happen: the change, and who asks what by which
// line.
func TestQuestionShowsTheChange(t *testing.T) {
	who := always(yes, nil)
	g, base := guard(t, "version: 1\nname: coder\npaths:\n  - slug: root\n    path: ws\n    allowed_permission: all\n    required_permission: write\n", paddock.Options{Approver: who})
	askTree(t, base)
	c := g.Begin("edit_file", json.RawMessage(`{"path":"a.txt"}`))
	_, err := c.Edit(context.Background(), "to-a", func([]byte) ([]byte, error) { return []byte("good bye"), nil })
	c.End(err)
	if err != nil || len(who.requests) != 1 {
		t.Fatal(err, len(who.requests))
	}
	r := who.requests[0]
	if r.Agent != "coder" || r.Tool != "edit_file" || string(r.Args) != `{"path":"a.txt"}` || r.Asked != "edit to-a" || r.Target != "/a.txt" ||
		r.Rights != policy.Read|policy.Write || r.AtLeast != policy.ByProgram {
		t.Errorf("%+v", r)
	}
	for _, want := range []string{"-hello", "+good bye"} {
		if !strings.Contains(r.Detail, want) {
			t.Errorf("the detail has no %q:\n%s", want, r.Detail)
		}
	}
	if len(r.Because) != 1 || r.Because[0].Line != 7 {
		t.Errorf("because %+v", r.Because)
	}
}

// interrupt_on asks for a tool, and its false lifts nothing else.
func TestInterruptOn(t *testing.T) {
	const text = `
version: 1
paths: [{slug: root, path: ws, allowed_permission: all}]
rules: [{operations: [write], paths: ["/movable"], mode: interrupt}]
interrupt_on: {delete: true, write_file: false, ls: {allowed_decisions: [approve]}}
`
	who := always(yes, nil)
	g, base := guard(t, text, paddock.Options{Approver: who})
	askTree(t, base)
	ask := func(what string, want int, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if len(who.requests) != want {
			t.Errorf("%s: %d questions, want %d", what, len(who.requests), want)
		}
		who.requests = nil
	}
	_, err := remove(g, "a.txt", false)
	ask("a gated tool", 1, err)
	ask("a tool with false", 0, write(g, "d/one", "x"))
	ask("its interrupt rule", 1, write(g, "movable", "x"))
	_, err = list(g, "d")
	ask("a reading tool", 1, err)
	c := g.Begin("delete", nil)
	_, err = c.Delete(context.Background(), "d/one", paddock.DeleteOptions{})
	_, err2 := c.Delete(context.Background(), "d/two", paddock.DeleteOptions{})
	c.End(err)
	ask("two needs of one call", 1, errors.Join(err, err2))
}

// A worker's request is judged by its parents too, and its own approver asked.
func TestWorkersAsk(t *testing.T) {
	const text = `
version: 1
permissions: all
paths: [{slug: root, path: ws, allowed_permission: all, required_permission: delete}]
approval: {at_least: {delete: person}}
interrupt_on: {delete: {allowed_decisions: [approve, reject]}}
workers:
  helper: {require_approval_for: none, interrupt_on: {delete: false}}
`
	parent, child := always(yes, nil), always(paddock.Decision{Answer: paddock.Approve, Assurance: policy.ByHost}, nil)
	g, base := guard(t, text, paddock.Options{Approver: parent})
	askTree(t, base)
	w, err := g.Worker("helper", child)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remove(w, "a.txt", false); kind(err) != paddock.ApprovalDenied {
		t.Errorf("an answer by a host: %v", err)
	}
	if len(child.requests) != 1 || len(parent.requests) != 0 || child.requests[0].Agent != "helper" || len(child.requests[0].Allowed) != 2 {
		t.Fatalf("the child was asked %+v, the parent %d times", child.requests, len(parent.requests))
	}
	child.answer = always(yes, nil).answer
	if _, err := remove(w, "a.txt", false); err != nil {
		t.Error(err)
	}
	none, err := g.Worker("helper", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remove(none, "movable", false); kind(err) != paddock.ApprovalDenied {
		t.Errorf("a worker without an approver: %v", err)
	}
	if _, err := g.Worker("nosuch", nil); err == nil {
		t.Error("a worker that the policy does not name")
	}
}
