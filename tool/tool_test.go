package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
	"paddock/tool"
)

// world is a policy over real folders.
type world struct {
	t     testing.TB
	base  string // of the host: the folder that holds the mounts'
	guard *paddock.Guard
}

// open is the policy of most tests: everything in one folder.
const open = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: read|write|delete}
`

// newWorld makes the folders of a policy and a Guard over them.
func newWorld(t testing.TB, text string, o paddock.Options) *world {
	t.Helper()
	return newWorldOver(t, text, o, func(tree *disk.Tree) backend.Backend { return tree })
}

// newWorldOver is newWorld with something between the Guard and the disk.
func newWorldOver(t testing.TB, text string, o paddock.Options, between func(*disk.Tree) backend.Backend) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, base: base}
	ctx, err := policy.Parse("paddock.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o.Context, o.Dir, o.Mounts = ctx, base, map[string]backend.Backend{}
	for _, e := range ctx.Paths {
		dir := filepath.Join(base, e.Path)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		tree, err := disk.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		o.Mounts[e.Slug] = between(tree)
	}
	if w.guard, err = paddock.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.guard.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// put writes a file of the host below base.
func (w *world) put(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.base, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// has reads a file of the host.
func (w *world) has(name string) string {
	w.t.Helper()
	content, err := os.ReadFile(filepath.Join(w.base, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(content)
}

// call runs a tool and checks what holds for every answer: no path of the
// host, structured content as the schema says.
func (w *world) call(name, args string) tool.Result {
	w.t.Helper()
	t := find(w.t, name)
	r := tool.Run(context.Background(), w.guard, t, json.RawMessage(args), nil)
	w.check(t, r)
	return r
}

func (w *world) check(t tool.Tool, r tool.Result) {
	w.t.Helper()
	structured, err := json.Marshal(r.Structured)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, text := range []string{r.Text, string(structured)} {
		if strings.Contains(text, w.base) {
			w.t.Errorf("%s tells a path of the host: %q", t.Name, text)
		}
	}
	if r.Text == "" {
		w.t.Errorf("%s answers nothing", t.Name)
	}
	if r.IsError != (strings.HasPrefix(r.Text, "Error: ") || strings.HasPrefix(r.Text, "Denied: ")) {
		w.t.Errorf("%s: error is %v, and the text %q", t.Name, r.IsError, r.Text)
	}
	if r.Denied != strings.HasPrefix(r.Text, "Denied: ") || r.Denied != (r.Kind != "") {
		w.t.Errorf("%s: denied is %v by %q, and the text %q", t.Name, r.Denied, r.Kind, r.Text)
	}
	if r.IsError {
		if r.Structured != nil {
			w.t.Errorf("%s returns an error and structured content", t.Name)
		}
		return
	}
	if t.OutputSchema != nil {
		validate(w.t, t.Name, t.OutputSchema, structured)
	}
}

func validate(t testing.TB, name string, schema, value json.RawMessage) {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("%s: the schema: %v", name, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: the schema: %v", name, err)
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		t.Errorf("%s: %s does not fit the schema: %v", name, value, err)
	}
}

func find(t testing.TB, name string) tool.Tool {
	for _, one := range tool.Rules() {
		if one.Name == name {
			return one
		}
	}
	t.Fatalf("no tool %q", name)
	return tool.Tool{}
}

// object writes JSON arguments from pairs.
func object(pairs ...any) string {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestToolsAreTold(t *testing.T) {
	var names []string
	for _, one := range tool.Rules() {
		names = append(names, one.Name)
		if one.Title == "" || len(one.Description) < 100 || !strings.Contains(one.Description, "\n\nRights: ") {
			t.Errorf("%s: title %q, description %q", one.Name, one.Title, one.Description)
		}
		if one.ReadOnly && one.Destructive || one.OpenWorld {
			t.Errorf("%s: hints that cannot be", one.Name)
		}
		var s struct {
			Properties           map[string]struct{ Description string }
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(one.InputSchema, &s); err != nil {
			t.Fatalf("%s: %v", one.Name, err)
		}
		if s.AdditionalProperties == nil || *s.AdditionalProperties {
			t.Errorf("%s takes arguments that nobody knows", one.Name)
		}
		for name := range s.Properties {
			if !strings.Contains(one.Description, "\n- "+name+": ") {
				t.Errorf("%s does not describe its argument %s", one.Name, name)
			}
		}
		validate(t, one.Name, json.RawMessage(`true`), one.InputSchema)
	}
	if want := []string{"ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
}

// TestRightsTable runs each tool with every set of rights and finds that its
// table says which it needs.
func TestRightsTable(t *testing.T) {
	calls := []struct{ tool, operation, args string }{
		{"ls", "list", `{"path":"/d"}`},
		{"read_file", "read", `{"file_path":"/d/f.txt"}`},
		{"write_file", "create a file", `{"file_path":"/d/new.txt","content":"x"}`},
		{"write_file", "replace its content", `{"file_path":"/d/f.txt","content":"x"}`},
		{"write_file", "make a folder", `{"file_path":"/d/sub/new.txt","content":"x"}`},
		{"edit_file", "edit", `{"file_path":"/d/f.txt","old_string":"old","new_string":"new"}`},
		{"glob", "find", `{"pattern":"*","path":"/d"}`},
		{"grep", "search", `{"pattern":"old","path":"/d"}`},
		{"delete", "delete", `{"path":"/d/f.txt"}`},
	}
	tested := map[string]bool{}
	for _, c := range calls {
		tested[c.tool+" "+c.operation] = true
		rights := find(t, c.tool).Rights.Of(c.operation)
		for p := policy.None; p <= policy.All; p++ {
			w := newWorld(t, "version: 1\npaths:\n  - {slug: root, path: ws, allowed_permission: "+p.String()+"}\n", paddock.Options{})
			w.put("ws/d/f.txt", "old\n")
			r := w.call(c.tool, c.args)
			if r.IsError == p.Has(rights) || r.IsError && !r.Denied {
				t.Errorf("%s (%s) needs %s, and with %s it says %q", c.tool, c.operation, rights, p, r.Text)
			}
		}
	}
	for _, one := range tool.Rules() {
		for operation := range one.Rights {
			if !tested[one.Name+" "+operation] {
				t.Errorf("%s: the operation %q is not tested", one.Name, operation)
			}
		}
	}
}

// TestReadOnlyChangesNothing runs read-only tools over a tree and finds it unchanged.
func TestReadOnlyChangesNothing(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "hit\n")
	w.put("ws/d/b.txt", "hit\r\n")
	before := snapshot(t, w.base)
	args := map[string]string{
		"ls": `{}`, "read_file": `{"file_path":"/a.txt"}`, "glob": `{"pattern":"*"}`, "grep": `{"pattern":"hit"}`,
	}
	for _, one := range tool.Rules() {
		if !one.ReadOnly {
			continue
		}
		if r := w.call(one.Name, args[one.Name]); r.IsError {
			t.Errorf("%s: %s", one.Name, r.Text)
		}
	}
	if after := snapshot(t, w.base); !bytes.Equal(before, after) {
		t.Errorf("the tree was\n%s\nand is\n%s", before, after)
	}
}

// TestIdempotent runs tools twice: the second call changes nothing more.
func TestIdempotent(t *testing.T) {
	for _, c := range []struct {
		tool, args string
	}{
		{"write_file", `{"file_path":"/d/a.txt","content":"aa"}`},
		{"edit_file", `{"file_path":"/a.txt","old_string":"a","new_string":"aa"}`},
		{"delete", `{"path":"/a.txt"}`},
	} {
		w := newWorld(t, open, paddock.Options{})
		w.put("ws/a.txt", "a")
		before := snapshot(t, w.base)
		w.call(c.tool, c.args)
		once := snapshot(t, w.base)
		w.call(c.tool, c.args)
		twice := snapshot(t, w.base)
		one := find(t, c.tool)
		if bytes.Equal(before, once) || one.ReadOnly || !one.Destructive {
			t.Errorf("%s changes nothing, or says so", c.tool)
		}
		if same := bytes.Equal(once, twice); same != one.Idempotent && c.tool != "edit_file" || one.Idempotent && !same {
			t.Errorf("%s: idempotent is %v, and twice is like once: %v", c.tool, one.Idempotent, same)
		}
	}
}

// snapshot writes a tree with its contents as one text.
func snapshot(t testing.TB, base string) []byte {
	t.Helper()
	var b bytes.Buffer
	err := filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(path + " " + d.Type().String() + "\n")
		if d.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.Write(content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// remarshal reads structured content as a client does.
func remarshal(t testing.TB, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
