package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	b.want(b.run("explain", "command", "git", "push"), 2, "", "a command line goes into one argument, in quotes; see paddock explain --help")
	if got := decode[map[string]any](b, b.run("--json", "nosuch")); got["exit"] != 2.0 || got["error"] == "" {
		t.Errorf("a usage error as JSON: %v", got)
	}
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
	for typed, want := range map[string]string{"paddock exp": "explain", "paddock explain wr": "write", "paddock init --pr": "--profile", "paddock init --profile cod": "coding", "paddock --po": "--policy", "paddock audit ver": "verify", "paddock audit show --st": "--step", "paddock call edi": "edit_file", "paddock explain read tes": ""} {
		if got := complete(strings.Fields(typed)...); got != want {
			t.Errorf("%s<Tab> gives %q, want %q", typed, got, want)
		}
	}
	b.want(b.run("completion", "zsh"), 0, "#compdef paddock", "")
	b.want(b.run("completion", "fish"), 0, "complete -c paddock", "")
}
