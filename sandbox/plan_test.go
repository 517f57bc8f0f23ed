package sandbox_test

import (
	"errors"
	"strings"
	"testing"

	"paddock/policy"
	"paddock/sandbox"
)

// goodProbe is a machine that gives everything.
var goodProbe = sandbox.Probe{Landlock: 7, Seccomp: true, Memory: 16 << 30}

// planOf plans a policy file whose entries are where it says. Nothing is
// opened: a plan is a pure function.
func planOf(t *testing.T, text string, pr sandbox.Probe, own policy.Own) *sandbox.Plan {
	t.Helper()
	c, err := policy.Parse("paddock.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	var f policy.Facts
	f.Own = own
	for _, e := range c.Paths {
		f.Places = append(f.Places, policy.Place{Real: e.Path, File: strings.HasSuffix(e.Path, ".txt")})
	}
	p, err := policy.Compile(c, f)
	if err != nil {
		t.Fatal(err)
	}
	return sandbox.NewPlan(p, pr, own)
}

func TestPlanTiers(t *testing.T) {
	for _, c := range []struct {
		name, text string
		own        policy.Own
		want       string // part of the refusal, "" for a plan that holds
	}{
		{"rights on folders", "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: ref, path: /r, allowed_permission: read}\n", policy.Own{}, ""},
		{"nothing granted beside", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n  - {slug: no, path: /n, allowed_permission: none}\n", policy.Own{}, ""},
		{"a wider entry inside", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n  - {slug: out, path: /w/out, allowed_permission: all}\n", policy.Own{}, ""},
		{"a file", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n  - {slug: one, path: /x/a.txt, allowed_permission: read|write}\n", policy.Own{}, ""},
		{"patterns", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\ndenied_path_regex: ['*.env']\n", policy.Own{}, "paddock.yaml:4: denied_path_regex"},
		{"patterns of an entry", "paths:\n  - {slug: root, path: /w, allowed_permission: read, denied_path_regex: ['*.env']}\n", policy.Own{}, "paddock.yaml:3: denied_path_regex of root"},
		{"rules", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\nrules:\n  - {operations: [read], paths: ['/x/**'], mode: deny}\n", policy.Own{}, "rules"},
		{"approval of an entry", "paths:\n  - {slug: root, path: /w, allowed_permission: read|write, required_permission: write}\n", policy.Own{}, "paddock.yaml:3: required_permission of root: write: a command cannot wait for approval of write yet"},
		{"approval of the context", "paths:\n  - {slug: root, path: /w, allowed_permission: read|write}\nrequire_approval_for: read\n", policy.Own{}, "paddock.yaml:4: require_approval_for"},
		{"a narrower entry inside", "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: lib, path: /w/lib, allowed_permission: read}\n", policy.Own{}, "paddock.yaml:4: entry lib takes write|execute|delete away inside entry root"},
		{"a hole", "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: no, path: /w/no, allowed_permission: none}\n", policy.Own{}, "paddock.yaml:4: entry no takes read|write|execute|delete away"},
		{"no read", "paths:\n  - {slug: root, path: /w, allowed_permission: write}\n", policy.Own{}, "paddock.yaml:3: entry root grants write without read"},
		{"delete alone", "paths:\n  - {slug: root, path: /w, allowed_permission: read|delete}\n", policy.Own{}, "grants delete without write"},
		{"an own file", "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n", policy.Own{Files: []string{"/w/paddock.yaml"}}, "a command could write /w/paddock.yaml"},
		{"an own file that is only read", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n", policy.Own{Files: []string{"/w/paddock.yaml"}}, ""},
		{"the state folder", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n", policy.Own{Private: []string{"/w/.state"}}, "PADDOCK_STATE"},
		{"in the state folder", "paths:\n  - {slug: root, path: /w, allowed_permission: read}\n  - {slug: s, path: /state/x, allowed_permission: all}\n", policy.Own{Private: []string{"/state"}}, ""},
		{"the whole machine", "paths:\n  - {slug: root, path: /, allowed_permission: read}\n", policy.Own{}, "system folder"},
		{"a system folder", "paths:\n  - {slug: root, path: /usr, allowed_permission: all}\n", policy.Own{}, "system folder /usr"},
		{"in a system folder", "paths:\n  - {slug: root, path: /usr/local/src, allowed_permission: read|write}\n", policy.Own{}, "lies in /usr"},
		{"in /proc", "paths:\n  - {slug: root, path: /proc/sys, allowed_permission: read}\n", policy.Own{}, "lies in /proc"},
		{"over the private folders", "paths:\n  - {slug: root, path: /run, allowed_permission: read|write}\n  - {slug: t, path: /tmp, allowed_permission: read}\n", policy.Own{}, "/run/paddock"},
		{"nothing at all", "paths:\n  - {slug: root, path: /w, allowed_permission: none}\n", policy.Own{}, "nothing to work on"},
		{"only in memory", "paths:\n  - {slug: root, backend: memory, allowed_permission: all}\n", policy.Own{}, "nothing to work on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := planOf(t, c.text, goodProbe, c.own).Check()
			var refused *sandbox.Refused
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && !errors.As(err, &refused):
				t.Errorf("not refused: %v; want %q", err, c.want)
			case c.want != "" && !strings.Contains(err.Error(), c.want):
				t.Errorf("the refusal is\n%v\nwant %q in it", err, c.want)
			}
		})
	}
}

// Each mechanism that is missing refuses every policy.
func TestPlanLacks(t *testing.T) {
	text := "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n"
	for want, spoil := range map[string]func(*sandbox.Probe){
		"Landlock":       func(p *sandbox.Probe) { p.Landlock = 0 },
		"seccomp":        func(p *sandbox.Probe) { p.Seccomp = false },
		"user namespace": func(p *sandbox.Probe) { p.Namespaces = "operation not permitted" },
	} {
		pr := goodProbe
		spoil(&pr)
		if err := planOf(t, text, pr, policy.Own{}).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", want, err)
		}
	}
}

func TestPlanNames(t *testing.T) {
	pl := planOf(t, "paths:\n  - {slug: root, path: /home/me/w, allowed_permission: all}\n  - {slug: usr, path: /x/usr, allowed_permission: read}\n"+
		"  - {slug: home, path: /x/h, allowed_permission: read}\n  - {slug: same, path: /y/r, allowed_permission: all}\n  - {slug: x, path: /y/x, allowed_permission: read}\n  - {slug: ref, path: /y/r, allowed_permission: read}\n", goodProbe, policy.Own{})
	got := map[string]string{}
	for _, e := range pl.Entries {
		got[e.Slug] = strings.Join(e.Names, " ")
	}
	for slug, want := range map[string]string{"root": "/root", "usr": "", "home": "", "x": "", "same": "/same /ref"} {
		if got[slug] != want {
			t.Errorf("entry %s has the name %q inside, want %q", slug, got[slug], want)
		}
	}
	for asked, want := range map[string]string{"/home/me/w/sub": "/home/me/w/sub", "/home/me": "/home/me/w", "/y/r": "/y/r", "/y/rest": "/home/me/w", "": "/home/me/w"} {
		if got := pl.StartDir(asked); got != want {
			t.Errorf("a command asked for %q starts in %q, want %q", asked, got, want)
		}
	}
}

func TestPlanLimits(t *testing.T) {
	pl := planOf(t, "paths:\n  - {slug: root, path: /w, allowed_permission: all}\nlimits: {timeout: 5s, memory: 64MiB, processes: 9, exec: mounts-only}\n", goodProbe, policy.Own{})
	if l := pl.Limits; l.Timeout.String() != "5s" || l.Memory != 64<<20 || l.Processes != 9 || !l.MountExec || l.Scratch != 32<<20 {
		t.Errorf("%+v", l)
	}
	small := goodProbe
	small.Memory = 1 << 30
	if l := planOf(t, "paths:\n  - {slug: root, path: /w, allowed_permission: all}\n", small, policy.Own{}).Limits; l.Memory != 512<<20 || l.Timeout != 0 {
		t.Errorf("on a small machine: %+v", l)
	}
}

// What any context of the chain says holds: a cap takes rights and whole
// entries away, and its patterns and limits count.
func TestPlanChain(t *testing.T) {
	inner := "version: 1\npaths:\n  - {slug: root, path: /w, allowed_permission: all}\n  - {slug: out, path: /o, allowed_permission: all}\nlimits: {memory: 2GiB}\n"
	for _, c := range []struct {
		name, outer, want string
		rights            map[string]policy.Permission
	}{
		{"a cap", "version: 1\npaths:\n  - {slug: root, path: /w, allowed_permission: read}\nlimits: {memory: 1GiB, processes: 5}\n", "",
			map[string]policy.Permission{"/w": policy.Read, "/o": policy.None}},
		{"a smaller cap", "version: 1\npaths:\n  - {slug: root, path: /w/sub, allowed_permission: read|write}\n", "",
			map[string]policy.Permission{"/w": policy.None, "/w/sub": policy.Read | policy.Write, "/o": policy.None}},
		{"patterns above", "version: 1\npaths:\n  - {slug: root, path: /w, allowed_permission: read, denied_path_regex: ['*.env']}\n", "outer.yaml:3: denied_path_regex of root", nil},
		{"approval above", "version: 1\npaths:\n  - {slug: root, path: /w, allowed_permission: all, required_permission: delete}\n", "outer.yaml:3: required_permission", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			compile := func(file, text string) *policy.Policy {
				ctx, err := policy.Parse(file, []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				var f policy.Facts
				for _, e := range ctx.Paths {
					f.Places = append(f.Places, policy.Place{Real: e.Path})
				}
				p, err := policy.Compile(ctx, f)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			pl := sandbox.NewPlan(compile("inner.yaml", inner).Under(compile("outer.yaml", c.outer), ""), goodProbe, policy.Own{})
			err := pl.Check()
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range pl.Entries {
				if e.Rights != c.rights[e.Real] {
					t.Errorf("%s has %s, want %s", e.Real, e.Rights, c.rights[e.Real])
				}
			}
			if len(pl.Entries) != len(c.rights) || c.name == "a cap" && (pl.Limits.Memory != 1<<30 || pl.Limits.Processes != 5) {
				t.Errorf("%+v", pl)
			}
		})
	}
}
