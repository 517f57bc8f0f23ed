package paddock_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"paddock"
	"paddock/policy"
)

// asked is an Approver that remembers what it was asked.
type asked struct {
	mu       sync.Mutex
	requests []paddock.ApprovalRequest
	answer   func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error)
}

func (a *asked) Request(ctx context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	a.mu.Lock()
	a.requests = append(a.requests, r)
	a.mu.Unlock()
	return a.answer(ctx, r)
}

var yes = paddock.Decision{Answer: paddock.Approve, Assurance: policy.ByPerson, By: "test"}

// always gives one answer.
func always(d paddock.Decision, err error) *asked {
	return &asked{answer: func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) { return d, err }}
}

// after does something to the tree while the question stands, then says yes.
func after(do func()) *asked {
	return &asked{answer: func(context.Context, paddock.ApprovalRequest) (paddock.Decision, error) {
		do()
		return yes, nil
	}}
}

const askPolicy = `
version: 1
permissions: all
require_approval_for: all
paths:
  - {slug: root, path: ws, allowed_permission: all}
allowed_commands: ["*"]
approval: {timeout: 1h}
`

func askTree(t testing.TB, base string) {
	for name, text := range map[string]string{"a.txt": "hello", "movable": "m", "d/one": "1", "d/two": "2", "d/e/three": "3"} {
		put(t, base+"/ws/"+name, text)
	}
	link(t, "a.txt", base+"/ws/to-a")
}

// askPath is a path on which an act would succeed.
func askPath(a act) string {
	switch a.name {
	case "list", "walk", "run in", "delete recursive", "authorize execute":
		return "d"
	case "create", "mkdir", "move to", "copy to":
		return "new"
	case "mkdir parents":
		return "n/e/w"
	default:
		return "a.txt"
	}
}

// Each call that needs a right which needs approval puts one question, and
// goes on only after a yes.
func TestEachCallAsksOnce(t *testing.T) {
	for i, a := range acts(nil) {
		if a.right == policy.None {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			base := tempDir(t)
			askTree(t, base)
			before := tree(t, base)
			who := always(yes, nil)
			g := guardAt(t, base, askPolicy, paddock.Options{Approver: who})
			if _, err := acts(g)[i].run(g, askPath(a)); err != nil {
				t.Fatal(err)
			}
			if len(who.requests) != 1 {
				t.Fatalf("%d questions, want 1", len(who.requests))
			}
			r := who.requests[0]
			if r.Agent != "default" || r.Asked == "" || r.Rights&a.right != a.right || len(r.Because) == 0 || r.Deadline.IsZero() {
				t.Errorf("the question is %+v", r)
			}
			if r.Because[0].Line != 4 {
				t.Errorf("because %+v, want line 4", r.Because)
			}

			removeAll(t, base+"/ws")
			askTree(t, base)
			nobody := guardAt(t, base, askPolicy, paddock.Options{})
			if _, err := acts(nobody)[i].run(nobody, askPath(a)); kind(err) != paddock.ApprovalDenied {
				t.Errorf("with nobody to ask: %v", err)
			}
			if got := tree(t, base); got != before {
				t.Errorf("with nobody to ask the tree became\n%s\nit was\n%s", got, before)
			}
		})
	}
}

// A yes holds for one call.
func TestYesIsUsedOnce(t *testing.T) {
	who := always(yes, nil)
	g, base := guard(t, askPolicy, paddock.Options{Approver: who})
	askTree(t, base)
	for n := 1; n <= 3; n++ {
		if err := write(g, "a.txt", strings.Repeat("x", n)); err != nil {
			t.Fatal(err)
		}
		if len(who.requests) != n {
			t.Errorf("after %d writes %d questions", n, len(who.requests))
		}
	}
}

