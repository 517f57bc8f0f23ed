package cases

import (
	"path"
	"slices"
	"strings"

	"paddock/policy"
	"paddock/tool"
)

// interrupt compares whether a call pauses for a person.
func (v *vector) interrupt() {
	args, _ := v.When["args"].(map[string]any)
	name := text(v.Given, "tool")
	v.Given["files"] = map[string]any{"/secrets/sub/a.txt": "x\n", "/secrets/public/a": "x\n", "/secrets/key.pem": "x\n", "/workspace/w.txt": "x\n", "/secret/s.txt": "x\n", "/etc/passwd": "x\n"}
	at, isPath := text(args, "file_path")+text(args, "path"), true
	for _, key := range []string{"path", "file_path"} {
		if value, there := args[key]; there && value != nil {
			_, isPath = value.(string)
		}
	}
	if name == "read_file" || name == "edit_file" {
		v.Given["files"].(map[string]any)[path.Clean("/"+at)] = "x\n"
	}
	r := v.world(v.Given["rules"])
	sent := map[string]any{"content": "x"}
	if name != "write_file" {
		sent = map[string]any{}
	}
	if name == "edit_file" {
		sent = map[string]any{"old_string": "x", "new_string": "y"}
	}
	if name == "grep" {
		sent["pattern"] = "zzz"
	}
	for key, value := range args {
		sent[key] = value
	}
	a := r.call(name, sent)
	v.same("pauses", a.verdict == "ask", v.Then["pauses"],
		because(strings.Contains(at, "//"), weSlashes),
		because(v.Area == "interrupt.exact" && strings.Contains(at, "/."), weDotFiles),
		because(v.Area == "interrupt.exact" && hasFolderRule(v.Given["rules"], at), weFolder),
		because(strings.Contains(v.note(), "earlier allow") || v.allowsFirst(), weOrder),
		because(isPath && at == "" && args["path"] != nil, weEmptyPath),
		because(isPath && v.Area == "interrupt.bulk" && a.verdict != "ask", weReach))
}

// allowsFirst tells whether a rule that allows stands before an interrupt.
func (v *vector) allowsFirst() bool {
	rules, _ := v.Given["rules"].([]any)
	return len(rules) > 1 && text(rules[0].(map[string]any), "mode") == "allow"
}

// interruptTools compares which tools may pause at all: those whose operation
// an interrupt rule covers.
func (v *vector) interruptTools() {
	p := v.policyOf(v.Given["rules"])
	names := []string{}
	for _, t := range tool.Rules() {
		var need policy.Permission
		for operation := range t.Rights {
			need |= t.Rights.Of(operation)
		}
		if need&(policy.Write|policy.Delete) != 0 {
			need = policy.Write // an edit reads too; what its rule gates is the change
		}
		if _, asks := p.AskBelow(rootAt, need); asks {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	want := []string{}
	for _, name := range v.Then["tools"].([]any) {
		want = append(want, name.(string))
	}
	slices.Sort(want)
	v.same("tools", names, want, "")
}
