package approve_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"paddock"
	"paddock/approve"
	"paddock/policy"
)

const question = "[N] "

var request = paddock.ApprovalRequest{
	Agent: "worker_1", Tool: "write_file", Args: json.RawMessage(`{"path":"/notes.txt","content":"new\n"}`),
	Asked: "write /notes.txt", Target: "/notes.txt", Detail: "--- /notes.txt\n+++ /notes.txt\n@@ -1 +1 @@\n-old\n+new\n",
	Rights:  policy.Write,
	Because: []policy.Because{{File: "paddock.yaml", Line: 12, Text: "required_permission of root: write"}},
	AtLeast: policy.ByPerson,
}

type answer struct {
	d   paddock.Decision
	err error
}

// put asks in the background.
func put(ctx context.Context, a paddock.Approver, r paddock.ApprovalRequest) <-chan answer {
	got := make(chan answer, 1)
	go func() {
		d, err := a.Request(ctx, r)
		got <- answer{d, err}
	}()
	return got
}

func TestTerminalTakesOnlyAClearYes(t *testing.T) {
	edited := `{"path":"/other.txt"}`
	for _, c := range []struct {
		typed  string
		answer paddock.Answer
		reason string
		args   string
	}{
		{"y\n", paddock.Approve, "", ""},
		{" YES \n", paddock.Approve, "", ""},
		{"\n", paddock.Reject, "", ""},
		{"n\n", paddock.Reject, "", ""},
		{"no use the other file\n", paddock.Reject, "use the other file", ""},
		{"yess\n", paddock.Reject, "", ""},
		{"y n\n", paddock.Reject, "", ""},
		{"ok\n", paddock.Reject, "", ""},
		{"approve\n", paddock.Reject, "", ""},
		{"ja\n", paddock.Reject, "", ""},
		{"a it is done already\n", paddock.Respond, "it is done already", ""},
		{"a\n", paddock.Reject, "", ""},
		{"e " + edited + "\n", paddock.Edit, "", edited},
		{"e null\n\n", paddock.Reject, "", ""},
		{"y\x04", paddock.Reject, "", ""}, // end of input in the middle of a line
		{"\x04", paddock.Reject, "", ""},
	} {
		t.Run(c.typed, func(t *testing.T) {
			p := newPTY(t)
			got := put(t.Context(), approve.TerminalAt(p.name), request)
			p.wait(question, 1)
			p.typed(c.typed)
			if strings.HasPrefix(c.typed, "e null") {
				p.wait(question, 2)
				p.typed("\n")
			}
			a := <-got
			if a.err != nil {
				t.Fatal(a.err)
			}
			want := paddock.Decision{Answer: c.answer, Reason: c.reason, Assurance: policy.ByPerson, By: "terminal"}
			if a.d.Answer != want.Answer || a.d.Reason != want.Reason || a.d.Assurance != want.Assurance || a.d.By != want.By || string(a.d.Args) != c.args {
				t.Errorf("typed %q: got %+v, want %+v with arguments %q", c.typed, a.d, want, c.args)
			}
		})
	}
}

func TestTerminalShowsWhatItIsAbout(t *testing.T) {
	p := newPTY(t)
	got := put(t.Context(), approve.TerminalAt(p.name), request)
	p.wait(question, 1)
	p.typed("\n")
	<-got
	for _, want := range []string{"worker_1", "write_file", "write /notes.txt", "paddock.yaml:12: required_permission of root: write", "| -old", "| +new"} {
		if !strings.Contains(p.text(), want) {
			t.Errorf("the question does not show %q:\n%s", want, p.text())
		}
	}
}

func TestTerminalOffersOnlyWhatThePolicyTakes(t *testing.T) {
	r := request
	r.Allowed = []paddock.Answer{paddock.Reject, paddock.Respond}
	for typed, want := range map[string]paddock.Answer{"y\n": paddock.Reject, "e {}\n": paddock.Reject, "a done\n": paddock.Respond} {
		p := newPTY(t)
		got := put(t.Context(), approve.TerminalAt(p.name), r)
		p.wait(question, 1)
		p.typed(typed)
		if a := <-got; a.err != nil || a.d.Answer != want {
			t.Errorf("typed %q: got %v, %v; want %v", typed, a.d.Answer, a.err, want)
		}
		if strings.Contains(p.text(), "y = yes") {
			t.Errorf("the question offers yes, which the policy does not take:\n%s", p.text())
		}
	}
}

