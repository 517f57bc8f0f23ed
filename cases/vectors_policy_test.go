package cases

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"paddock/internal/glob"
	"paddock/policy"
)

// The points on which Paddock differs from the reference on purpose.
const (
	weDotFiles    = "dot files are matched like any other name"
	weFolder      = "/dir/** covers /dir itself"
	weSlashes     = "repeated slashes are one"
	weObject      = "a verdict belongs to the object, not to the spelling of its path"
	weBraces      = "a pattern of more than 256 alternatives does not load"
	weAbsolute    = "a pattern that does not begin with a slash does not load"
	weEmptyPath   = "an empty path is refused with a hint"
	weBackslash   = "a backslash is an ordinary character"
	weFollow      = "`..` and a first `.` are followed as the kernel does"
	weHome        = "~ names a home folder only at the front"
	weReach       = "a call pauses only for what a rule can reach"
	weOrder       = "a rule that allows first suppresses a later interrupt for folders too"
	weKnow        = "on disk every descendant is judged, so that an order of rules counts"
	weFilterFirst = "hidden files are left out before a cap counts"
	weWeakness    = "a weakness of the reference that does not reproduce"
	weNeverWiden  = "a subagent's own list never widens: its parent's denials still hold"
	weOneContract = "patterns of grep and glob are about the path below the folder that is searched, in every mount"
	weNested      = "a mount that lies in another is listed there too"
	weMountStays  = "the folder of a mount cannot be deleted"
	weMissing     = "a folder that is missing is an error on every backend"
	weSomeRight   = "a name with some right left is shown, though it cannot be read"
	weLinks       = "a link is listed under its own name and not followed by a search"
	weNoChange    = "an edit that changes nothing is an error"
)

func (v *vector) paths() []any {
	list, _ := v.When["paths"].([]any)
	return list
}

func (v *vector) validate() {
	rule := []any{map[string]any{"operations": v.When["operations"], "paths": v.When["paths"], "mode": v.When["mode"]}}
	_, err := policy.Parse("policy.yaml", []byte("paths: [{slug: root, path: "+rootAt+", allowed_permission: all}]\n"+rulesText(rule)))
	known := slices.Contains([]any{nil, "allow", "deny", "interrupt"}, v.When["mode"]) && knownOperations(v.When["operations"]) && len(v.paths()) > 0
	v.same("loads", err == nil, v.Then["ok"], because(!known, "words that nobody knows refuse to load"))
}

func knownOperations(list any) bool {
	operations, _ := list.([]any)
	return len(operations) > 0 && !slices.ContainsFunc(operations, func(o any) bool { return o != "read" && o != "write" })
}

var rightOf = map[string]policy.Permission{"read": policy.Read, "write": policy.Write}

// verdict is what the policy says of an object, in the reference's words.
func verdict(p *policy.Policy, path string, perm policy.Permission) string {
	d := p.Object(real(path), policy.Node{}, perm)
	return map[policy.Verdict]string{policy.Allow: "allow", policy.Ask: "interrupt", policy.Deny: "deny"}[d.Verdict]
}

// differByPath is why a path of a vector may be judged otherwise.
func differByPath(path string, rules any) string {
	switch {
	case strings.Contains(path, "/."):
		return weDotFiles
	case strings.Contains(path, "//"):
		return weSlashes
	case !strings.HasPrefix(path, "/"):
		return weObject
	case hasFolderRule(rules, path):
		return weFolder
	}
	return ""
}

// hasFolderRule tells whether a rule is about everything below just this path.
func hasFolderRule(rules any, dir string) bool {
	list, _ := rules.([]any)
	for _, r := range list {
		paths, _ := r.(map[string]any)["paths"].([]any)
		for _, p := range paths {
			if strings.TrimSuffix(p.(string), "/**") == strings.TrimSuffix(dir, "/") && strings.HasSuffix(p.(string), "/**") {
				return true
			}
		}
	}
	return false
}

func (v *vector) decide() {
	at := text(v.When, "path")
	v.same("verdict", verdict(v.policyOf(v.Given["rules"]), at, rightOf[text(v.When, "op")]), v.Then["verdict"], differByPath(at, v.Given["rules"]))
}

