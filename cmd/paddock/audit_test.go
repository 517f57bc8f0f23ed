package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const auditedPolicy = `version: 1
paths:
  - {slug: root, path: ., allowed_permission: read|write, denied_path_regex: ["*.env"]}
`

func (b *box) state() string {
	for _, kv := range b.env {
		if dir, ok := strings.CutPrefix(kv, "PADDOCK_STATE="); ok {
			return dir
		}
	}
	b.t.Fatal("the box has no state folder")
	return ""
}

func TestAuditTellsWhatWasDone(t *testing.T) {
	b := newBox(t)
	b.file("p.yaml", auditedPolicy)
	b.file("x.env", "SECRET")
	if r := b.run("audit", "verify"); r.code != exitError || !strings.Contains(r.err, "no audit log") {
		t.Errorf("without a log: %+v", r)
	}
	b.run("--policy", "p.yaml", "call", "write_file", `{"file_path":"/a.txt","content":"CONTENT"}`)
	b.run("--policy", "p.yaml", "call", "read_file", `{"file_path":"/x.env"}`)

	r := b.run("audit", "verify")
	if r.code != exitOK || !strings.Contains(r.out, "no --anchor was given") {
		t.Fatalf("verify: %+v", r)
	}
	var report struct{ Head string }
	r = b.run("--json", "audit", "verify")
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	if r = b.run("audit", "verify", "--anchor", report.Head); r.code != exitOK || !strings.Contains(r.out, "the anchor is in it") {
		t.Errorf("with its head as anchor: %+v", r)
	}
	if r = b.run("audit", "verify", "--anchor", "x"); r.code != exitUsage {
		t.Errorf("a senseless anchor: %+v", r)
	}
	r = b.run("audit", "show")
	for _, want := range []string{"write /a.txt", "read /x.env", "PathAccessDenied", "p.yaml:3"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("show lacks %q:\n%s", want, r.out)
		}
	}
	// Content is told by its size and digest alone.
	sum := sha256.Sum256([]byte("CONTENT"))
	if r := b.run("--json", "audit", "show"); !strings.Contains(r.out, `"bytes":7,"sha256":"`+hex.EncodeToString(sum[:])) {
		t.Errorf("the record lacks the size and digest of what was written:\n%s", r.out)
	}
	if strings.Contains(r.out, "CONTENT") || strings.Contains(r.out, "SECRET") {
		t.Errorf("content is in the record:\n%s", r.out)
	}
	r = b.run("audit", "show", "--verdict", "deny")
	if strings.Contains(r.out, "/a.txt") || !strings.Contains(r.out, "/x.env") {
		t.Errorf("show --verdict deny:\n%s", r.out)
	}
	if r = b.run("audit", "show", "--step", "loaded"); !strings.Contains(r.out, filepath.Join(b.dir, "p.yaml")) || strings.Contains(r.out, "/a.txt") {
		t.Errorf("show --step loaded:\n%s", r.out)
	}
	if r = b.run("audit", "show", "--step", "efect"); r.code != exitUsage || !strings.Contains(r.err, "there are loaded, decided") {
		t.Errorf("a step that is none: %+v", r)
	}
	if r = b.run("audit", "tail", "-n", "1"); strings.Count(r.out, "\n") != 1 || r.code != exitOK {
		t.Errorf("tail -n 1: %+v", r)
	}
}

func TestAuditThatWasChanged(t *testing.T) {
	b := newBox(t)
	b.file("p.yaml", auditedPolicy)
	b.run("--policy", "p.yaml", "call", "write_file", `{"file_path":"/a.txt","content":"x"}`)
	all, err := filepath.Glob(filepath.Join(b.state(), "audit", "audit-*.jsonl"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	text, err := os.ReadFile(all[0])
	must(t, err)
	must(t, os.WriteFile(all[0], bytes.ReplaceAll(text, []byte("/a.txt"), []byte("/b.txt")), 0o600))
	r := b.run("audit", "verify")
	if r.code != exitAudit || !strings.Contains(r.err, filepath.Base(all[0])+":") {
		t.Errorf("verify of a changed log: %+v", r)
	}
	// A start looks at the last record alone. Nothing is done that could not
	// be linked to it.
	at := bytes.LastIndex(text, []byte("outcome"))
	text[at] = 'O'
	must(t, os.WriteFile(all[0], text, 0o600))
	r = b.run("--policy", "p.yaml", "call", "write_file", `{"file_path":"/c.txt","content":"x"}`)
	if _, err := os.Stat(filepath.Join(b.dir, "c.txt")); err == nil || r.code != exitAudit {
		t.Errorf("a call with a changed log: %+v, %v", r, err)
	}
}
