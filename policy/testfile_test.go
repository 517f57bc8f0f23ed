package policy

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseTests(t *testing.T) {
	got, err := ParseTests("t.yaml", []byte(`policy: ../paddock.yaml
tests:
  - name: secrets stay closed
    read: .env
    expect: deny
    kind: PathAccessDenied
    line: 7
  - command: git push origin main
    expect: ask
  - {worker: reviewer, write: src/main.go, expect: deny, kind: PermissionDenied}
  - {worker: writer, write: src/main.go, expect: allow}
  - {delete: /reports/, expect: allow}
  - {execute: /, expect: deny}
  - {command: sudo x, expect: deny, kind: CommandDenied}
`))
	if err != nil {
		t.Fatal(err)
	}
	at := func(line, column int) Position { return Position{"t.yaml", line, column} }
	want := &TestFile{Policy: "../paddock.yaml", Tests: []Test{
		{Name: "secrets stay closed", Asks: "read", Target: ".env", Expect: Deny, Kind: PathAccessDenied, Line: 7, Written: at(3, 5)},
		{Name: "command git push origin main", Asks: "command", Target: "git push origin main", Expect: Ask, Written: at(8, 5)},
		{Name: "reviewer: write src/main.go", Worker: "reviewer", Asks: "write", Target: "src/main.go", Expect: Deny, Kind: PermissionDenied, Written: at(10, 5)},
		{Name: "writer: write src/main.go", Worker: "writer", Asks: "write", Target: "src/main.go", Expect: Allow, Written: at(11, 5)},
		{Name: "delete /reports/", Asks: "delete", Target: "/reports/", Expect: Allow, Written: at(12, 5)},
		{Name: "execute /", Asks: "execute", Target: "/", Expect: Deny, Written: at(13, 5)},
		{Name: "command sudo x", Asks: "command", Target: "sudo x", Expect: Deny, Kind: CommandDenied, Written: at(14, 5)},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if s := got.Tests[0].String(); s != "read .env: deny" {
		t.Error(s)
	}
}

func TestParseTestsRefuses(t *testing.T) {
	one := func(test string) string { return "tests: [{" + test + "}]" }
	for _, x := range []struct{ name, text, want string }{
		{"empty", "", "1:1: the file is empty"},
		{"a list", "- read: x", "1:1: expected a mapping (key: value), not a list"},
		{"no tests", "policy: p.yaml", "1:1: tests: there is no test; write for example tests: [{read: .env, expect: deny}]"},
		{"empty tests", "tests: []", "1:1: tests: there is no test; write for example tests: [{read: .env, expect: deny}]"},
		{"misspelt tests", "test: []", `1:1: unknown key "test"; did you mean tests?`},
		{"unknown key", one("reed: x, expect: deny"), `1:10: unknown key "reed" in tests[0]; did you mean read?`},
		{"nothing asked", one("expect: deny"), "1:9: tests[0]: the test asks nothing; add one of read, write, delete, execute (with a path) or command (with a command line)"},
		{"two things asked", one("read: x, write: x, expect: deny"), "1:9: tests[0]: the test asks read and write; a test asks one thing, so write one test for each"},
		{"number as path", one("read: 1, expect: deny"), `1:16: tests[0].read: the number 1 is not a text in YAML; expected a text: write "1" in quotes`},
		{"nothing expected", one("read: x"), "1:9: tests[0].expect: the test expects nothing; add expect: allow, deny or ask"},
		{"other answer", one("read: x, expect: denied"), `1:27: tests[0].expect: "denied" is not known; write allow, deny or ask`},
		{"kind of an allow", one("read: x, expect: allow, kind: PathAccessDenied"), "1:40: tests[0].kind: only a denial has a kind, and this test expects allow"},
		{"kind of an answer", one("read: x, expect: deny, kind: ApprovalDenied"), "1:39: tests[0].kind: ApprovalDenied is what a person's answer leads to, not what a policy says; write expect: ask"},
		{"kind of a command", one("read: x, expect: deny, kind: CommandDenied"), "1:39: tests[0].kind: CommandDenied is for commands; a path is refused by PathAccessDenied or PermissionDenied"},
		{"kind unknown", one("command: x, expect: deny, kind: Denied"), `1:42: tests[0].kind: "Denied" is not known; write PathAccessDenied, PermissionDenied or CommandDenied`},
		{"line", one("read: x, expect: deny, line: 0"), "1:39: tests[0].line: the number 0 must be more than 0; leave the key out for the default"},
		{"worker", one("read: x, expect: deny, worker: a.b"), `1:41: tests[0].worker: "a.b" is no name of a worker`},
		{"same name", "tests:\n- {name: a, read: x, expect: deny}\n- {name: a, read: y, expect: deny}\n", `3:3: tests[1]: "a" is the name of tests[0] too; give each test a name of its own`},
		{"same question", "tests:\n- {read: x, expect: deny}\n- {read: x, expect: ask}\n", `3:3: tests[1]: "read x" is the name of tests[0] too; give each test a name of its own`},
	} {
		_, err := ParseTests("t", []byte(x.text))
		if got := strings.ReplaceAll("\n"+problems(t, err), "\nt:", "\n")[1:]; got != x.want {
			t.Errorf("%s: got\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}
