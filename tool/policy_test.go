package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
	"paddock/tool"
)

// closed is a policy with something denied in each way.
const closed = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: [".env", "private/"]}
  - {slug: ref, path: ref, allowed_permission: read}
rules:
  - {operations: [read], paths: ["/secrets/**", "/inbox.txt"], mode: deny}
`

func closedWorld(t *testing.T) *world {
	w := newWorld(t, closed, paddock.Options{})
	w.put("ws/public/a.txt", "keyword here\n")
	w.put("ws/.env", "keyword CANARY\n")
	w.put("ws/private/x.txt", "keyword CANARY\n")
	w.put("ws/secrets/b.txt", "keyword CANARY\n")
	w.put("ref/r.txt", "keyword there\n")
	return w
}

func TestDenied(t *testing.T) {
	w := closedWorld(t)
	before := string(snapshot(t, w.base))
	for _, c := range []struct {
		tool, args string
		kind       policy.Kind
	}{
		{"read_file", `{"file_path":"/.env"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/public/../.env"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/private/x.txt"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/private/none.txt"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/secrets/b.txt"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/secrets//b.txt"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"/public/../../ref/../../etc/passwd"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"~/.profile"}`, policy.PathAccessDenied},
		{"read_file", `{"file_path":"C:\\x"}`, policy.PathAccessDenied},
		{"read_file", "{\"file_path\":\"/a\\u0000b\"}", policy.PathAccessDenied},
		{"read_file", `{"file_path":""}`, policy.PathAccessDenied},
		{"ls", `{"path":"/private"}`, policy.PathAccessDenied},
		{"ls", `{"path":"/secrets"}`, policy.PathAccessDenied},
		{"glob", `{"pattern":"*","path":"/private"}`, policy.PathAccessDenied},
		{"grep", `{"pattern":"keyword","path":"/.env"}`, policy.PathAccessDenied},
		{"grep", `{"pattern":"keyword","path":"/secrets"}`, policy.PathAccessDenied},
		{"write_file", `{"file_path":"/.env","content":"x"}`, policy.PathAccessDenied},
		{"write_file", `{"file_path":"/sub/.env","content":"x"}`, policy.PathAccessDenied},
		{"write_file", `{"file_path":"/private/new/x.txt","content":"x"}`, policy.PathAccessDenied},
		{"write_file", `{"file_path":"/ref/new.txt","content":"x"}`, policy.PermissionDenied},
		{"edit_file", `{"file_path":"/.env","old_string":"nope","new_string":"x"}`, policy.PathAccessDenied},
		{"edit_file", `{"file_path":"/secrets/b.txt","old_string":"nope","new_string":"x"}`, policy.PathAccessDenied},
		{"edit_file", `{"file_path":"/ref/r.txt","old_string":"nope","new_string":"x"}`, policy.PermissionDenied},
		{"delete", `{"path":"/ref/r.txt"}`, policy.PermissionDenied},
		{"delete", `{"path":"/private"}`, policy.PathAccessDenied},
		{"delete", `{"path":"/"}`, policy.PathAccessDenied},
		{"delete", `{"path":"/ref"}`, policy.PermissionDenied},
	} {
		r := w.call(c.tool, c.args)
		if !r.Denied || r.Kind != c.kind && c.args != `{"path":"/ref"}` {
			t.Errorf("%s %s: %s (%s)", c.tool, c.args, r.Text, r.Kind)
		}
		if strings.Contains(r.Text, "CANARY") {
			t.Errorf("%s %s tells: %s", c.tool, c.args, r.Text)
		}
	}
	if after := string(snapshot(t, w.base)); after != before {
		t.Errorf("the tree was\n%s\nand is\n%s", before, after)
	}
}