// Only a clear yes, in time and of enough assurance, is one.
func TestAnswers(t *testing.T) {
	args := json.RawMessage(`{"other":1}`)
	failure := errors.New("dial tcp 10.1.2.3:443 /srv/inbox.sock: refused")
	for _, c := range []struct {
		name   string
		answer paddock.Decision
		err    error
		extra  string // of the policy
		want   string // "" for a yes
	}{
		{"approve", yes, nil, "", ""},
		{"reject", paddock.Decision{Answer: paddock.Reject, Reason: "not today", Assurance: policy.ByPerson}, nil, "", "write a.txt (ApprovalDenied): rejected: not today"},
		{"reject without a word", paddock.Decision{Answer: paddock.Reject, Assurance: policy.ByPerson}, nil, "", "write a.txt (ApprovalDenied): rejected"},
		{"edit", paddock.Decision{Answer: paddock.Edit, Args: args, Assurance: policy.ByPerson}, nil, "", "the approver changed the arguments of the call"},
		{"respond", paddock.Decision{Answer: paddock.Respond, Reason: "done by hand", Assurance: policy.ByPerson}, nil, "", "the approver answered in place of the tool"},
		{"nothing", paddock.Decision{}, nil, "", "write a.txt (ApprovalDenied): the answer came by nobody, and the policy wants at least program"},
		{"no answer by a person", paddock.Decision{Assurance: policy.ByPerson}, nil, "", "write a.txt (ApprovalDenied): no clear answer was given"},
		{"an unknown word", paddock.Decision{Answer: "yes", Assurance: policy.ByPerson}, nil, "", "write a.txt (ApprovalDenied): no clear answer was given"},
		{"an unknown assurance", paddock.Decision{Answer: paddock.Approve, Assurance: "certain"}, nil, "", "write a.txt (ApprovalDenied): the answer came by certain, and the policy wants at least program"},
		{"yes with an error", yes, failure, "", "write a.txt (ApprovalDenied): no answer could be had: the way to ask failed"},
		{"timeout told", yes, paddock.ApprovalTimeout, "", "write a.txt (ApprovalTimeout): nobody answered within 1h0m0s"},
		{"too weak", paddock.Decision{Answer: paddock.Approve, Assurance: policy.ByProgram}, nil, "  at_least: {write: host}\n", "write a.txt (ApprovalDenied): the answer came by program, and the policy wants at least host"},
		{"strong enough", paddock.Decision{Answer: paddock.Approve, Assurance: policy.ByHost}, nil, "  at_least: {write: host, delete: person}\n", ""},
		{"not allowed", paddock.Decision{Answer: paddock.Edit, Args: args, Assurance: policy.ByPerson}, nil, "interrupt_on: {write_file: {allowed_decisions: [approve, reject]}}\n", `write a.txt (ApprovalDenied): the policy does not take "edit" as an answer here`},
		{"allowed", yes, nil, "interrupt_on: {write_file: {allowed_decisions: [approve, reject]}}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(askPolicy, "approval: {timeout: 1h}\n", "approval:\n  timeout: 1h\n"+c.extra, 1)
			who := always(c.answer, c.err)
			g, base := guard(t, text, paddock.Options{Approver: who})
			askTree(t, base)
			err := write(g, "a.txt", "changed")
			want := "hello"
			if c.want == "" {
				want = "changed"
			}
			if got := content(t, base+"/ws/a.txt"); got != want {
				t.Errorf("the file holds %q", got)
			}
			if got := said(err); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			var edited *paddock.Edited
			if c.name == "edit" && (!errors.As(err, &edited) || string(edited.Args) != string(args)) {
				t.Errorf("edited to %+v", edited)
			}
			var responded *paddock.Responded
			if c.name == "respond" && (!errors.As(err, &responded) || responded.Text != "done by hand") {
				t.Errorf("responded %+v", responded)
			}
		})
	}
}

// said is an error's text without the line of the policy.
func said(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if i := strings.Index(text, ", policy line "); i >= 0 {
		if j := strings.IndexByte(text[i:], ')'); j >= 0 {
			text = text[:i] + text[i+j:]
		}
	}
	return text
}

// Silence is no yes, and neither is a yes that comes too late.
func TestNoAnswerInTime(t *testing.T) {
	for name, late := range map[string]paddock.Decision{"silence": {}, "late yes": yes} {
		t.Run(name, func(t *testing.T) {
			who := &asked{answer: func(ctx context.Context, _ paddock.ApprovalRequest) (paddock.Decision, error) {
				<-ctx.Done()
				if late.Answer == "" {
					return late, ctx.Err()
				}
				return late, nil
			}}
			g, base := guard(t, strings.Replace(askPolicy, "1h", "20ms", 1), paddock.Options{Approver: who})
			askTree(t, base)
			if err := write(g, "a.txt", "changed"); kind(err) != paddock.ApprovalTimeout || !errors.Is(err, paddock.ApprovalTimeout) {
				t.Errorf("%v, want a timeout", err)
			}
			if got := content(t, base+"/ws/a.txt"); got != "hello" {
				t.Errorf("the file holds %q", got)
			}
		})
	}
}

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
