package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"paddock/policy"
)

// fileTree makes a tree of files, folders (a name that ends in a slash) and
// links ("name -> target").
func fileTree(t testing.TB, names ...string) *tree {
	f := newTree(t)
	for _, name := range names {
		link, target, isLink := strings.Cut(name, " -> ")
		switch {
		case isLink:
			f.add(link, policy.Node{Kind: policy.Link, Target: target})
		case strings.HasSuffix(name, "/"):
			f.add(strings.TrimSuffix(name, "/"), policy.Node{Kind: policy.Dir})
		default:
			f.add(name, policy.Node{Kind: policy.File})
		}
	}
	return f
}

var twoEntries = []string{
	"permissions: read|execute", "require_approval_for: execute",
	"paths:",
	"  - {slug: root, path: /w, allowed_permission: read|write, required_permission: write}",
	"  - {slug: in, path: /w/in, allowed_permission: read}",
	"denied_path_regex: ['*.env']", "allowed_commands: ['git *']", "ask_commands: ['git push *']",
}

func TestChecks(t *testing.T) {
	p := compileYAML(t, twoEntries)
	f := fileTree(t, "/w/a", "/w/in/b", "/w/file/x", "/w/la -> lb", "/w/lb -> la")
	if real, err := p.CheckPath("/in/b", f); err != nil || real != "/w/in/b" {
		t.Errorf("check_path: %q, %v", real, err)
	}
	for path, want := range map[string]error{"/x.env": policy.PathAccessDenied, "/la": policy.ErrLinkLoop, "/no/../a": fs.ErrNotExist} {
		if _, err := p.CheckPath(path, f); !errors.Is(err, want) {
			t.Errorf("check_path %s: %v; want %v", path, err, want)
		}
		if _, _, err := p.CheckPathAccess(path, policy.Read, f); !errors.Is(err, want) {
			t.Errorf("check_path_access %s: %v; want %v", path, err, want)
		}
	}
	for _, c := range []struct {
		perm policy.Permission
		asks bool
		kind error
	}{{policy.Read, false, nil}, {policy.Write, true, nil}, {policy.Delete, false, policy.PermissionDenied}} {
		real, asks, err := p.CheckPathAccess("/a", c.perm, f)
		if asks != c.asks || !errors.Is(err, c.kind) || err == nil && real != "/w/a" {
			t.Errorf("check_path_access %s: %q, %v, %v", c.perm, real, asks, err)
		}
	}
	for perm, want := range map[policy.Permission]string{policy.Read: "false <nil>", policy.Execute: "true <nil>", policy.Write: "PermissionDenied, policy line 1"} {
		asks, err := p.CheckPermission(perm)
		if got := fmt.Sprint(asks, " ", err); !strings.Contains(got, want) {
			t.Errorf("check_permission %s: %s", perm, got)
		}
	}
	for line, want := range map[string]string{"git status": "false <nil>", "git push x": "true <nil>", "ls": "CommandDenied"} {
		asks, err := p.CheckCommand(line)
		if got := fmt.Sprint(asks, " ", err); !strings.Contains(got, want) {
			t.Errorf("check_command %q: %s", line, got)
		}
	}
}

// TestDecideFrom resolves as the kernel does: from a folder, with no mount
// table. A shell may stand outside every entry.
func TestDecideFrom(t *testing.T) {
	p := compileYAML(t, twoEntries)
	f := fileTree(t, "/w/a", "/w/in/b", "/w/x.env", "/w/l -> ../outside", "/tmp/a/b/c")
	for _, c := range []struct{ dir, path, want string }{
		{"/w/in", "b", "allow /w/in/b"}, {"/w/in", "../a", "allow /w/a"}, {"/w/in", "/w/a", "allow /w/a"}, {"/w/in", "in", "allow /w/in/in"},
		{"/w/in", "../x.env", "deny"}, {"/w/in", "/etc/passwd", "deny"}, {"/w/in", "../../x", "deny"}, {"/w/in", "~", "allow /w/in/~"}, {"/w/in", "", "deny"},
		{"/w/in", "../../../../w/a", "allow /w/a"},
		{"/tmp/a/b", "../x", "deny"}, {"/tmp/a/b", "c", "deny"}, {"/tmp/a/b", "/w/a", "allow /w/a"}, {"/tmp/a/b", "../../../w/a", "deny"},
	} {
		d, err := p.DecideFrom(c.dir, c.path, policy.Read, f)
		if got := d.Verdict.String() + " " + d.Real; err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%q from %s: %s, %v; want %s", c.path, c.dir, got, err, c.want)
		}
	}
}

