package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/policy"
)

// A vector is one thing that the reference does, from its README's point of
// view: given, when, then. Ours says why Paddock answers otherwise, in the
// project's copy.
type vector struct {
	ID, Area          string
	Given, When, Then map[string]any
	Ours              string
	t                 *testing.T
	differs           string // why we differ, found by the runner
}

// TestVectors holds the product to the vectors of the system whose rules it
// speaks too, and to the list of points on which it differs.
func TestVectors(t *testing.T) {
	file, own := os.Getenv("PADDOCK_VECTORS"), false
	if file == "" {
		file, own = "../testdata/vectors/vectors.jsonl", true
	}
	tally := newTally()
	count := map[string]int{}
	var all []*vector
	eachLine(t, file, func(line []byte) error {
		v := &vector{}
		if err := json.Unmarshal(line, v); err != nil {
			return err
		}
		count[v.Area]++
		if v.ID == "" {
			v.ID = fmt.Sprintf("%s-%02d", v.Area, count[v.Area])
		}
		if later := v.later(); later != "" {
			tally.skip(v.Area, "waits for "+later)
			return nil
		}
		all = append(all, v)
		return nil
	})
	t.Run("row", func(t *testing.T) {
		for _, v := range all {
			t.Run(v.ID, func(t *testing.T) {
				t.Parallel()
				defer func() { tally.ran(v.Area, !t.Failed()) }()
				v.t = t
				v.run()
				t.Logf("differs: %q", v.differs)
				if own && v.differs != v.Ours {
					t.Errorf("the copy says %q of why we differ, and the run %q", v.Ours, v.differs)
				}
			})
		}
	})
	tally.report(t)
}

// later tells what an area waits for.
func (v *vector) later() string {
	for prefix, what := range laterAreas {
		if strings.HasPrefix(v.Area, prefix) {
			return what
		}
	}
	return ""
}

// areas are the runners, by area.
var areas = map[string]func(v *vector){
	"permission.validate": (*vector).validate, "permission.check": (*vector).decide, "permission.filter": (*vector).filter,
	"permission.glob": (*vector).ruleGlob, "permission.anchor": (*vector).anchor, "permission.overlap": (*vector).overlap,
	"permission.delete.subtree": (*vector).deleteSubtree, "permission.delete.leaf": (*vector).deleteLeaf, "permission.delete.tool": (*vector).deleteTool,
	"permission.tool": (*vector).permissionTool, "permission.weakness": (*vector).weakness,
	"interrupt.exact": (*vector).interrupt, "interrupt.bulk": (*vector).interrupt, "interrupt.build": (*vector).interruptTools,
	"path.validate": (*vector).path, "subagent.permissions": (*vector).subagent,
	"glob.match": (*vector).globMatch, "glob.search": (*vector).globSearch,
	"grep.search": (*vector).grepSearch, "grep.regex_hint": (*vector).regexHint, "grep.format": (*vector).exactText,
	"read.slice": (*vector).readSlice, "read.tool": (*vector).readTool, "read.format": (*vector).readFormat,
	"edit.replace": (*vector).editReplace, "edit.disk": (*vector).editDisk, "edit.tool": (*vector).statusOnly, "write.tool": (*vector).writeTool,
	"delete.flat": (*vector).deleteFiles, "delete.disk": (*vector).deleteFiles, "ls.disk": (*vector).list, "ls.flat": (*vector).list,
	"composite.route": (*vector).route, "composite.ls": (*vector).mounted, "composite.read": (*vector).mounted, "composite.glob": (*vector).mounted,
	"composite.grep": (*vector).mounted, "composite.delete": (*vector).mounted, "composite.write": (*vector).mounted,
}

func (v *vector) run() {
	do := areas[v.Area]
	if do == nil {
		v.t.Fatalf("nobody knows the area %s", v.Area)
	}
	do(v)
}

// same compares an answer with the reference's. Where they differ there must be
// a reason, which is on the list of the points on which Paddock differs.
func (v *vector) same(what string, ours, theirs any, reasons ...string) {
	v.t.Helper()
	if fmt.Sprint(ours) == fmt.Sprint(theirs) {
		return
	}
	for _, reason := range reasons {
		if reason != "" {
			v.differs = reason
			return
		}
	}
	v.t.Errorf("%s: ours is %v and the reference's %v; given %v when %v", what, ours, theirs, v.Given, v.When)
}

