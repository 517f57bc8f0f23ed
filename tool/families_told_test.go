package tool_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
	"paddock/tool"
)

func rightsOf(t *testing.T, o operation) policy.Permission {
	for _, one := range tool.Context() {
		if one.Name == o.tool {
			if _, ok := one.Rights[o.name]; !ok {
				t.Fatalf("%s has no rights for %s", o.tool, o.name)
			}
			return one.Rights.Of(o.name)
		}
	}
	t.Fatalf("no tool %q", o.tool)
	return policy.None
}

// restore makes the folder d of an operation what it was.
func (w *world) restore() {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.base, "ws/d")); err != nil {
		w.t.Fatal(err)
	}
	w.put("ws/d/f.txt", "old\n")
	w.put("ws/d/sub/g.txt", "old\n")
}

// TestContextRights runs each operation with every set of rights and finds that
// the tables say which it needs.
func TestContextRights(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for p := policy.None; p <= policy.All; p++ {
		w := newWorld(t, "version: 1\npaths:\n  - {slug: root, path: ws, allowed_permission: "+p.String()+"}\n", paddock.Options{})
		for _, o := range operations {
			w.restore()
			tested[o.tool+" "+o.name] = true
			need := rightsOf(t, o)
			granted := p.Has(need)
			if need == policy.None {
				granted = p != policy.None
			}
			r := w.use(o.tool, o.args(o.target("/d")))
			if r.IsError == granted || r.IsError && !r.Denied {
				t.Errorf("%s %s needs %s, and with %s it says %q", o.tool, o.name, need, p, r.Text)
			}
		}
	}
	for _, one := range tool.Context() {
		for name := range one.Rights {
			if !tested[one.Name+" "+name] {
				t.Errorf("%s: the operation %s is not tested", one.Name, name)
			}
		}
	}
}

func TestContextToolsAreTold(t *testing.T) {
	var names []string
	for _, one := range tool.Context() {
		names = append(names, one.Name)
		if one.Title == "" || !strings.Contains(one.Description, "\n\nRights: ") {
			t.Errorf("%s: title %q, description %q", one.Name, one.Title, one.Description)
		}
		changes := slices.ContainsFunc(operations, func(o operation) bool { return o.tool == one.Name && o.changes })
		if one.ReadOnly == changes || one.Destructive != changes || one.Idempotent == changes || one.OpenWorld {
			t.Errorf("%s: its hints are not those of its most destructive operation", one.Name)
		}
		var s struct {
			Properties map[string]struct {
				Type        string
				Description string
				Enum        []string
			}
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(one.InputSchema, &s); err != nil {
			t.Fatalf("%s: %v", one.Name, err)
		}
		if s.AdditionalProperties == nil || *s.AdditionalProperties {
			t.Errorf("%s takes arguments that nobody knows", one.Name)
		}
		for name, p := range s.Properties {
			if !strings.Contains(one.Description, "\n- "+name+": ") {
				t.Errorf("%s does not describe its argument %s", one.Name, name)
			}
			if p.Type == "" {
				t.Errorf("%s: the argument %s has no type, which some clients want", one.Name, name)
			}
		}
		for name := range one.Rights {
			if !slices.Contains(s.Properties["operation"].Enum, name) {
				t.Errorf("%s: %s is not in the schema", one.Name, name)
			}
		}
		if len(s.Properties["operation"].Enum) != len(one.Rights) {
			t.Errorf("%s: operations %q and rights %v", one.Name, s.Properties["operation"].Enum, one.Rights)
		}
		validate(t, one.Name, json.RawMessage(`true`), one.InputSchema)
	}
	if want := []string{"file_tool", "directory_tool", "search_tool"}; !slices.Equal(names, want) {
		t.Errorf("the tools are %q, want %q", names, want)
	}
	for _, one := range tool.Rules() {
		if slices.Contains(names, one.Name) {
			t.Errorf("%s is in both families", one.Name)
		}
	}
}

// TestEachOperationTakesItsArguments gives each operation each argument of the
// schema: those that go with it and no others are taken, each of its own type.
func TestEachOperationTakesItsArguments(t *testing.T) {
	t.Parallel()
	values := map[string]string{"string": `"x"`, "integer": `2`, "boolean": `true`, "array": `["x"]`}
	taken, refused := 0, 0
	for _, one := range tool.Context() {
		var s struct {
			Properties map[string]struct{ Type string }
		}
		if err := json.Unmarshal(one.InputSchema, &s); err != nil {
			t.Fatal(err)
		}
		w := familyWorld(t, paddock.Options{})
		for _, o := range operations {
			if o.tool != one.Name {
				continue
			}
			for name, p := range s.Properties {
				if name == "operation" || name == "path" {
					continue
				}
				for typ, value := range values {
					text := w.use(one.Name, o.args("/none", name, json.RawMessage(value))).Text
					alien := strings.Contains(text, "'"+name+"' does not go with the operation "+o.name)
					wrong := strings.Contains(text, "'"+name+"' must be")
					described := strings.Contains(one.Description, "\n- "+name+": for ")
					switch {
					case wrong != (typ != p.Type):
						t.Errorf("%s %s with %s=%s: %s", one.Name, o.name, name, value, text)
					case wrong:
					case alien:
						refused++
						if !described && name != "dry_run" && name != "encoding" {
							t.Errorf("%s: %s is refused by %s, and the description does not say for which it is", one.Name, name, o.name)
						}
					default:
						taken++
					}
				}
			}
		}
	}
	t.Logf("%d arguments taken, %d refused", taken, refused)
	if taken < 60 || refused < 60 {
		t.Errorf("taken %d, refused %d", taken, refused)
	}
}