func TestWhatIsTold(t *testing.T) {
	p := compileYAML(t, twoEntries)
	f := fileTree(t, "/w/a")
	d, _ := p.Decide(policy.Request{Path: "a", Perm: policy.Delete}, f)
	denial := d.Denial("delete a")
	if !errors.Is(denial, policy.PermissionDenied) || errors.Is(denial, policy.CommandDenied) {
		t.Errorf("%v is of another kind", denial)
	}
	if got, want := denial.Error(), "delete a (PermissionDenied, policy line 4); allowed here: read|write"; got != want {
		t.Errorf("told %q; want %q", got, want)
	}
	if policy.CommandDenied.Error() != "CommandDenied" {
		t.Error("a kind is its own text")
	}
	ok, _ := p.Decide(policy.Request{Path: "/a", Perm: policy.Read}, f)
	if ok.Denial("x") != nil || ok.Entry() != "root" || ok.Allowed() != policy.Read|policy.Write {
		t.Errorf("%+v", ok)
	}
	out, _ := p.Decide(policy.Request{Path: "", Perm: policy.Read}, f)
	if out.Virtual() != "" || out.Entry() != "" {
		t.Errorf("a path without form has a place: %q", out.Virtual())
	}
	nowhere, err := p.Decide(policy.Request{Path: "/a/b\xff", Perm: policy.Read}, f)
	if err == nil || err.Error() != `/a/b\xff: a part of the path is not a folder` || !errors.Is(err, policy.ErrNotDir) {
		t.Errorf("told %v", err)
	}
	if denial := nowhere.Denial("read it"); denial == nil || denial.Kind == "" {
		t.Errorf("a path that leads nowhere is refused to who overlooks the error: %v", denial)
	}
	for v, want := range map[policy.Verdict]string{policy.Deny: `"deny"`, policy.Ask: `"ask"`, policy.Allow: `"allow"`} {
		if text, err := json.Marshal(v); err != nil || string(text) != want {
			t.Errorf("%s, %v", text, err)
		}
	}
	asks, _ := p.Decide(policy.Request{Path: "/a", Perm: policy.Write}, f)
	if both := asks.With(p.Pathless(policy.Execute)); len(both.Because()) != 2 || len(asks.Because()) != 1 {
		t.Errorf("two decisions have %v", both.Because())
	}
	c := p.Command("git push x")
	asking := ok.Asking(c)
	if asking.Verdict != policy.Ask || len(asking.Because()) != 1 || asking.Because()[0].Line != 8 || ok.Verdict != policy.Allow {
		t.Errorf("asking: %v %v", asking.Verdict, asking.Because())
	}
	if c.Denial() != nil {
		t.Error("a command that asks is not refused")
	}
}

func TestMountsAndMoves(t *testing.T) {
	p := compileYAML(t, append(slices.Clone(twoEntries), "rules: [{operations: [read], paths: [/in/**], mode: interrupt}]"))
	want := []policy.Mount{{Slug: "root", Real: "/w", Index: 0}, {Slug: "in", Real: "/w/in", Index: 1}}
	if got := p.Mounts(); !slices.Equal(got, want) {
		t.Errorf("mounts are %+v", got)
	}
	for real, want := range map[string]bool{"/w": true, "/w/in": true, "/": true, "/w/a": false, "/w/in/b": false} {
		if got := p.HoldsMount(real); got != want {
			t.Errorf("%s holds an entry: %v", real, got)
		}
	}
	for _, c := range []struct {
		from, to string
		want     policy.Permission
	}{{"/w/a", "/w/in/a", policy.None}, {"/w/in/a", "/w/a", policy.Read | policy.Write}, {"/w/x.env", "/w/x", policy.Read | policy.Write}, {"/w/x", "/w/y", policy.None}} {
		if got := p.Gains(c.from, c.to, policy.Node{Kind: policy.File}); got != c.want {
			t.Errorf("%s to %s gains %s; want %s", c.from, c.to, got, c.want)
		}
	}
}

// hasLine tells whether reading below a folder may ask, by a line.
func hasLine(p *policy.Policy, dir string, line int) bool {
	d, asks := p.AskBelow(dir, policy.Read)
	return asks && slices.ContainsFunc(d.Because(), func(b policy.Because) bool { return b.Line == line })
}