func (v *vector) filter() {
	p, right := v.policyOf(v.Given["rules"]), rightOf[text(v.When, "op")]
	kept := []any{}
	reason := ""
	for _, at := range v.paths() {
		if verdict(p, at.(string), right) != "deny" {
			kept = append(kept, at)
		} else if reason == "" {
			reason = differByPath(at.(string), v.Given["rules"])
		}
	}
	v.same("kept", kept, v.Then["kept"], reason)
}

func (v *vector) ruleGlob() {
	pattern, at := text(v.Given, "pattern"), text(v.When, "path")
	if pattern == "" {
		pattern = text(v.When, "pattern")
	}
	g, err := glob.Compile(pattern)
	if raises, _ := v.Then["raises"].(bool); raises {
		if err == nil {
			v.t.Errorf("%s compiles", pattern)
		}
		v.differs = weBraces
		return
	}
	if err != nil {
		v.same("matches", false, v.Then["matches"], because(!strings.HasPrefix(pattern, "/"), weAbsolute), because(strings.Contains(pattern, "{"), weBraces))
		return
	}
	dot := strings.Contains(at, "/.")
	v.same("matches", g.Match(at), v.Then["matches"], because(dot, weDotFiles), because(strings.TrimSuffix(pattern, "/**") == at, weFolder))
}

func (v *vector) anchor() {
	g, err := glob.Compile(text(v.When, "pattern"))
	if err != nil {
		v.t.Fatal(err)
	}
	v.same("anchor", g.Anchor(), v.Then["anchor"])
}

func (v *vector) overlap() {
	v.same("overlaps", glob.Overlap(text(v.When, "call_path"), text(v.When, "rule_anchor")), v.Then["overlaps"])
	p := v.policyOf([]any{map[string]any{"operations": []any{"read"}, "paths": []any{strings.TrimSuffix(text(v.When, "rule_anchor"), "/") + "/**"}, "mode": "interrupt"}})
	_, asks := p.AskBelow(real(text(v.When, "call_path")), policy.Read)
	v.same("asks", asks, v.Then["overlaps"])
}

func (v *vector) denying() bool {
	list, _ := v.Then["denying_patterns"].([]any)
	return len(list) > 0
}

// deleteSubtree is about a backend that cannot enumerate what a folder holds.
func (v *vector) deleteSubtree() {
	target := text(v.When, "delete")
	p := v.policyOf(v.Given["rules"])
	blocked := p.MayDenyBelow(real(target)) || verdict(p, target, policy.Delete) == "deny"
	v.same("blocked", blocked, v.denying(), because(v.weak(), weWeakness), because(strings.Contains(target, "//"), weSlashes))
}

func (v *vector) deleteLeaf() {
	target := text(v.When, "delete")
	v.same("blocked", verdict(v.policyOf(v.Given["rules"]), target, policy.Delete) == "deny", v.denying(), because(v.weak(), weWeakness), differByPath(target, v.Given["rules"]))
}

// deleteTool runs a row twice: by the geometry of patterns, as on a backend
// that cannot enumerate, and on disk, where every descendant is judged.
func (v *vector) deleteTool() {
	args, _ := v.When["args"].(map[string]any)
	target := text(args, "file_path")
	r := v.world(v.Given["rules"])
	info, err := os.Lstat(r.at["P"] + target)
	folder := err == nil && info.IsDir()
	p := v.policyOf(v.Given["rules"])
	if err != nil {
		v.same("on disk", r.call("delete", args).status(), v.Then["status"])
		return
	}
	blocked := verdict(p, target, policy.Delete) == "deny" || folder && p.MayDenyBelow(real(target))
	v.same("by geometry", map[bool]string{true: "error", false: "success"}[blocked], v.Then["status"], because(v.weak(), weWeakness), differByPath(target, v.Given["rules"]))

	denied := v.deniedBelow(r, p, target)
	a := r.call("delete", args)
	if want := map[bool]string{true: "error", false: "success"}[denied]; a.status() != want {
		v.t.Errorf("on disk: %s; want %s: %s", a.status(), want, a.text)
	}
	v.same("on disk", a.status(), v.Then["status"], because(v.weak(), weWeakness), because(folder && a.status() == "success", weKnow))
	if after, ok := v.Then["files_after"].([]any); ok && v.differs == "" {
		left := []any{}
		for _, f := range r.filesLeft() {
			left = append(left, f)
		}
		v.same("files left", left, after)
	}
}

