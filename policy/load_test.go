package policy

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// full is DESIGN 3's example and every key beside it.
const full = `# who may do what
version: 1
name: worker_1
paths:
  - {slug: root, path: ./workspace, allowed_permission: read|write, required_permission: write, denied_permission: delete, denied_path_regex: ["*.env", "!example.env"]}
  - slug: /reports/
    path: ../reports
    allowed_permission: [Read, " WRITE "]
  - {slug: memories, backend: store, allowed_permission: "read, write"}
denied_path_regex:
  - "**/.git/hooks/**"
denied_names: locked
permissions: read
rules:
  - operations: [read, write]
    paths:
      - "/secret/**"
      - "/{a,b}/*.key"
    mode: deny
  - {operations: [read], paths: ["/**"]}
allowed_commands: ["git *"]
denied_commands: [default, 're:\bdocker\b']
ask_commands: ["git push *"]
unlisted_commands: deny
interrupt_on: {delete: true, grep: false, execute: {allowed_decisions: [approve, reject]}}
require_approval_for: none
approval: {chain: [delegate, inbox, terminal], timeout: 10m, at_least: {delete: person}}
network:
  allow: ["*.example.org:443", localhost, "10.0.0.7:5432", "[::1]:80"]
  deny: [www.example.org]
  credentials: [{host: api.example.org, header: Authorization, env: API_TOKEN}]
  unix_sockets: inside
limits: {timeout: 120s, memory: 2GiB, processes: 256, output: 100KiB, exec: mounts-only}
interpreter: {ptc: [read_file, grep], timeout: 5s, memory: 67108864, clock: coarse}
workers:
  reviewer:
    description: reads and comments
    permissions: read
    rules:
      - {operations: [write], paths: ["/**"], mode: deny}
    rules_may_widen: true
    limits: {timeout: 1h30m}
`

func mustParse(t *testing.T, text string) *SecurityContext {
	t.Helper()
	c, err := Parse("p.yaml", []byte(text))
	if err != nil {
		t.Fatalf("the policy does not load:\n%v", err)
	}
	return c
}

func TestParseReadsEveryKey(t *testing.T) {
	c := mustParse(t, full)
	if c.File() != "p.yaml" || c.Name != "worker_1" || c.Version != 1 || c.DeniedNames != Locked {
		t.Errorf("top: %+v", c)
	}
	if len(c.Paths) != 3 {
		t.Fatalf("paths: %+v", c.Paths)
	}
	root := c.Paths[0]
	if !root.IsRoot() || *root.AllowedPermission != Read|Write || *root.RequiredPermission != Write || *root.DeniedPermission != Delete || root.DeniedPathRegex[1] != "!example.env" {
		t.Errorf("root: %+v", root)
	}
	if r := c.Paths[1]; r.Slug != "reports" || *r.AllowedPermission != Read|Write || r.RequiredPermission != nil || r.DeniedPathRegex != nil {
		t.Errorf("reports: %+v", r)
	}
	if r := c.Paths[2]; r.Backend != "store" || *r.AllowedPermission != Read|Write {
		t.Errorf("memories: %+v", r)
	}
	if r := c.Rules[0]; r.Mode != ModeDeny || len(r.Operations) != 2 || r.Paths[1] != "/{a,b}/*.key" {
		t.Errorf("rules[0]: %+v", r)
	}
	if *c.Permissions != Read || *c.RequireApprovalFor != None {
		t.Error("permissions")
	}
	if d := *c.DeniedCommands; len(d) != 2 || d[1] != `re:\bdocker\b` {
		t.Errorf("denied_commands: %q", d)
	}
	if on := c.InterruptOn; !on["delete"].Ask || on["grep"].Ask || !on["execute"].Ask || strings.Join(on["execute"].AllowedDecisions, " ") != "approve reject" {
		t.Errorf("interrupt_on: %+v", on)
	}
	if a := c.Approval; a.Timeout != 10*time.Minute || a.AtLeast["delete"] != ByPerson || len(a.Chain) != 3 {
		t.Errorf("approval: %+v", a)
	}
	if n := c.Network; len(n.Allow) != 4 || n.Credentials[0].Env != "API_TOKEN" || n.UnixSockets != "inside" {
		t.Errorf("network: %+v", n)
	}
	if l := c.Limits; l != (Limits{2 * time.Minute, 2 << 30, 256, 100 << 10, "mounts-only"}) {
		t.Errorf("limits: %+v", l)
	}
	if i := c.Interpreter; i.Memory != 64<<20 || i.Timeout != 5*time.Second || i.Clock != "coarse" || len(i.PTC) != 2 {
		t.Errorf("interpreter: %+v", i)
	}
	w := c.Workers["reviewer"]
	if *w.Permissions != Read || len(*w.Rules) != 1 || !w.RulesMayWiden || w.Limits.Timeout != 90*time.Minute || w.Network != nil || w.DeniedCommands != nil {
		t.Errorf("worker: %+v", w)
	}
}