// weak tells whether the row shows what the reference does badly.
func (v *vector) weak() bool { return strings.Contains(v.note(), "weakness") }

func (v *vector) note() string { return text(v.Then, "note") }

// because is a reason if it applies.
func because(applies bool, reason string) string {
	if applies {
		return reason
	}
	return ""
}

// rules are a vector's rules in the form of a policy file.
func rulesText(list any) string {
	rules, _ := list.([]any)
	if len(rules) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("rules:\n")
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		fmt.Fprintf(&b, "  - {operations: %s, paths: %s", jsonOf(rule["operations"]), jsonOf(rule["paths"]))
		if mode := text(rule, "mode"); mode != "" {
			b.WriteString(", mode: " + quote(mode))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

func jsonOf(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was JSON before
	}
	return string(out)
}

// rootAt is where pure questions imagine the root entry.
const rootAt = "/r"

// policyOf is a policy with the vector's rules, and all rights on the root entry.
func (v *vector) policyOf(rules any, more ...string) *policy.Policy {
	v.t.Helper()
	text := "paths: [{slug: root, path: " + rootAt + ", allowed_permission: all}]\n" + strings.Join(more, "\n") + "\n" + rulesText(rules)
	c, err := policy.Parse("policy.yaml", []byte(text))
	if err != nil {
		v.t.Fatal(err)
	}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: rootAt}}})
	if err != nil {
		v.t.Fatal(err)
	}
	return p
}

// real is where a path of the vector lies, for pure questions.
func real(path string) string {
	if at := filepath.Clean("/" + path); at != "/" {
		return rootAt + at
	}
	return rootAt
}

// world makes the vector's files in the root mount of a Guard that asks nobody.
func (v *vector) world(rules any, extra ...string) *run {
	r := &run{world: newWorld(v.t), c: &bugCase{}, ctx: context.Background()}
	files := v.Given["files"]
	for name, content := range filesOf(files) {
		at := r.at["P"] + name
		if strings.HasSuffix(name, "/") {
			r.mkdir(at)
			continue
		}
		r.write(at, []byte(content))
	}
	links, _ := v.Given["symlinks"].(map[string]any)
	for name, target := range links {
		r.mkdir(filepath.Dir(r.at["P"] + name))
		r.check(os.Symlink(r.at["P"]+target.(string), r.at["P"]+name))
	}
	r.policy = mapped{file: filepath.Join(r.top, "policy.yaml"), text: "approval: {chain: [auto_deny]}\npaths:\n  - {slug: root, path: proj, allowed_permission: all}\n" + strings.Join(extra, "\n") + "\n" + rulesText(rules)}
	r.load()
	if r.loadErr != nil {
		v.t.Fatal(r.loadErr)
	}
	r.before = r.snapshot(r.top)
	return r
}

// filesOf reads a list of names, or names with their contents. "(empty
// directory)" behind a name says what it is.
func filesOf(files any) map[string]string {
	all := map[string]string{}
	switch files := files.(type) {
	case []any:
		for _, f := range files {
			name, _, _ := strings.Cut(f.(string), " ")
			all[name] = "x\n"
		}
	case map[string]any:
		for name, content := range files {
			all[name] = content.(string)
		}
	}
	return all
}

// call runs a product tool with the product's own argument names.
func (r *run) call(name string, args map[string]any) answer {
	sent := map[string]any{}
	for key, value := range args {
		if value != nil {
			sent[key] = value
		}
	}
	if name == "delete" && sent["file_path"] != nil {
		sent["path"] = sent["file_path"]
		delete(sent, "file_path")
	}
	return r.tool(name, sent)
}

// status is success or error, as the vectors call it.
func (a answer) status() string {
	if a.verdict == "allow" {
		return "success"
	}
	return "error"
}

// field reads a field of an answer's structured form.
func (a answer) field(name string) any {
	var all map[string]any
	if json.Unmarshal([]byte(a.data), &all) != nil {
		return nil
	}
	return all[name]
}

// filesLeft are the files below the root mount, as the vectors name them.
func (r *run) filesLeft() []string {
	all := []string{}
	r.check(filepath.WalkDir(r.at["P"], func(at string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, strings.TrimPrefix(at, r.at["P"]))
		}
		return err
	}))
	return all
}
