package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
	"paddock/tool"
)

// use is call for the context family.
func (w *world) use(name, args string) tool.Result {
	w.t.Helper()
	for _, one := range tool.Context() {
		if one.Name == name {
			r := tool.Run(context.Background(), w.guard, one, json.RawMessage(args), nil)
			w.check(one, r)
			return r
		}
	}
	w.t.Fatalf("no tool %q", name)
	return tool.Result{}
}

// operation is a call of the context family on a path, and what is said of it.
type operation struct {
	tool, name string
	rest       string // further arguments
	changes    bool
	makes      bool // it makes what is not there
	folder     bool // it is about a folder
	either     bool // a file is as good as a folder
}

// args are the arguments of an operation on a path.
func (o operation) args(path string, more ...any) string {
	m := map[string]any{}
	if o.rest != "" {
		if err := json.Unmarshal([]byte(o.rest), &m); err != nil {
			panic(err)
		}
	}
	m["operation"], m["path"] = o.name, path
	if o.name == "copy" || o.name == "move" {
		m["destination"] = "/d/made"
		for _, dir := range []string{"/ask", "/ref"} { // out of these it would gain rights, or be allowed
			if strings.HasPrefix(path, dir) {
				m["destination"] = dir + "/made"
			}
		}
	}
	for i := 0; i < len(more); i += 2 {
		m[more[i].(string)] = more[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// operations are all there are.
var operations = []operation{
	{tool: "file_tool", name: "read"},
	{tool: "file_tool", name: "write", rest: `{"content":"new"}`, changes: true, makes: true},
	{tool: "file_tool", name: "append", rest: `{"content":"new"}`, changes: true, makes: true},
	{tool: "file_tool", name: "edit", rest: `{"old_string":"old","new_string":"new"}`, changes: true},
	{tool: "file_tool", name: "create", rest: `{"content":"new"}`, changes: true, makes: true},
	{tool: "file_tool", name: "info", either: true},
	{tool: "file_tool", name: "copy", changes: true},
	{tool: "file_tool", name: "move", changes: true},
	{tool: "file_tool", name: "delete", changes: true},
	{tool: "file_tool", name: "hash"},
	{tool: "directory_tool", name: "list", folder: true},
	{tool: "directory_tool", name: "tree", folder: true},
	{tool: "directory_tool", name: "create", folder: true, changes: true, makes: true},
	{tool: "directory_tool", name: "info", folder: true},
	{tool: "directory_tool", name: "copy", folder: true, changes: true},
	{tool: "directory_tool", name: "move", folder: true, changes: true},
	{tool: "directory_tool", name: "delete", rest: `{"recursive":true}`, folder: true, changes: true},
	{tool: "search_tool", name: "find", folder: true, either: true},
	{tool: "search_tool", name: "grep", rest: `{"pattern":"old"}`, folder: true, either: true},
}

// target is a path of the tree of familyWorld that an operation can be on.
func (o operation) target(dir string) string {
	switch {
	case o.name == "create":
		return dir + "/made"
	case o.folder:
		return dir + "/sub"
	default:
		return dir + "/f.txt"
	}
}

const familyPolicy = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: ["/shut/"]}
  - {slug: ask, path: ws/ask, allowed_permission: read|write|delete, required_permission: read|write|delete}
  - {slug: ref, path: ref, allowed_permission: read}
  - {slug: drop, path: drop, allowed_permission: write}
`

func familyWorld(t *testing.T, o paddock.Options) *world {
	w := newWorld(t, familyPolicy, o)
	for _, dir := range []string{"ws/d", "ws/shut", "ws/ask", "ref", "drop"} {
		w.put(dir+"/f.txt", "old CANARY\n")
		w.put(dir+"/sub/g.txt", "old CANARY\n")
	}
	return w
}

// TestOperations runs each operation where it is allowed, denied, waiting for
// a person, on nothing, and on an object of the other kind.
func TestOperations(t *testing.T) {
	for _, o := range operations {
		t.Run(o.tool+" "+o.name, func(t *testing.T) {
			t.Parallel()
			unchanged := func(w *world, what string, do func() tool.Result) tool.Result {
				t.Helper()
				before := snapshot(t, w.base)
				r := do()
				if after := snapshot(t, w.base); !bytes.Equal(before, after) {
					t.Errorf("%s: the tree was\n%s\nand is\n%s", what, before, after)
				}
				return r
			}
			a := &answers{}
			w := familyWorld(t, paddock.Options{Approver: a})

			for _, path := range []string{o.target("/shut"), "/shut/none", "/../x", "~/x", "a\x00b", ""} {
				if path == "" && o.folder {
					path = "C:\\x"
				}
				r := unchanged(w, "denied", func() tool.Result { return w.use(o.tool, o.args(path)) })
				if !r.Denied || r.Kind != policy.PathAccessDenied || strings.Contains(r.Text, "CANARY") {
					t.Errorf("%q: %s (%s)", path, r.Text, r.Kind)
				}
			}
			if need := rightsOf(t, o); o.changes {
				r := unchanged(w, "read only", func() tool.Result { return w.use(o.tool, o.args(o.target("/ref"))) })
				if r.Kind != policy.PermissionDenied {
					t.Errorf("needs %s, and where READ alone is granted: %s", need, r.Text)
				}
			} else if need != policy.None {
				if r := w.use(o.tool, o.args(o.target("/drop"))); !r.Denied || r.Kind != policy.PermissionDenied {
					t.Errorf("needs %s, and where WRITE alone is granted: %s", need, r.Text)
				}
			}

			missing := unchanged
			if o.makes {
				missing = func(_ *world, _ string, do func() tool.Result) tool.Result { return do() }
			}
			if r := missing(w, "missing", func() tool.Result { return w.use(o.tool, o.args("/none")) }); r.IsError == o.makes || r.IsError && !strings.Contains(r.Text, "not found") {
				t.Errorf("on nothing: %s", r.Text)
			}

			other := o
			other.folder = !o.folder
			path := other.target("/d")
			if o.name == "create" {
				path = "/d/sub" // something is there
			}
			r := w.use(o.tool, o.args(path))
			if o.either && r.IsError || !o.either && (!r.IsError || r.Denied) {
				t.Errorf("on %s: %s", path, r.Text)
			}

			// A person is asked once; nobody's answer is a no.
			if rightsOf(t, o) != policy.None {
				path := o.target("/ask")
				a.decisions, a.asked = nil, nil
				if r := unchanged(w, "asked", func() tool.Result { return w.use(o.tool, o.args(path)) }); r.Kind != policy.ApprovalDenied || len(a.asked) != 1 {
					t.Errorf("with nobody to say yes: %s, asked %d times", r.Text, len(a.asked))
				}
				if o.changes {
					a.asked = nil
					r := unchanged(w, "dry run", func() tool.Result { return w.use(o.tool, o.args(path, "dry_run", true)) })
					if r.IsError || len(a.asked) != 0 || !strings.Contains(r.Text, "A person would be asked first (policy line 5)") || strings.Contains(r.Text, "CANARY") {
						t.Errorf("dry run: %s, asked %d times", r.Text, len(a.asked))
					}
				}
				a.decisions, a.asked = []paddock.Decision{{Answer: paddock.Approve}}, nil
				if r := w.use(o.tool, o.args(path)); r.IsError || len(a.asked) != 1 {
					t.Errorf("with a yes: %s, asked %d times", r.Text, len(a.asked))
				}
			}

			w = familyWorld(t, paddock.Options{})
			if o.changes {
				r := unchanged(w, "dry run", func() tool.Result { return w.use(o.tool, o.args(o.target("/d"), "dry_run", true)) })
				if r.IsError || !strings.HasPrefix(r.Text, "Dry run, nothing was done. This would ") || strings.Contains(r.Text, "person") {
					t.Errorf("dry run: %s", r.Text)
				}
			}
			before := snapshot(t, w.base)
			if r := w.use(o.tool, o.args(o.target("/d"))); r.IsError || r.Structured == nil {
				t.Errorf("allowed: %s", r.Text)
			}
			if after := snapshot(t, w.base); bytes.Equal(before, after) == o.changes {
				t.Errorf("it changes something: %v", !o.changes)
			}
		})
	}
}
