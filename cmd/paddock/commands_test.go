package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paddock/internal/profile"
	"paddock/internal/trust"
)

func TestUsage(t *testing.T) {
	b := newBox(t)
	b.want(b.run(), 0, "Usage: paddock", "")
	help := b.run("--help")
	b.want(help, 0, "7 audit broken", "")
	for _, word := range []string{"init", "check", "explain", "test", "trust", "serve", "tools", "call", "demo", "schema", "completion", "version", "--policy", "--json"} {
		if !strings.Contains(help.out, word) {
			t.Errorf("help does not name %s:\n%s", word, help.out)
		}
	}
	for _, args := range [][]string{
		{"nosuch"}, {"--nosuch"}, {"explain"}, {"explain", "reed", "x"}, {"init", "--profile", "none"}, {"completion", "csh"}, {"check", "a", "b"},
		{"call", "nosuch"}, {"call", "ls", "{"}, {"trust", "--list", "--revoke"},
	} {
		r := b.run(args...)
		b.want(r, 2, "", "paddock: ")
		if r.out != "" {
			t.Errorf("%q writes a result: %s", args, r.out)
		}
	}
	if got := decode[map[string]any](b, b.run("--json", "nosuch")); got["exit"] != 2.0 || got["error"] == "" {
		t.Errorf("a usage error as JSON: %v", got)
	}
}

