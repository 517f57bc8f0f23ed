package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/internal/profile"
)

func TestNoPolicy(t *testing.T) {
	b := newBox(t)
	for _, args := range [][]string{{"check"}, {"explain", "read", "x"}, {"call", "ls"}, {"serve"}, {"trust"}} {
		r := b.run(args...)
		b.want(r, 1, "", "paddock init")
		if r.out != "" {
			t.Errorf("%q without a policy writes %q", args, r.out)
		}
	}
	b.want(b.run("--policy", b.dir, "check"), 1, "", "is a folder; name the file in it, such as "+b.dir+"/paddock.yaml")
	b.want(b.run("--policy", "nosuch.yaml", "check"), 1, "", `paddock: the policy "nosuch.yaml" cannot be read: no such file`)
	b.env = append(b.env, "PADDOCK_STATE=relative")
	b.file("paddock.yaml", boxPolicy)
	b.want(b.run("call", "ls"), 1, "", `PADDOCK_STATE is "relative"; it must be an absolute path`)
}

func TestInit(t *testing.T) {
	for _, name := range profile.Names() {
		b := newBox(t)
		b.file("results/x", "")
		b.want(b.run("init", "--profile", name), 0, "paddock.yaml\n", "next: paddock check")
		b.want(b.run("check"), 0, "paddock.yaml: ok", "is not trusted")
		b.want(b.run("--policy", "paddock.yaml", "check"), 0, "paddock.yaml: ok", "")
		before, err := os.ReadFile(filepath.Join(b.dir, "paddock.yaml"))
		must(t, err)
		b.want(b.run("init", "--profile", "readonly"), 1, "", "never overwrites")
		after, err := os.ReadFile(filepath.Join(b.dir, "paddock.yaml"))
		must(t, err)
		if string(before) != string(after) {
			t.Error("init overwrote a policy")
		}
	}
	b := newBox(t)
	must(t, os.Symlink("elsewhere", filepath.Join(b.dir, "paddock.yaml")))
	b.want(b.run("init"), 1, "", "is there already")
	b = newBox(t)
	if got := decode[map[string]string](b, b.run("init", "--json")); got["file"] != "paddock.yaml" || got["profile"] != "coding" {
		t.Errorf("init --json: %v", got)
	}
}

func TestCheck(t *testing.T) {
	b := newBox(t)
	b.file("bad.yaml", "version: 1\npaths:\n  - {slug: root, path: nosuch, allowd_permission: read}\nrulez: []\n")
	r := b.run("check", "bad.yaml")
	b.want(r, 1, "bad.yaml:3:32: unknown key \"allowd_permission\"", "")
	b.want(r, 1, "bad.yaml:4:1: unknown key \"rulez\"", "")
	b.file("missing.yaml", "version: 1\npaths:\n  - {slug: root, path: nosuch, allowed_permission: read}\n")
	b.want(b.run("check", "missing.yaml"), 1, "missing.yaml:3:24: paths[0].path: \"nosuch\"", "")
	// The same lines, when something else needs the policy.
	b.want(b.run("--policy", "missing.yaml", "call", "ls"), 1, "", "missing.yaml:3:24: paths[0].path: \"nosuch\"")
	if r := b.run("--policy", "missing.yaml", "serve"); r.code != 1 || r.out != "" {
		t.Errorf("serve with a broken policy: %+v", r)
	}
	b.file("warn.yaml", "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: read, denied_path_regex: [a/b]}\n  - {slug: again, path: ., allowed_permission: read}\n")
	r = b.run("check", "warn.yaml")
	b.want(r, 0, "warn.yaml:4:25: warning: ", "")
	b.want(r, 0, "warn.yaml: ok\n", "")
	got := decode[checkReport](b, b.run("check", "--json", "warn.yaml"))
	if !got.OK || !got.Trusted || len(got.Problems) != 0 || len(got.Warnings) < 2 || got.Warnings[0].File != "warn.yaml" || got.Warnings[0].Line == 0 {
		t.Errorf("check --json: %+v", got)
	}
	got = decode[checkReport](b, b.run("check", "--json", "bad.yaml"))
	if got.OK || len(got.Problems) < 2 || got.Problems[0].Line != 3 || got.Problems[0].Column != 32 {
		t.Errorf("check --json of a bad file: %+v", got)
	}
	b.file("later.yaml", boxPolicy+"approval: {chain: [auto_deny, inbox]}\n")
	b.want(b.run("check", "later.yaml"), 1, "later.yaml:15:31: approval.chain[1]: this version cannot ask by \"inbox\" yet", "")
	b.file("hostile.yaml", "version: 1\n\"\\e[2Jx\\u202e\": 1\n")
	if r := b.run("check", "hostile.yaml"); strings.ContainsAny(r.out+r.err, "\x1b\u202e") || r.code != 1 {
		t.Errorf("a key of a hostile policy reaches the terminal: %q", r.out+r.err)
	}
	for name, text := range map[string]string{"empty": "", "cut": "paths: [{slug: ro", "two": boxPolicy + "---\n" + boxPolicy, "binary": "\x00\xff"} {
		b.file("x.yaml", text)
		if r := b.run("check", "x.yaml"); r.code != 1 || !strings.HasPrefix(r.out, "x.yaml:") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