func TestAskBelow(t *testing.T) {
	p := compileYAML(t, append(slices.Clone(twoEntries), "rules: [{operations: [read], paths: [/in/**], mode: interrupt}]"))
	for dir, want := range map[string]bool{"/w": true, "/w/in": true, "/w/other": false} {
		if got := hasLine(p, dir, 9); got != want {
			t.Errorf("asks below %s: %v", dir, got)
		}
	}
	if d, asks := p.AskBelow("/w/other", policy.Write); !asks || d.Because()[0].Line != 4 {
		t.Errorf("asks below: %v, %v", asks, d.Because())
	}
	nested := compileYAML(t, []string{"paths:", "  - {slug: root, path: /w, allowed_permission: read}", "  - {slug: in, path: /w/in, allowed_permission: read, required_permission: read}"})
	if !hasLine(nested, "/w", 3) {
		t.Error("an entry below that asks is not named")
	}
	first := compileYAML(t, []string{"paths: [{slug: root, path: /w, allowed_permission: read}]", "rules:", "  - {operations: [read], paths: [/d/**], mode: allow}", "  - {operations: [read], paths: [/d/**], mode: interrupt}"})
	if hasLine(first, "/w/d", 4) || !hasLine(first, "/w", 4) {
		t.Error("a rule that lets all of a folder through comes before the interrupt there, and only there")
	}
}

func TestSmallThings(t *testing.T) {
	var p policy.Permission
	if err := p.UnmarshalText([]byte("read|delete")); err != nil || p != policy.Read|policy.Delete {
		t.Errorf("%v, %v", p, err)
	}
	if err := p.UnmarshalText([]byte("fly")); err == nil || p != policy.Read|policy.Delete {
		t.Errorf("a wrong text changed the set to %v, %v", p, err)
	}
	if text, err := p.MarshalText(); err != nil || string(text) != "read|delete" {
		t.Errorf("%s, %v", text, err)
	}
	for act, want := range map[policy.Act]policy.Permission{policy.ActList: policy.Read, policy.ActRenameTo: policy.Write, policy.ActReplaced: policy.Delete, policy.ActWorkdir: policy.Execute, policy.ActStat: policy.None, "no such act": policy.All} {
		if got := policy.Needs(act); got != want {
			t.Errorf("%s needs %s; want %s", act, got, want)
		}
	}
	for at, want := range map[policy.Position]string{{File: "f"}: "f", {File: "f", Line: 2, Column: 3}: "f:2:3"} {
		if at.String() != want {
			t.Errorf("%+v is %q", at, at)
		}
	}
	bare, err := policy.Compile(&policy.SecurityContext{Name: "lib"}, policy.Facts{Dir: "/w"})
	if err != nil || bare.Name() != "lib" || bare.Context().File() != "" || bare.Context().Where("name") != (policy.Position{}) {
		t.Errorf("a context that a program made: %v", err)
	}
	written, err := policy.Parse("f.yaml", []byte("unrestricted_paths: true"))
	if err != nil || written.File() != "f.yaml" || written.Where("unrestricted_paths").Line != 1 {
		t.Errorf("a context from a file: %v", err)
	}
	e := policy.PathEntry{Slug: "root"}
	if !e.IsRoot() || !e.OnDisk() {
		t.Error("an entry with slug root is the root entry, and on disk")
	}
	if !bare.Uniform("/x") || bare.MayDenyBelow("/x") {
		t.Error("without entries, patterns and rules every folder is like another")
	}
}

// TestWholeSystemEntry: an entry may be the top folder itself. Then every
// absolute path is a real one, and a rule keeps its meaning for other entries.
func TestWholeSystemEntry(t *testing.T) {
	p := compileYAML(t, []string{
		"paths:", "  - {slug: all, path: /, allowed_permission: read|write}", "  - {slug: root, path: /w, allowed_permission: read|write}", "  - {slug: etc, path: /srv/etc, allowed_permission: read|write}",
		"rules:", "  - {operations: [write], paths: ['/etc/**'], mode: deny}", "  - {operations: [read], paths: [/all], mode: deny}",
	})
	f := fileTree(t, "/etc/passwd", "/w/a", "/srv/etc/b")
	for ask, want := range map[string]string{
		"/etc/passwd": "read all/etc/passwd", "etc/b": "read etc/b", "/srv/etc/b": "read etc/b", "all/srv/etc/b": "read etc/b",
		"/w/a": "read|write root/a", "root/a": "read|write root/a", "a": "read|write root/a", "/": "write all", "all": "write all",
	} {
		d, err := p.Decide(policy.Request{Path: ask}, f)
		if got := d.Allowed().String() + " " + d.Virtual(); err != nil || got != want {
			t.Errorf("%s: %s (%s), %v; want %s", ask, got, d.Real, err, want)
		}
	}
}
