package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	b := policyBox(t)
	for _, c := range []struct {
		what, target string
		code         int
		out          string
	}{
		{"read", "notes.txt", 0, "allow  read notes.txt\n  path     /notes.txt\n  file     " + b.dir + "/notes.txt\n  mount    root\n  because  p.yaml:6: allowed_permission of root"},
		{"read", "/.env", 3, "deny  read /.env\n  kind     PathAccessDenied\n"},
		{"write", "new/file.txt", 0, "allow"},
		{"delete", "notes.txt", 4, "ask  delete notes.txt"},
		{"execute", "notes.txt", 3, "PermissionDenied"},
		{"command", "git status", 3, "deny"}, // no EXECUTE on the working directory
		{"command", "rm -rf /", 3, "CommandDenied"},
		{"read", "/nosuch/../x\x1b[2J", 1, ""},
	} {
		r := b.run("explain", c.what, c.target)
		b.want(r, c.code, c.out, "")
		if strings.Count(r.err, "nosuch") > 1 {
			t.Errorf("the path is named twice: %s", r.err)
		}
		if strings.Contains(r.out+r.err, "\x1b") {
			t.Errorf("explain %s %q writes an escape to the terminal", c.what, c.target)
		}
		if c.code == 1 {
			continue
		}
		got := decode[struct {
			Verdict, Kind, Virtual, Entry string
			Because                       []struct {
				File string
				Line int
				Text string
			}
		}](b, b.run("explain", "--json", c.what, c.target))
		want := map[int]string{0: "allow", 3: "deny", 4: "ask"}[c.code]
		if got.Verdict != want || len(got.Because) == 0 || got.Because[0].Text == "" || (c.code == 3) != (got.Kind != "") {
			t.Errorf("explain --json %s %s: %+v", c.what, c.target, got)
		}
	}
	if r := b.run("explain", "read", "x"); r.code == 0 {
		if _, err := os.Stat(filepath.Join(filepath.Dir(filepath.Dir(b.dir)), "state")); err == nil {
			t.Error("explain made the state folder")
		}
	}
}

func TestPolicyTests(t *testing.T) {
	b := policyBox(t)
	b.file("paddock_test.yaml", `policy: p.yaml
tests:
  - {read: notes.txt, expect: allow}
  - {name: secrets, read: .env, expect: deny, kind: PathAccessDenied, line: 8}
  - {delete: notes.txt, expect: ask, line: 7}
  - {worker: reader, write: notes.txt, expect: deny}
  - {command: rm -rf /, expect: deny, kind: CommandDenied}
`)
	b.want(b.run("test"), 0, "ok  \tpaddock_test.yaml\t5 tests\t", "")
	b.want(b.run("test", "-v"), 0, "--- PASS: secrets\n", "")
	b.file("sub/fail_test.yaml", `policy: ../p.yaml
tests:
  - {read: notes.txt, expect: deny}
  - {name: secrets, read: .env, expect: deny, line: 3}
  - {worker: nobody, read: notes.txt, expect: allow}
  - {read: notes.txt/x, expect: allow}
  - {write: notes.txt, expect: allow}
`)
	r := b.run("test", "sub/fail_test.yaml")
	for _, want := range []string{
		"--- FAIL: read notes.txt\n    sub/fail_test.yaml:3:5: read notes.txt: got allow, want deny\n        ",
		"p.yaml:6: allowed_permission of root", "--- FAIL: secrets\n    sub/fail_test.yaml:4:5: read .env: line 3 of the policy said nothing",
		`the policy has no worker "nobody"`, "FAIL\tsub/fail_test.yaml\t4 of 5 failed",
	} {
		b.want(r, 1, want, "")
	}
	got := decode[struct {
		Passed, Failed int
		Tests          []outcomeJSON
	}](b, b.run("test", "--json", "sub/fail_test.yaml"))
	if got.Passed != 1 || got.Failed != 4 || len(got.Tests) != 5 || got.Tests[4].Failed != "" || !got.Tests[4].Passed || got.Tests[0].Line != 3 {
		t.Errorf("test --json: %+v", got)
	}
	b.file("bad_test.yaml", "tests:\n  - {reed: x, expect: deny}\n")
	b.want(b.run("test", "bad_test.yaml"), 1, "", "bad_test.yaml:2:")
	b.want(b.run("test", "nosuch.yaml"), 1, "", "nosuch.yaml")
}