// An agent that times its call can make a person's keys, meant for something
// else, answer the question.
func TestTerminalThrowsTypeAheadAway(t *testing.T) {
	for _, ahead := range []string{"y\n", "y", "y\ny\ny\n"} {
		p := newPTY(t)
		p.typed(ahead)
		p.wait("y", 1) // echoed: it is in the terminal's own queue now
		got := put(t.Context(), approve.TerminalAt(p.name), request)
		p.wait(question, 1)
		p.typed("\n")
		if a := <-got; a.err != nil || a.d.Answer != paddock.Reject {
			t.Errorf("typed ahead %q, then Enter: got %v, %v; want a reject", ahead, a.d.Answer, a.err)
		}
	}
}

func TestTerminalEndsWithItsContext(t *testing.T) {
	p := newPTY(t)
	at := approve.TerminalAt(p.name)
	ctx, cancel := context.WithCancel(t.Context())
	got := put(ctx, at, request)
	p.wait(question, 1)
	p.typed("y") // half a line
	cancel()
	if a := <-got; !errors.Is(a.err, context.Canceled) || a.d.Answer != "" {
		t.Errorf("cancelled: got %+v, %v", a.d, a.err)
	}
	p.wait("This question is over", 1)

	got = put(t.Context(), at, request)
	p.wait(question, 2)
	p.typed("\n")
	if a := <-got; a.err != nil || a.d.Answer != paddock.Reject {
		t.Errorf("the half line of the last question answered this one: %+v, %v", a.d, a.err)
	}

	expired, done := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer done()
	if a := <-put(expired, at, request); !errors.Is(a.err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: got %+v, %v", a.d, a.err)
	}
}

func TestTerminalAsksOneAtATime(t *testing.T) {
	p := newPTY(t)
	at := approve.TerminalAt(p.name)
	first := put(t.Context(), at, request)
	p.wait(question, 1)
	other := request
	other.Target = "/second.txt"
	ctx, cancel := context.WithCancel(t.Context())
	second, third := put(t.Context(), at, other), put(ctx, at, other)
	cancel()
	if a := <-third; !errors.Is(a.err, context.Canceled) {
		t.Errorf("a question that waits for its turn cannot be cancelled: %v", a.err)
	}
	if strings.Contains(p.text(), "/second.txt") {
		t.Fatalf("two questions are on the screen at once:\n%s", p.text())
	}
	p.typed("y\n")
	if a := <-first; a.d.Answer != paddock.Approve {
		t.Errorf("first: %+v, %v", a.d, a.err)
	}
	p.wait(question, 2)
	p.typed("\n")
	if a := <-second; a.d.Answer != paddock.Reject {
		t.Errorf("second: %+v, %v", a.d, a.err)
	}
}

func TestConfirmTakesOnlyAClearYes(t *testing.T) {
	for typed, want := range map[string]bool{"y\n": true, "Yes\n": true, "\n": false, "n\n": false, "yes please\n": false, "y\x04": false, "\x04": false} {
		p := newPTY(t)
		p.typed("y\n") // typed ahead
		p.wait("y", 1)
		got := make(chan bool, 1)
		go func() {
			yes, err := approve.TerminalAt(p.name).Confirm(t.Context(), "a \x1b[2J file", "Trust it?")
			if err != nil {
				t.Error(err)
			}
			got <- yes
		}()
		p.wait(question, 1)
		p.typed(typed)
		if yes := <-got; yes != want {
			t.Errorf("typed %q: got %t", typed, yes)
		}
		if strings.Contains(p.text(), "\x1b") || !strings.Contains(p.text(), "Trust it?") {
			t.Errorf("the screen: %q", p.text())
		}
	}
	if yes, err := approve.TerminalAt(os.DevNull).Confirm(t.Context(), "x", "y?"); yes || err == nil {
		t.Errorf("without a terminal: %t, %v", yes, err)
	}
}
