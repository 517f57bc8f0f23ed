package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

// world is a small random tree and a policy over it.
type world struct {
	r      *rand.Rand
	policy string
	build  []func(ws string)
}

func (w *world) one(of ...string) string { return of[w.r.IntN(len(of))] }

func (w *world) some(of ...string) string {
	var all []string
	for _, word := range of {
		if w.r.IntN(2) == 0 {
			all = append(all, word)
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "|")
}

var rights = []string{"read", "write", "delete", "execute"}

// name makes a path of few parts, so that different things often share one.
func (w *world) name() string {
	var parts []string
	for range 1 + w.r.IntN(3) {
		parts = append(parts, w.one("a", "b", "x.env", "d", "in", "sub"))
	}
	return strings.Join(parts, "/")
}

func newWorld(seed uint64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 1))}
	var p strings.Builder
	fmt.Fprintf(&p, "version: 1\npermissions: %s\n", w.one("all", "read", "read|write"))
	fmt.Fprintf(&p, "denied_names: %s\n", w.one("hidden", "locked"))
	p.WriteString("paths:\n")
	entry := func(slug, path string) {
		allowed := append([]string{"read"}, strings.Split(w.some(rights...), "|")...)
		if w.r.IntN(6) == 0 {
			allowed = allowed[1:]
		}
		set := strings.Join(allowed, "|")
		if strings.Contains(set, "none") {
			set = strings.TrimSuffix(strings.TrimSuffix(set, "none"), "|")
			if set == "" {
				set = "none"
			}
		}
		fmt.Fprintf(&p, "  - {slug: %s, path: %s, allowed_permission: %s", slug, path, set)
		if w.r.IntN(3) == 0 && set != "none" {
			fmt.Fprintf(&p, ", required_permission: %s", w.one(strings.Split(set, "|")...))
		}
		if w.r.IntN(5) == 0 {
			fmt.Fprintf(&p, ", denied_permission: %s", w.one(rights...))
		}
		if w.r.IntN(2) == 0 {
			fmt.Fprintf(&p, ", denied_path_regex: [%s]", w.one(`"*.env"`, `"/sub/"`, `"in/a"`, `"**/b", "!/b"`, `"d/*"`))
		}
		p.WriteString("}\n")
	}
	entry("root", "ws")
	if w.r.IntN(2) == 0 {
		entry("nested", "ws/in")
	}
	if w.r.IntN(2) == 0 {
		p.WriteString("rules:\n")
		for range 1 + w.r.IntN(3) {
			fmt.Fprintf(&p, "  - {operations: [%s], paths: [%q], mode: %s}\n", w.one("read", "write", "read, write"), w.one("/sub/**", "/a", "/**/b", "/d/*", "/nested/**", "/in/*", "/**"), w.one("deny", "allow", "interrupt"))
		}
	}
	if w.r.IntN(3) == 0 {
		fmt.Fprintf(&p, "interrupt_on: {%s: true}\n", w.one("read_file", "write_file", "delete"))
	}
	w.policy = p.String()
	for range 6 + w.r.IntN(8) {
		name, other := w.name(), w.name()
		switch w.r.IntN(8) {
		case 0:
			target := w.one(other, "../"+other, "nosuch")
			w.add(func(ws string) { tryLink(target, ws, name) })
		case 1:
			w.add(func(ws string) { tryHardLink(ws, other, name) })
		case 2:
			w.add(func(ws string) { tryMkdir(ws, name) })
		default:
			w.add(func(ws string) { tryPut(ws, name) })
		}
	}
	return w
}

func (w *world) add(do func(ws string)) { w.build = append(w.build, do) }

// explained and happened are compared as one word: what a call came to.
func happened(err error, asked bool) string {
	var pathErr *paddock.PathError
	switch {
	case asked:
		return "ask"
	case err == nil:
		return "allow"
	case kind(err) != "":
		return "deny " + string(kind(err))
	case errors.As(err, &pathErr):
		return "error"
	default:
		return "other: " + err.Error()
	}
}

