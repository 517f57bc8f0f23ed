package policy_test

import (
	"errors"
	"strings"
	"testing"

	"paddock/policy"
)

// TestLinksOfChains: a link is judged by every context, by patterns and rules
// and by what Paddock keeps to itself.
func TestLinksOfChains(t *testing.T) {
	f := fileTree(t, "/w/in/l -> ../a", "/w/a", "/w/l -> a", "/w/m -> a", "/w/state -> a")
	own := compileOwn(t, policy.Own{Private: []string{"/w/state"}}, "paths: [{slug: root, path: /w, allowed_permission: read|write}]", "rules:", "  - {operations: [read, write], paths: [/l], mode: deny}")
	lifted, err := own.SubContext("w", policy.Worker{Rules: &[]policy.Rule{}, RulesMayWiden: true}, policy.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	capped := own.Under(compileYAML(t, []string{"paths: [{slug: root, path: /w/a, allowed_permission: read}]"}), "capped")
	for _, q := range []struct {
		what string
		p    *policy.Policy
		path string
		perm policy.Permission
		want string
	}{
		{"a rule denies the link", own, "/l", policy.Read, "deny /w/l"},
		{"for any right too, since to follow it would tell that it is there", own, "/l", policy.None, "deny /w/l"},
		{"another link is free", own, "/in/l", policy.None, "allow /w/a"},
		{"EXECUTE is not covered by rules", own, "/l", policy.Execute, "deny /w/a"},
		{"the parent's rules are lifted", lifted, "/l", policy.Read, "allow /w/a"},
		{"and for any right", lifted, "/l", policy.None, "allow /w/a"},
		{"a link that Paddock keeps to itself", own, "/state", policy.Read, "deny /w/state"},
		{"a link outside the cap's entries", capped, "/m", policy.Read, "deny /w/m"},
		{"a folder outside the cap's entries is no way through", capped, "/in/l", policy.Read, "deny /w/in/l"},
		{"what the cap covers", capped, "/a", policy.Read, "allow /w/a"},
	} {
		d, err := q.p.Decide(policy.Request{Path: q.path, Perm: q.perm}, f)
		if got := d.Verdict.String() + " " + d.Real; err != nil || got != q.want {
			t.Errorf("%s: %s, %v; want %s", q.what, got, err, q.want)
		}
	}
}

// compileOwn is compileYAML with files of Paddock's own.
func compileOwn(t *testing.T, own policy.Own, lines ...string) *policy.Policy {
	t.Helper()
	c, err := policy.Parse("policy.yaml", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	facts := policy.Facts{Own: own}
	for _, e := range c.Paths {
		facts.Places = append(facts.Places, policy.Place{Real: e.Path})
	}
	p, err := policy.Compile(c, facts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOwnFilesLeaveNothing: where the entry grants only what an own file takes
// away, there is no right left, and the answer is a denial with a reason.
func TestOwnFilesLeaveNothing(t *testing.T) {
	p := compileOwn(t, policy.Own{Files: []string{"/w/paddock.yaml"}}, "paths: [{slug: root, path: /w, allowed_permission: write|delete}]")
	f := fileTree(t, "/w/paddock.yaml", "/w/a")
	for path, want := range map[string]policy.Verdict{"/paddock.yaml": policy.Deny, "/a": policy.Allow} {
		d, err := p.Decide(policy.Request{Path: path}, f)
		if err != nil || d.Verdict != want {
			t.Errorf("%s: %s, %v; want %s", path, d.Verdict, err, want)
		}
		if denial := d.Denial("look at it"); want == policy.Deny && (denial == nil || denial.Because[0].Text == "") {
			t.Errorf("%s: refused without a reason: %v", path, denial)
		}
	}
}

// TestNamesOfAMoment: what a write makes for a moment is closed wherever it is.
func TestNamesOfAMoment(t *testing.T) {
	p := compileOwn(t, policy.Own{Temp: ".moment-"}, "paths: [{slug: root, path: /w, allowed_permission: all}]")
	f := fileTree(t, "/w/.moment-1", "/w/a/.moment-2/b", "/w/a.moment-3", "/w/a/b.moment-/.moment-4")
	for path, want := range map[string]policy.Verdict{
		"/.moment-1": policy.Deny, "/a/.moment-2": policy.Deny, "/a/.moment-2/b": policy.Deny, "/.moment-": policy.Deny, "/a/b.moment-/.moment-4": policy.Deny,
		"/a.moment-3": policy.Allow, "/a/b.moment-/x": policy.Allow, "/.moment": policy.Allow,
	} {
		if d, err := p.Decide(policy.Request{Path: path, Perm: policy.Read}, f); err != nil || d.Verdict != want {
			t.Errorf("%s: %s, %v; want %s", path, d.Verdict, err, want)
		}
	}
}

var errDisk = errors.New("the disk does not answer")

// brokenTree cannot look at some names.
type brokenTree struct{ *tree }

func (b brokenTree) Plain(string) (policy.Node, bool) { return policy.Node{}, false }

func (b brokenTree) Look(real string) (policy.Node, error) {
	if strings.HasSuffix(real, "broken") {
		return policy.Node{}, errDisk
	}
	return b.tree.Look(real)
}

// TestTreeFails: an error of the tree is passed on, but not for a name that
// nothing may be told of.
func TestTreeFails(t *testing.T) {
	p := compileYAML(t, []string{"paths: [{slug: root, path: /w, allowed_permission: read}]", "denied_path_regex: [hidden, 'hid*']"})
	f := brokenTree{fileTree(t, "/w/a", "/w/dir/", "/w/hidden/x", "/w/hidfile")}
	for path, want := range map[string]string{
		"/broken": errDisk.Error(), "/dir/broken": errDisk.Error(), "/hidbroken": "PathAccessDenied", "/hidden/broken": "PathAccessDenied", "/hidfile/x": "PathAccessDenied", "/hidfile/": "PathAccessDenied", "/a/": "not a folder", "/a/x": "not a folder",
	} {
		d, err := p.Decide(policy.Request{Path: path, Perm: policy.Read}, f)
		said := d.Denial("read it").Error()
		if err != nil {
			said = err.Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s; want %s", path, said, want)
		}
		var asPath *policy.PathError
		if want == errDisk.Error() && (!errors.As(err, &asPath) || !errors.Is(err, errDisk)) {
			t.Errorf("%s: %T does not wrap the error", path, err)
		}
	}
}

// TestFileEntry: an entry that is a file is no folder, which is told of one
// that may be seen.
func TestFileEntry(t *testing.T) {
	f := fileTree(t, "/w/", "/open", "/shut")
	c, err := policy.Parse("policy.yaml", []byte("paths: [{slug: root, path: /w, allowed_permission: read}, {slug: open, path: /open, allowed_permission: read}, {slug: shut, path: /shut, allowed_permission: none}]"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: "/w"}, {Real: "/open", File: true}, {Real: "/shut", File: true}}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/open/": "not a folder", "/open": "allow", "/open/x": "not a folder", "/shut/": "PermissionDenied", "/shut/x": "PermissionDenied", "/shut": "PermissionDenied"} {
		d, err := p.Decide(policy.Request{Path: path, Perm: policy.Read}, f)
		got := d.Verdict.String() + " " + string(d.Kind)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %s", path, got, want)
		}
	}
}

// TestTopFolder: with unrestricted paths the walk may reach the top, and ".."
// there stays.
func TestTopFolder(t *testing.T) {
	p := compileYAML(t, []string{"unrestricted_paths: true"})
	f := fileTree(t, "/a", "/w/b")
	f.slow = true
	for path, want := range map[string]string{"/..": "/", "/../../a": "/a", "../a": "/a", "/w/..": "/", "b": "/w/b", "/": "/"} {
		d, err := p.Decide(policy.Request{Path: path, Perm: policy.Read}, f)
		if err != nil || d.Verdict != policy.Allow || d.Real != want {
			t.Errorf("%s: %s %s, %v; want %s", path, d.Verdict, d.Real, err, want)
		}
	}
}

// TestLongNames: a name that is too long to be typed is still never shown as a
// real path.
func TestLongNames(t *testing.T) {
	p := compileYAML(t, []string{"paths:", "  - {slug: root, path: /host/w, allowed_permission: read}", "  - {slug: x, path: /host/x, allowed_permission: read}"})
	long := strings.Repeat("/n", 3000)
	for _, dir := range []string{"/host/w", "/host/x"} {
		if v := p.Virtual(dir + long); strings.Contains(v, "host") || !strings.HasSuffix(v, long) {
			t.Errorf("a long name is shown as %.40s", v)
		}
	}
}

// TestBackends: entries that are not on disk have places of their own, which
// no path can spell.
func TestBackends(t *testing.T) {
	c, err := policy.Parse("p.yaml", []byte("paths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: mem, backend: memory, allowed_permission: read}\nrules: [{operations: [read], paths: [/mem/no], mode: deny}]"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: "/w"}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/mem/a": "allow /mem/a", "/mem": "allow /mem", "/mem/no": "deny", "/mem/abs": "allow /mem/x/y", "/mem/rel": "allow /mem/x", "/mem/d/abs": "allow /mem/x/y", "/mem/..": "deny", "/mem/d/../a": "allow /mem/a", "/mem/d/../../w": "deny",
	} {
		d, err := p.Decide(policy.Request{Path: path, Perm: policy.Read}, backendTree{})
		if got := d.Verdict.String() + " " + d.Virtual(); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, %v; want %s", path, got, err, want)
		}
	}
}

// TestBackendUnderCap: an entry that is not on disk is outside a cap of
// folders.
func TestBackendUnderCap(t *testing.T) {
	c, err := policy.Parse("p.yaml", []byte("paths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: memory, backend: memory, allowed_permission: read}"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: "/w"}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	capped := p.Under(compileYAML(t, []string{"paths: [{slug: root, path: /w, allowed_permission: read}]"}), "capped")
	for path, want := range map[string]policy.Verdict{"/memory": policy.Deny, "/memory/a": policy.Deny, "/a": policy.Allow} {
		if d, err := capped.Decide(policy.Request{Path: path, Perm: policy.Read}, backendTree{}); err != nil || d.Verdict != want {
			t.Errorf("%s: %s, %v; want %s", path, d.Verdict, err, want)
		}
	}
}

// backendTree holds folders d and x, links that are absolute and relative, and
// else files.
type backendTree struct{}

func (backendTree) Plain(string) (policy.Node, bool) { return policy.Node{}, false }

func (backendTree) Look(real string) (policy.Node, error) {
	switch real[strings.LastIndexByte(real, '/')+1:] {
	case "d", "x":
		return policy.Node{Kind: policy.Dir}, nil
	case "abs":
		return policy.Node{Kind: policy.Link, Target: "/x/y"}, nil
	case "rel":
		return policy.Node{Kind: policy.Link, Target: "x"}, nil
	}
	return policy.Node{Kind: policy.File}, nil
}