func TestParseLeavesUnsetWhatIsNotWritten(t *testing.T) {
	c := mustParse(t, "paths: [{slug: root, path: .}]")
	if c.Version != 0 || c.Name != "" || c.Permissions != nil || c.DeniedCommands != nil || c.RequireApprovalFor != nil || c.Paths[0].AllowedPermission != nil {
		t.Errorf("a default was filled in: %+v", c)
	}
}

func TestParseTakesJSON(t *testing.T) {
	c := mustParse(t, "{\n\t\"paths\": [\n\t\t{\"slug\": \"root\", \"path\": \"a\\u00e9\\/\\ud83d\\ude00\", \"allowed_permission\": \"all\"}\n\t],\n\t\"limits\": {\"processes\": 9}\n}\n")
	if c.Paths[0].Path != "aé/😀" || *c.Paths[0].AllowedPermission != All || c.Limits.Processes != 9 {
		t.Errorf("%+v", c)
	}
	if at := c.Where("paths[0].path"); at.Line != 3 {
		t.Errorf("path at %v", at)
	}
}

func TestParseToleratesWhatEditorsWrite(t *testing.T) {
	for name, text := range map[string]string{
		"byte order mark":  "\ufeffpaths: [{slug: root, path: .}]\n",
		"crlf":             "version: 1\r\npaths:\r\n  - slug: root\r\n    path: .\r\n",
		"document mark":    "# mine\n---\npaths: [{slug: root, path: .}]\n",
		"end mark":         "paths: [{slug: root, path: .}]\n...\n# done\n",
		"no final newline": "paths: [{slug: root, path: .}]",
		"yes is a text":    "paths: [{slug: root, path: no}]",
	} {
		if _, err := Parse("p.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// column finds a text in a line, both counted from 1, without the parser.
func column(t *testing.T, line int, mark string) Position {
	t.Helper()
	before, _, ok := strings.Cut(strings.Split(full, "\n")[line-1], mark)
	if !ok {
		t.Fatalf("line %d has no %q", line, mark)
	}
	return Position{"p.yaml", line, len([]rune(before)) + 1}
}

func TestWhere(t *testing.T) {
	c := mustParse(t, full)
	for _, x := range []struct {
		address string
		line    int
		mark    string
	}{
		{"version", 2, "1"},
		{"name", 3, "worker_1"},
		{"paths", 4, "paths"},
		{"paths[0]", 5, "{"},
		{"paths[0].slug", 5, "root"},
		{"paths[0].denied_path_regex", 5, "denied_path_regex"},
		{"paths[0].denied_path_regex[1]", 5, `"!example.env"`},
		{"paths[1]", 6, "slug"},
		{"paths[1].path", 7, "../reports"},
		{"paths[1].allowed_permission", 8, "allowed"},
		{"paths[1].allowed_permission[1]", 8, `" WRITE "`},
		{"paths[2].allowed_permission", 9, `"read, write"`},
		{"denied_path_regex[0]", 11, `"**`},
		{"permissions", 13, "read"},
		{"rules[0]", 15, "operations"},
		{"rules[0].operations[1]", 15, "write"},
		{"rules[0].paths", 16, "paths"},
		{"rules[0].paths[1]", 18, `"/{a`},
		{"rules[1]", 20, "{"},
		{"denied_commands[1]", 22, "'re:"},
		{"interrupt_on.delete", 25, "true"},
		{"interrupt_on.execute", 25, "execute"},
		{"interrupt_on.execute.allowed_decisions[0]", 25, "approve"},
		{"approval.timeout", 27, "10m"},
		{"approval.at_least.delete", 27, "person"},
		{"network.credentials[0].env", 31, "API_TOKEN"},
		{"limits.memory", 33, "2GiB"},
		{"workers.reviewer", 36, "reviewer"},
		{"workers.reviewer.rules[0]", 40, "{"},
		{"workers.reviewer.limits.timeout", 42, "1h30m"},
	} {
		if got, want := c.Where(x.address), column(t, x.line, x.mark); got != want {
			t.Errorf("%s is at %v, want %v", x.address, got, want)
		}
	}
	if c.Where("") != (Position{}) || c.Where("paths[3]") != (Position{}) || (&SecurityContext{}).Where("name") != (Position{}) || (&SecurityContext{}).File() != "" {
		t.Error("what is not written has a place")
	}
}

// problems is the text of an error that Parse gave, line by line.
func problems(t *testing.T, err error) string {
	t.Helper()
	var load *LoadError
	if err != nil && !errors.As(err, &load) {
		t.Fatalf("%T is no *LoadError: %v", err, err)
	}
	if err == nil {
		return "no error"
	}
	return err.Error()
}