// TestHiddenNamesLeaveNoTrace compares the answers over a tree with hidden
// files and over one without.
func TestHiddenNamesLeaveNoTrace(t *testing.T) {
	full, bare := closedWorld(t), closedWorld(t)
	for _, name := range []string{".env", "private"} {
		if err := os.RemoveAll(filepath.Join(bare.base, "ws", name)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		full.put(fmt.Sprintf("ws/private/%d.txt", i), "hit keyword\n")
	}
	for _, w := range []*world{full, bare} {
		w.put("ws/zz.txt", "hit\n")
	}
	for _, c := range [][2]string{
		{"glob", `{"pattern":"**/*"}`}, {"glob", `{"pattern":".*"}`}, {"glob", `{"pattern":"/private/*"}`},
		{"grep", `{"pattern":"keyword"}`}, {"grep", `{"pattern":"keyword","glob":".env"}`}, {"grep", `{"pattern":"CANARY|x"}`},
		{"grep", `{"pattern":"hit","max_count":1,"output_mode":"content"}`}, {"grep", `{"pattern":"hit","output_mode":"count"}`},
		{"read_file", `{"file_path":"/.env"}`}, {"read_file", `{"file_path":"/private/x.txt"}`},
		{"write_file", `{"file_path":"/private/x.txt","content":"x"}`}, {"edit_file", `{"file_path":"/.env","old_string":"a","new_string":"b"}`},
		{"delete", `{"path":"/.env"}`}, {"delete", `{"path":"/private/x.txt"}`}, {"delete", `{"path":"/private/none/x.txt"}`},
	} {
		a, b := full.call(c[0], c[1]), bare.call(c[0], c[1])
		if a.Text != b.Text {
			t.Errorf("%s %s: with hidden names %q, without %q", c[0], c[1], a.Text, b.Text)
		}
	}
	// The cap is not used up by what is hidden.
	if r := full.call("grep", `{"pattern":"hit","max_count":1,"output_mode":"content"}`); r.Text != "/zz.txt:\n  1: hit" {
		t.Errorf("got %q", r.Text)
	}
	// ls tells times and sizes, which differ between two trees; names only.
	if got, want := full.call("ls", `{}`).Text, "/public/\n/ref/\n/secrets/\n/zz.txt"; got != want {
		t.Errorf("ls: %q, want %q", got, want)
	}
}

func TestMountsAreSearchedTogether(t *testing.T) {
	w := closedWorld(t)
	w.put("ws/inbox.txt", "keyword\n")
	if got, want := w.call("glob", `{"pattern":"*.txt"}`).Text, "/inbox.txt\n/public/a.txt\n/ref/r.txt"; got != want {
		t.Errorf("glob: %q, want %q", got, want)
	}
	if got, want := w.call("glob", `{"pattern":"/ref/*.txt"}`).Text, "/ref/r.txt"; got != want {
		t.Errorf("glob: %q, want %q", got, want)
	}
	// The inbox is there for writing, and is not read.
	if got, want := w.call("grep", `{"pattern":"keyword"}`).Text, "/public/a.txt\n/ref/r.txt\n\n[1 file was not searched: the policy does not grant reading]"; got != want {
		t.Errorf("grep: %q, want %q", got, want)
	}
}

func TestLockedNames(t *testing.T) {
	w := newWorld(t, "version: 1\ndenied_names: locked\npaths:\n  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: [.env]}\n", paddock.Options{})
	w.put("ws/.env", "CANARY\n")
	w.put("ws/a.txt", "x\n")
	r := w.call("ls", `{}`)
	if want := "/.env\n/a.txt\n\n[1 entry is shown and closed: the policy grants nothing there]"; r.Text != want {
		t.Errorf("ls: %q, want %q", r.Text, want)
	}
	if r := w.call("grep", `{"pattern":"CANARY"}`); r.Text != "No matches found" {
		t.Errorf("grep: %q", r.Text)
	}
	if r := w.call("read_file", `{"file_path":"/.env"}`); !r.Denied {
		t.Errorf("read_file: %q", r.Text)
	}
}

// asking is a policy under which everything needs approval.
const asking = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete, required_permission: read|write|delete}
`

// answers gives one decision after the other, and keeps the questions.
type answers struct {
	decisions []paddock.Decision
	asked     []paddock.ApprovalRequest
}

func (a *answers) Request(_ context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
	a.asked = append(a.asked, r)
	if len(a.decisions) == 0 {
		return paddock.Decision{}, errors.New("nobody at " + os.TempDir())
	}
	d := a.decisions[0]
	a.decisions = a.decisions[1:]
	d.Assurance = policy.ByPerson
	return d, nil
}

func TestApproval(t *testing.T) {
	yes := paddock.Decision{Answer: paddock.Approve}
	edit := func(args string) paddock.Decision {
		return paddock.Decision{Answer: paddock.Edit, Args: json.RawMessage(args)}
	}
	for _, c := range []struct {
		name, tool, args string
		decisions        []paddock.Decision
		want             string // how the answer begins
		after            string // a.txt
		asked            int
	}{
		{"yes", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{yes}, "Updated file /a.txt", "new", 1},
		{"no", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{{Answer: paddock.Reject, Reason: "not today"}}, "Denied: write /a.txt (ApprovalDenied", "old", 1},
		{"nobody", "write_file", `{"file_path":"/a.txt","content":"new"}`, nil, "Denied: ", "old", 1},
		{"answered in its place", "read_file", `{"file_path":"/a.txt"}`, []paddock.Decision{{Answer: paddock.Respond, Reason: "ask me on Monday"}}, "ask me on Monday", "old", 1},
		{"changed, and asked again", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{edit(`{"file_path":"/a.txt","content":"other"}`), yes}, "Updated file /a.txt", "other", 2},
		{"changed, and refused", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{edit(`{"file_path":"/a.txt","content":"other"}`), {Answer: paddock.Reject}}, "Denied: ", "old", 2},
		{"changed to nonsense", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{edit(`{"file_path":7}`)}, "Error: 'file_path' must be a string", "old", 1},
		{"changed to what is outside", "write_file", `{"file_path":"/a.txt","content":"new"}`, []paddock.Decision{edit(`{"file_path":"/../b","content":"x"}`)}, "Denied: ", "old", 1},
		{"changed for ever", "edit_file", `{"file_path":"/a.txt","old_string":"old","new_string":"new"}`, []paddock.Decision{
			edit(`{"file_path":"/a.txt","old_string":"old","new_string":"1"}`), edit(`{"file_path":"/a.txt","old_string":"old","new_string":"2"}`), edit(`{"file_path":"/a.txt","old_string":"old","new_string":"3"}`),
			edit(`{"file_path":"/a.txt","old_string":"old","new_string":"4"}`), edit(`{"file_path":"/a.txt","old_string":"old","new_string":"5"}`), yes,
		}, "Error: the approver changed the arguments 5 times", "old", 5},
		{"one question for a search", "grep", `{"pattern":"old"}`, []paddock.Decision{yes}, "/a.txt\n/b.txt", "old", 1},
		{"a search refused", "grep", `{"pattern":"old"}`, []paddock.Decision{{Answer: paddock.Reject}}, "Denied: ", "old", 1},
		{"a search answered in its place", "glob", `{"pattern":"*"}`, []paddock.Decision{{Answer: paddock.Respond, Reason: "none"}}, "none", "old", 1},
	} {
		a := &answers{decisions: c.decisions}
		w := newWorld(t, asking, paddock.Options{Approver: a})
		w.put("ws/a.txt", "old")
		w.put("ws/b.txt", "old")
		r := tool.Run(context.Background(), w.guard, find(t, c.tool), json.RawMessage(c.args), nil)
		if !strings.HasPrefix(r.Text, c.want) || strings.Contains(r.Text, os.TempDir()) {
			t.Errorf("%s: %q, want %q", c.name, r.Text, c.want)
		}
		if got := w.has("ws/a.txt"); got != c.after {
			t.Errorf("%s: the file is %q, want %q", c.name, got, c.after)
		}
		if len(a.asked) != c.asked {
			t.Errorf("%s: %d questions, want %d", c.name, len(a.asked), c.asked)
		}
	}
}

func TestApprovalShowsTheChange(t *testing.T) {
	a := &answers{}
	w := newWorld(t, asking, paddock.Options{Approver: a})
	w.put("ws/a.txt", "one\ntwo\nthree\n")
	w.call("edit_file", `{"file_path":"/a.txt","old_string":"two","new_string":"\u001b[2J2"}`)
	if len(a.asked) != 1 || !strings.Contains(a.asked[0].Detail, "\n-two\n+\\x1b[2J2\n") {
		t.Errorf("the question shows %+v", a.asked)
	}
}

// record is a Recorder that keeps all, or fails.
type record struct {
	events []paddock.Event
	err    error
}

func (r *record) Record(_ context.Context, e paddock.Event) error {
	if e.Step != paddock.StepOutcome && r.err != nil {
		return r.err
	}
	if e.Step == paddock.StepOutcome {
		r.events = append(r.events, e)
	}
	return nil
}

func TestNothingIsDoneWithoutARecord(t *testing.T) {
	w := newWorld(t, open, paddock.Options{Recorder: &record{err: errors.New("disk full at " + os.TempDir())}})
	w.put("ws/a.txt", "old")
	for _, c := range [][2]string{{"write_file", `{"file_path":"/a.txt","content":"x"}`}, {"edit_file", `{"file_path":"/a.txt","old_string":"old","new_string":"x"}`}, {"delete", `{"path":"/a.txt"}`}} {
		if r := w.call(c[0], c[1]); !r.IsError || strings.Contains(r.Text, os.TempDir()) || !strings.Contains(r.Text, "record") {
			t.Errorf("%s: %q", c[0], r.Text)
		}
	}
	if got := w.has("ws/a.txt"); got != "old" {
		t.Errorf("the file is %q", got)
	}
}