func TestNoPolicy(t *testing.T) {
	b := newBox(t)
	for _, args := range [][]string{{"check"}, {"explain", "read", "x"}, {"call", "ls"}, {"serve"}, {"trust"}} {
		r := b.run(args...)
		b.want(r, 1, "", "paddock init")
		if r.out != "" {
			t.Errorf("%q without a policy writes %q", args, r.out)
		}
	}
	b.want(b.run("--policy", "nosuch.yaml", "check"), 1, "", `--policy: the policy "nosuch.yaml" cannot be read: no such file`)
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

func TestExplain(t *testing.T) {
	b := policyBox(t)
	for _, c := range []struct {
		what, target string
		code         int
		out          string
	}{
		{"read", "notes.txt", 0, "allow  read notes.txt\n  path     /notes.txt\n  mount    root\n  because  p.yaml:6: allowed_permission of root"},
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

func TestCall(t *testing.T) {
	b := policyBox(t)
	b.want(b.run("call", "read_file", `{"file_path":"/notes.txt"}`), 0, "two", "")
	b.want(b.runWith(`{"file_path":"/notes.txt"}`, "call", "read_file", "-"), 0, "two", "")
	denied := b.run("call", "read_file", `{"file_path":"/.env"}`)
	b.want(denied, 3, "", "Denied: read /.env (PathAccessDenied, policy line 8)")
	if denied.out != "" || strings.Contains(denied.err, b.dir) {
		t.Errorf("a denial: %+v", denied)
	}
	b.want(b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 0, "new.txt", "")
	if text, err := os.ReadFile(filepath.Join(b.dir, "new.txt")); err != nil || string(text) != "x" {
		t.Errorf("written: %q, %v", text, err)
	}
	// Approval is needed and there is no terminal to ask at.
	b.want(b.run("call", "delete", `{"path":"/notes.txt"}`), 5, "", "Denied: ")
	if _, err := os.Stat(filepath.Join(b.dir, "notes.txt")); err != nil {
		t.Errorf("deleted without approval: %v", err)
	}
	b.want(b.run("call", "read_file", `{"file_path":"/nosuch"}`), 1, "", "Error: ")
	b.want(b.run("call", "read_file", `{"file_path":"/a","FILE_PATH":"/.env"}`), 1, "", "Error: ")
	b.want(b.run("call", "write_file", `{"file_path":"/p.yaml","content":"x"}`), 3, "", "PathAccessDenied")
	b.want(b.run("call", "write_file", `{"file_path":"/paddock.yaml","content":"x"}`), 3, "", "PathAccessDenied")

	got := decode[callResult](b, b.run("call", "--json", "ls", `{"path":"/"}`))
	if got.IsError || got.Structured == nil || strings.Contains(got.Text, ".env") {
		t.Errorf("call --json: %+v", got)
	}
	r := b.run("call", "--json", "read_file", `{"file_path":"/.env"}`)
	if got := decode[callResult](b, r); r.code != 3 || !got.IsError || !got.Denied || got.Kind != "PathAccessDenied" || got.Structured != nil {
		t.Errorf("call --json of a denial: exit %d, %+v", r.code, got)
	}
}

func TestListings(t *testing.T) {
	b := newBox(t)
	tools := decode[[]toolJSON](b, b.run("tools", "--json"))
	names := map[string]bool{}
	for _, tool := range tools {
		names[tool.Name] = true
		if !json.Valid(tool.InputSchema) || tool.Description == "" || len(tool.Rights) == 0 {
			t.Errorf("%s is not listed whole", tool.Name)
		}
	}
	for _, name := range []string{"ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete"} {
		if !names[name] {
			t.Errorf("there is no tool %s", name)
		}
	}
	b.want(b.run("tools"), 0, "edit needs read and write", "")
	if got := decode[map[string]any](b, b.run("schema")); got["$schema"] == nil {
		t.Errorf("schema: %v", got)
	}
	b.want(b.run("version"), 0, "paddock ", "")
	if got := decode[map[string]string](b, b.run("version", "--json")); got["go"] == "" || got["version"] == "" {
		t.Errorf("version --json: %v", got)
	}
}

func TestCompletion(t *testing.T) {
	b := newBox(t)
	script := b.run("completion", "bash")
	b.want(script, 0, "complete -o default -F _paddock paddock", "")
	complete := func(words ...string) string {
		t.Helper()
		line := script.out + "\nCOMP_WORDS=(" + strings.Join(words, " ") + "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _paddock; echo \"${COMPREPLY[*]}\"\n"
		out, err := exec.Command("bash", "-c", line).CombinedOutput()
		if err != nil {
			t.Fatalf("bash: %v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for typed, want := range map[string]string{"paddock exp": "explain", "paddock explain wr": "write", "paddock init --pr": "--profile", "paddock init --profile cod": "coding", "paddock --po": "--policy"} {
		if got := complete(strings.Fields(typed)...); got != want {
			t.Errorf("%s<Tab> gives %q, want %q", typed, got, want)
		}
	}
	b.want(b.run("completion", "zsh"), 0, "#compdef paddock", "")
	b.want(b.run("completion", "fish"), 0, "complete -c paddock", "")
}

func TestFoundPolicyIsCappedUntilTrusted(t *testing.T) {
	b := newBox(t)
	b.file("paddock.yaml", boxPolicy)
	b.file("notes.txt", "one\n")
	b.want(b.run("call", "read_file", `{"file_path":"/notes.txt"}`), 0, "one", "run: paddock trust")
	b.want(b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 3, "", "paddock trust")
	b.want(b.run("explain", "write", "/new.txt"), 3, "paddock trust", "run: paddock trust")
	// A program cannot trust.
	b.want(b.runWith("y\ny\n", "trust"), 4, "", "only a person at a terminal")
	b.want(b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 3, "", "")
	b.want(b.run("--policy", "paddock.yaml", "call", "write_file", `{"file_path":"/new.txt","content":"x"}`), 0, "", "")
}

func TestTrustAtATerminal(t *testing.T) {
	b := newBox(t)
	b.file("paddock.yaml", boxPolicy)
	at := func(typed string, args ...string) result {
		t.Helper()
		cmd := b.command(args...)
		person, err := pretend(cmd)
		must(t, err)
		defer person.close()
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		must(t, cmd.Start())
		for !strings.HasSuffix(person.text(), "[N] ") {
			<-person.moved
		}
		if !strings.Contains(person.text(), "required_permission: delete") {
			t.Errorf("the question does not show the policy:\n%s", person.text())
		}
		_, err = person.master.WriteString(typed)
		must(t, err)
		_ = cmd.Wait()
		return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
	}
	write := func() result { return b.run("call", "write_file", `{"file_path":"/new.txt","content":"x"}`) }

	b.want(at("\n", "trust"), 5, "", "is not trusted")
	b.want(write(), 3, "", "")
	b.want(at("y\n", "trust"), 0, "is trusted until it changes", "")
	b.want(write(), 0, "", "")
	b.want(b.run("trust"), 0, "is trusted already", "")
	b.want(b.run("trust", "--list"), 0, b.dir+"/paddock.yaml", "")
	if list := decode[[]trust.Entry](b, b.run("trust", "--list", "--json")); len(list) != 1 || list[0].Path != b.dir+"/paddock.yaml" {
		t.Errorf("trust --list --json: %v", list)
	}
	b.file("paddock.yaml", boxPolicy+"# one word more\n")
	b.want(write(), 3, "", "")
	b.file("paddock.yaml", boxPolicy)
	b.want(write(), 0, "", "")
	must(t, os.Remove(filepath.Join(b.dir, "paddock.yaml")))
	b.want(b.run("trust", "--revoke", "paddock.yaml"), 0, "trusted no longer", "")
	b.want(b.run("trust", "--revoke", "paddock.yaml"), 1, "", "was not trusted")
	b.file("paddock.yaml", boxPolicy)
	b.want(write(), 3, "", "")
}
