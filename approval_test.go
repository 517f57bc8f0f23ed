package paddock_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

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
		{"timeout told", yes, paddock.ApprovalTimeout, "", "write a.txt (ApprovalTimeout): nobody answered in time"},
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