// What Explain says is what the tool then meets, over random trees and
// policies.
func TestExplainAgrees(t *testing.T) {
	ctx := context.Background()
	mix := map[string]int{}
	for seed := range uint64(35) {
		w := newWorld(seed)
		base := tempDir(t)
		rebuild := func() {
			mkdir(t, base+"/ws/in") // a mount, which stays
			for _, dir := range []string{"ws", "ws/in"} {
				for _, e := range entries(t, base+"/"+dir) {
					if e != "in" {
						removeAll(t, base+"/"+dir+"/"+e)
					}
				}
			}
			for _, do := range w.build {
				do(base + "/ws")
			}
		}
		rebuild()
		asks := &asked{}
		asks.answer = always(paddock.Decision{Answer: paddock.Reject, Assurance: policy.ByPerson}, nil).answer
		g := guardAt(t, base, w.policy, paddock.Options{Approver: asks, Save: keepNothing})
		for _, a := range []struct {
			right policy.Permission
			tool  string
			do    func(c *paddock.Call, path string) error
		}{
			{policy.Read, "read_file", func(c *paddock.Call, path string) error {
				f, err := c.Open(ctx, path)
				if err == nil {
					return f.Close()
				}
				if errors.Is(err, paddock.ErrIsDir) {
					_, err = c.List(ctx, path)
				}
				return err
			}},
			{policy.Write, "write_file", func(c *paddock.Call, path string) error {
				_, err := c.Write(ctx, path, []byte("new"), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
				return err
			}},
			{policy.Delete, "delete", func(c *paddock.Call, path string) error {
				_, err := c.Delete(ctx, path, paddock.DeleteOptions{Recursive: true})
				return err
			}},
		} {
			for range 12 {
				path := w.one("", "/", "/root/", "./") + w.name() + w.one("", "", "", "/")
				e, err := g.Explain(ctx, a.right, path)
				said := e.Verdict.String()
				if e.Verdict == policy.Deny {
					said += " " + string(e.Kind)
				}
				if err != nil {
					said = "error"
				}
				asks.requests = nil
				c := g.Begin(a.tool, nil)
				err = a.do(c, path)
				c.End(err)
				got := happened(err, len(asks.requests) > 0)
				mix[a.right.String()+" "+strings.Fields(got)[0]]++
				if got == "allow" {
					rebuild()
				}
				// A tool finds out for itself that nothing can be done, say
				// because nothing is there; a refusal is said in any case.
				if got != said && !(got == "error" && !strings.HasPrefix(said, "deny")) {
					t.Fatalf("seed %d: %s %s: explained %s, and it was %s (%v)\n%s\n%s", seed, a.right, path, said, got, err, w.policy, tree(t, base+"/ws"))
				}
			}
		}
	}
	t.Log(mix)
	for _, right := range []string{"read", "write", "delete"} {
		for _, word := range []string{"allow", "ask", "deny"} {
			if mix[right+" "+word] < 8 {
				t.Errorf("only %d times %s %s: %v", mix[right+" "+word], right, word, mix)
			}
		}
	}
}

// An explanation names the lines that spoke, for a person.
func TestExplanation(t *testing.T) {
	g, base := guard(t, `
version: 1
permissions: all
paths:
  - slug: root
    path: ws
    allowed_permission: all
    denied_path_regex: ["*.env"]
  - slug: inner
    path: ws/in
    allowed_permission: read
    required_permission: read
rules:
  - {operations: [write], paths: ["/fixed/**"], mode: deny}
interrupt_on: {write_file: true, execute: true}
allowed_commands: ["git *"]
ask_commands: ["git push *"]
`, paddock.Options{})
	put(t, base+"/ws/fixed/f", "f")
	put(t, base+"/ws/h/x.env", "S")
	link(t, "fixed", base+"/ws/to-fixed")
	for _, c := range []struct {
		right policy.Permission
		path  string
		want  string
	}{
		{policy.Read, "a", "allow  /a root 7"}, {policy.Read, "x.env", "deny PathAccessDenied /x.env root 8"}, {policy.Read, "in/f", "ask  /inner/f inner 12"}, {policy.Write, "in/f", "deny PermissionDenied /inner/f inner 11"},
		{policy.Write, "a", "ask  /a root 15"}, {policy.Write, "fixed/f", "deny PathAccessDenied /fixed/f root 14"}, {policy.Delete, "fixed", "deny PathAccessDenied /fixed root 14"}, {policy.Delete, "h", "deny PathAccessDenied /h root 8"},
		{policy.Delete, "to-fixed", "allow  /to-fixed root 7"}, {policy.Delete, "in", "deny PermissionDenied /inner inner 11"}, {policy.Write, "../x", "deny PathAccessDenied  "},
		{policy.Execute, "/", "ask  / root 15"},
	} {
		e, err := g.Explain(context.Background(), c.right, c.path)
		got := fmt.Sprintf("%s %s %s %s", e.Verdict, e.Kind, e.Virtual, e.Entry)
		for _, b := range e.Because {
			if b.Line > 0 {
				got += fmt.Sprintf(" %d", b.Line)
			}
		}
		if err != nil || got != c.want && !(c.path == "../x" && strings.HasPrefix(got, "deny PathAccessDenied")) {
			t.Errorf("%s %s: %s %v, want %s", c.right, c.path, got, err, c.want)
		}
	}
	for line, want := range map[string]string{
		"git status": "ask ", "git push origin": "ask ", "ls": "deny CommandDenied", "git status > x.env": "deny PathAccessDenied", "git status > fixed/f": "deny PathAccessDenied", "git status > out": "ask ",
	} {
		e, err := g.ExplainCommand(context.Background(), line)
		if got := e.Verdict.String() + " " + string(e.Kind); err != nil || got != want || len(e.Because) == 0 {
			t.Errorf("%s: %s %v %v, want %s", line, got, e.Because, err, want)
		}
	}
	if _, err := g.Explain(context.Background(), policy.Read, "fixed/f/x"); err == nil {
		t.Error("a path that cannot be was explained")
	}
}
