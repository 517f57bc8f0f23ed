package paddock_test

import (
	"context"
	"sync/atomic"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/policy"
)

// A folder is no way to put a file where one may not be written: not below a
// pattern, not past a rule, and not as a file that Paddock lives on.
func TestMoveOfFolderWritesWhatItHolds(t *testing.T) {
	const text = `
version: 1
paths: [{slug: root, path: ws, allowed_permission: all, denied_path_regex: ["repo/hooks/**"]}]
rules:
  - {operations: [write], paths: ["/conf/*.yaml"], mode: deny}
  - {operations: [write], paths: ["/asked/*.yaml"], mode: interrupt}
`
	base := tempDir(t)
	for _, name := range []string{"hooks/run", "c/p.yaml", "own/policy", "q/p.yaml", "plain/p.txt"} {
		put(t, base+"/ws/"+name, "new")
	}
	mkdir(t, base+"/ws/repo")
	who := always(paddock.Decision{Answer: paddock.Reject, Assurance: policy.ByPerson}, nil)
	g := guardAt(t, base, text, paddock.Options{Approver: who, Own: policy.Own{Files: []string{base + "/ws/start/policy"}}})
	c := g.Begin("move", nil)
	defer c.End(nil)
	for _, m := range []struct {
		from, to, lands string
		kind            policy.Kind
	}{
		{"hooks", "repo/hooks", "repo/hooks/run", paddock.PathAccessDenied}, {"c", "conf", "conf/p.yaml", paddock.PathAccessDenied},
		{"own", "start", "start/policy", paddock.PathAccessDenied}, {"q", "asked", "asked/p.yaml", paddock.ApprovalDenied}, {"plain", "free", "", ""},
	} {
		err := c.Move(context.Background(), m.from, m.to, false)
		if kind(err) != m.kind || m.kind == "" && err != nil || m.lands != "" && content(t, base+"/ws/"+m.lands) != "absent" {
			t.Errorf("%s to %s: %v", m.from, m.to, err)
		}
	}
}

// meddled is a backend in which something happens while a folder is listed.
type meddled struct {
	backend.Backend
	at   string
	then func()
	done atomic.Bool
}

func (m *meddled) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	if name == m.at && m.done.CompareAndSwap(false, true) {
		m.then()
	}
	return m.Backend.ReadDir(ctx, name)
}

// What another call puts in a folder once it was listed does not come along to
// a place where it could be read.
func TestMoveTakesNothingAlongUnjudged(t *testing.T) {
	const text = `
version: 1
paths: [{slug: root, backend: memory, allowed_permission: all}]
rules: [{operations: [read], paths: ["/a/blind", "/c/blind"], mode: deny}]
`
	m := backend.NewMemory(1 << 20)
	fill(t, m, "c/blind", "SECRET")
	fill(t, m, "a/z/f", "f")
	slow := &meddled{Backend: m, at: "a/z"}
	g := guardAt(t, tempDir(t), text, paddock.Options{Mounts: map[string]backend.Backend{"root": slow}})
	slow.then = func() {
		c := g.Begin("move", nil)
		defer c.End(nil)
		if err := c.Move(context.Background(), "c/blind", "a/blind", false); err != nil {
			t.Errorf("the other call: %v", err)
		}
	}
	c := g.Begin("move", nil)
	defer c.End(nil)
	if err := c.Move(context.Background(), "a", "b", false); kind(err) != paddock.PathAccessDenied || !slow.done.Load() {
		t.Errorf("the move: %v", err)
	}
	if got, err := read(t, g, "b/blind"); err == nil {
		t.Errorf("it was read: %q", got)
	}
}