// deniedBelow judges a target and all that is in it, one by one.
func (v *vector) deniedBelow(r *run, p *policy.Policy, target string) bool {
	for at := range r.snapshot(r.at["P"] + target) {
		name := path.Join(target, at)
		node := policy.Node{Kind: policy.File}
		if info, err := os.Lstat(r.at["P"] + name); err == nil && info.IsDir() {
			node.Kind = policy.Dir
		}
		if d := p.Object(real(name), node, policy.Delete); d.Verdict == policy.Deny {
			return true
		}
	}
	return false
}

// path compares what is made of a path as the agent wrote it.
func (v *vector) path() {
	in := text(v.When, "input")
	r := v.world(nil)
	e, err := r.guard.Explain(r.ctx, policy.Read, in)
	refused := err != nil || e.Verdict == policy.Deny
	if _, bad := v.Then["error"]; bad {
		v.same("refused", refused, true, because(strings.Contains(in, ".."), weFollow), because(strings.Contains(in, "~"), weHome))
		return
	}
	ours := e.Virtual
	if refused {
		ours = "refused"
	}
	theirs := text(v.Then, "path")
	v.same("path", ours, theirs,
		because(in == "", weEmptyPath), because(strings.Contains(in, "\\"), weBackslash), because(strings.HasPrefix(theirs, "//"), weSlashes),
		because(theirs == "/." || in == ".", weFollow), because(strings.Contains(in, "\x00"), "a path with a NUL is refused"), because(strings.Contains(in, "~"), weHome))
}

// subagent compares the rules that hold for a subagent: none of the parent's
// denials may be lost.
func (v *vector) subagent() {
	parent := v.policyOf(v.Given["parent"])
	spec, has := v.Given["subagent_spec"].([]any)
	worker := policy.Worker{}
	if has {
		var rules []policy.Rule
		if err := json.Unmarshal([]byte(strings.NewReplacer(`"operations"`, `"Operations"`, `"paths"`, `"Paths"`, `"mode"`, `"Mode"`).Replace(jsonOf(spec))), &rules); err != nil {
			v.t.Fatal(err)
		}
		worker.Rules = &rules
	}
	child, err := parent.SubContext("general-purpose", worker, policy.Facts{})
	if err != nil {
		v.t.Fatal(err)
	}
	theirs := parent
	if has {
		theirs = v.policyOf(spec)
	}
	wider := false
	for _, at := range []string{"/secrets/x", "/secrets", "/foo/x", "/foo", "/a", "/a/b"} {
		for op, right := range rightOf {
			ours, reference := verdict(child, at, right), verdict(theirs, at, right)
			if verdict(parent, at, right) == "deny" && ours != "deny" {
				v.t.Errorf("%s %s: the parent denies it and the subagent does not", op, at)
			}
			if reference == "deny" && ours != "deny" {
				v.t.Errorf("%s %s: the subagent's own list denies it", op, at)
			}
			wider = wider || ours != reference
		}
	}
	v.same("verdicts differ", wider, false, because(has, weNeverWiden))
}

// weakness: what the reference does badly must not happen here.
func (v *vector) weakness() {
	args, _ := v.When["args"].(map[string]any)
	r := v.world(v.Given["rules"])
	a := r.call(text(v.When, "tool"), args)
	v.differs = weWeakness
	switch {
	case v.Then["uncaught_exception"] != nil:
		if a.status() != "success" {
			v.t.Errorf("%s: %s", a.verdict, a.text)
		}
	case v.Then["secrets_dir_exists_after"] != nil:
		if !exists(r.at["P"] + "/secrets/k.txt") {
			v.t.Error("what is protected is gone")
		}
	case a.status() == "success" || r.changed(r.at["P"]):
		v.t.Errorf("%s %v: %s: %s", text(v.When, "tool"), args, a.verdict, fmt.Sprintf("%.200s", a.text))
	}
}
