package paddock_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paddock"
	"paddock/policy"
)

// recorder keeps events in memory, and fails at the steps it is told to.
type recorder struct {
	mu     sync.Mutex
	events []paddock.Event
	fails  []paddock.Step
	hold   chan struct{} // nothing is kept before it is closed
}

var errDisk = errors.New("disk full at /var/lib/paddock/audit")

func (r *recorder) Record(ctx context.Context, e paddock.Event) error {
	if r.hold != nil {
		<-r.hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.Contains(r.fails, e.Step) {
		return errDisk
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.events = append(r.events, e)
	return nil
}

func (r *recorder) steps() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, e := range r.events {
		all = append(all, string(e.Step))
	}
	return strings.Join(all, " ")
}

const plainPolicy = `
version: 1
permissions: all
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}
`

// The record of each call: what was decided, asked, done, and what came of it.
func TestRecordOfACall(t *testing.T) {
	for _, c := range []struct {
		act, path, text, want string
		ask                   bool
	}{
		{act: "open", path: "a.txt", want: "effect outcome"},
		{act: "list", path: "d", want: "effect outcome"},
		{act: "walk", path: "d", want: "effect outcome"},
		{act: "stat", path: "d", want: "outcome"},
		{act: "write", path: "a.txt", want: "effect outcome"},
		{act: "delete", path: "a.txt", want: "effect outcome"},
		{act: "copy from", path: "a.txt", want: "effect effect outcome"},
		{act: "open", path: "x.env", want: "decided outcome"},
		{act: "write", path: "x.env", want: "decided outcome"},
		{act: "delete", path: "d", want: "outcome"},
		{act: "open", path: "a.txt", ask: true, want: "asked answered effect outcome"},
		{act: "write", path: "a.txt", ask: true, want: "asked answered effect outcome"},
		{act: "delete recursive", path: "d", ask: true, want: "asked answered effect effect effect effect effect outcome"},
		{act: "run in", path: "d", ask: true, want: "asked answered effect effect outcome"},
	} {
		name := c.act + " " + c.path
		if c.ask {
			name += ", asked"
		}
		t.Run(name, func(t *testing.T) {
			text := plainPolicy
			if c.ask {
				text = askPolicy
			}
			book := &recorder{}
			base := tempDir(t)
			askTree(t, base)
			g := guardAt(t, base, text, paddock.Options{Recorder: book, Approver: always(yes, nil)})
			_, err := find(t, g, c.act).run(g, c.path)
			g.Close() // closed again at the end
			if got := book.steps(); got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
			for _, e := range book.events {
				if e.Call == "" || e.Call != book.events[0].Call || e.Agent != "default" || e.Tool != "tool" || e.Time.IsZero() {
					t.Errorf("%+v", e)
				}
				if e.Step == paddock.StepAnswered && (e.By != "test" || e.Verdict != "approve") {
					t.Errorf("%+v", e)
				}
			}
			last := book.events[len(book.events)-1]
			if err != nil && last.Error != err.Error() || err == nil && last.Error != "" || last.Kind != kind(err) {
				t.Errorf("the outcome is %+v of %v", last, err)
			}
			if e := book.events[0]; e.Step == paddock.StepEffect && (e.Real == "" || e.Asked == "" || e.Verdict != "allow" || len(e.Because) == 0) {
				t.Errorf("%+v", e)
			}
			if e := book.events[0]; e.Step == paddock.StepDecided && (e.Real != base+"/ws/x.env" || e.Verdict != "deny" || e.Kind != paddock.PathAccessDenied || e.Because[0].Line != 5) {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Nothing is changed, run or approved that is not in the record first.
func TestNoEffectWithoutRecord(t *testing.T) {
	for _, text := range []string{plainPolicy, askPolicy} {
		for i, a := range acts(nil) {
			if a.right == policy.None {
				continue
			}
			for _, step := range []paddock.Step{paddock.StepAsked, paddock.StepAnswered, paddock.StepEffect} {
				reads := a.right == policy.Read && a.name != "copy from" && a.name != "redirect from"
				if text == plainPolicy && (step != paddock.StepEffect || reads) {
					continue
				}
				t.Run(a.name+" "+string(step), func(t *testing.T) {
					base := tempDir(t)
					askTree(t, base)
					before := tree(t, base)
					who := always(yes, nil)
					g := guardAt(t, base, text, paddock.Options{Recorder: &recorder{fails: []paddock.Step{step}}, Approver: who})
					_, err := acts(g)[i].run(g, askPath(a))
					if err == nil || !errors.Is(err, errDisk) || strings.Contains(err.Error(), "/var") {
						t.Errorf("%v, want the bare word that the record failed", err)
					}
					if step == paddock.StepAsked && len(who.requests) > 0 {
						t.Error("a person was asked all the same")
					}
					if got := tree(t, base); got != before {
						t.Errorf("the tree became\n%s\nit was\n%s", got, before)
					}
				})
			}
		}
	}
}

// A read waits for nobody's disk, and its record is kept all the same.
func TestReadsDoNotWaitForTheRecord(t *testing.T) {
	book := &recorder{hold: make(chan struct{})}
	g, base := guard(t, plainPolicy, paddock.Options{Recorder: book})
	askTree(t, base)
	for range 3 {
		if text, err := read(t, g, "a.txt"); text != "hello" || err != nil {
			t.Fatal(text, err)
		}
	}
	if _, err := read(t, g, "x.env"); kind(err) != paddock.PathAccessDenied {
		t.Error(err)
	}
	close(book.hold)
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(book.events); n != 8 {
		t.Errorf("%d events: %s", n, book.steps())
	}
	perCall := map[string]string{}
	for _, e := range book.events {
		perCall[e.Call] += string(e.Step) + " "
	}
	for id, steps := range perCall {
		if steps != "effect outcome " && steps != "decided outcome " {
			t.Errorf("call %s: %s", id, steps)
		}
	}
}

// slowReads takes its time over the events of reads.
type slowReads struct{ recorder }

func (r *slowReads) Record(ctx context.Context, e paddock.Event) error {
	if e.Rights == policy.Read {
		time.Sleep(20 * time.Millisecond)
	}
	return r.recorder.Record(ctx, e)
}

// What is kept of a call is in the order in which it happened.
func TestRecordKeepsTheOrder(t *testing.T) {
	book := &slowReads{}
	g, base := guard(t, plainPolicy, paddock.Options{Recorder: book})
	askTree(t, base)
	c := g.Begin("copy", nil)
	_, err := c.Copy(context.Background(), "a.txt", "b.txt", false)
	c.End(err)
	if err != nil || len(book.events) != 3 || book.events[0].Rights != policy.Read || book.events[1].Rights != policy.Write || book.events[2].Step != paddock.StepOutcome {
		t.Errorf("%+v %v", book.events, err)
	}
}

// However slow the record, what is read ahead of it has a bound.
func TestBacklogIsBounded(t *testing.T) {
	book := &recorder{hold: make(chan struct{})}
	g, base := guard(t, plainPolicy, paddock.Options{Recorder: book})
	askTree(t, base)
	const reads = 3000 // two events each: more than there is room for
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range reads {
			if _, err := read(t, g, "a.txt"); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	select {
	case <-done:
		t.Error("nothing waited for the record")
	case <-time.After(300 * time.Millisecond):
		// It may still be on its way; that is no failure either.
	}
	close(book.hold)
	<-done
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(book.events); n != 2*reads {
		t.Errorf("%d events are kept, want %d", n, 2*reads)
	}
}

// A failing record of a read changes nothing of the read.
func TestReadsOutliveTheRecord(t *testing.T) {
	g, base := guard(t, plainPolicy, paddock.Options{Recorder: &recorder{fails: []paddock.Step{paddock.StepEffect, paddock.StepOutcome}}})
	askTree(t, base)
	if text, err := read(t, g, "a.txt"); text != "hello" || err != nil {
		t.Error(text, err)
	}
}

// A call whose caller has gone has no effect and leaves its trace.
func TestCanceledCallsAreRecorded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	book := &recorder{}
	g, base := guard(t, plainPolicy, paddock.Options{Recorder: book})
	askTree(t, base)
	before := tree(t, base)
	c := g.Begin("delete", nil)
	_, err := c.Delete(ctx, "d", paddock.DeleteOptions{Recursive: true})
	c.End(err)
	if err == nil || tree(t, base) != before {
		t.Errorf("%v; the tree is\n%s", err, tree(t, base))
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got := book.steps(); got != "outcome" || book.events[0].Error == "" {
		t.Errorf("recorded %s: %+v", got, book.events)
	}
}
