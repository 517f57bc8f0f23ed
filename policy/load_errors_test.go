package policy

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// root is a policy that loads, to which the tests add what does not.
const root = "paths: [{slug: root, path: .}]\n"

// TestParseRefuses holds the exact words of errors: they are what a person
// has to act on. Each line is LINE:COL: text.
func TestParseRefuses(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"empty", "", "1:1: the file is empty"},
		{"only comments", "# nothing\n", "1:1: the file is empty"},
		{"null", "~\n", "1:1: there is no value; expected a mapping (key: value)"},
		{"a list", "- a\n", "1:1: expected a mapping (key: value), not a list"},
		{"a text", "read everything\n", `1:1: expected a mapping (key: value), not the text "read everything"`},
		{"colon without blank", "paths:[]\n", `1:1: expected a mapping (key: value), not the text "paths:[]"`},
		{"broken", "paths: {root: .\ndeny: [\n", "2:1: not valid YAML: ',' or '}' must be specified"},
		{"second document", root + "---\nrules: []\n", "2:1: a second document begins here; a file holds one, and the rest would go unread"},
		{"empty second document", "---\n" + root + "---\n", "3:1: a second document begins here; a file holds one, and the rest would go unread"},
		{"empty first document", "---\n---\n" + root, "2:1: a second document begins here; a file holds one, and the rest would go unread"},
		{"after the end", root + "...\nrules: []\n", "3:1: a second document begins here; a file holds one, and the rest would go unread"},
		{"directive", "%YAML 1.2\n---\n" + root, "1:1: YAML directives (%) are not read; remove the line"},
		{"anchor", "paths: &p [{slug: root, path: .}]\n", "1:8: & begins an anchor in YAML, and anchors are not read; put a text that begins with & in quotes"},
		{"alias", root + "denied_path_regex: [*.env]\n", `2:21: * begins an alias in YAML, and aliases are not read; put a text that begins with * in quotes, such as "*.env"`},
		{"tag", root + "denied_path_regex: [\"*.log\", !keep.log]\n", `2:30: ! begins a tag in YAML, and tags are not read; put a text that begins with ! in quotes, such as "!keep.log"`},
		{"merge key", root + "<<: {name: x}\n", "2:1: merge keys (<<) are not read; write the keys out"},
		{"question mark", root + "? name\n: x\n", "2:1: a key introduced by ? is not read; write key: value, and put a text that begins with ? in quotes"},
		{"tab", "paths:\n\t- slug: root\n", `2:1: not valid YAML: found character '\t' that cannot start any token: a tab cannot indent or begin a value here; use blanks`},
		{"reserved", root + "name: @me\n", "2:7: not valid YAML: '@' is a reserved character: put the text in quotes"},
		{"two colons", root + "name: a: b\n", `2:7: not valid YAML: mapping value is not allowed in this context: a second ": " stands here; put the text in quotes, or begin a new line`},
		{"after quotes", root + "name: 'a' b\n", "2:11: not valid YAML: value is not allowed in this context. map key-value is pre-defined: text follows a finished value; put the whole value in quotes"},
		{"open bracket", root + "denied_path_regex: [\n", "2:20: not valid YAML: sequence end token ']' not found"},
		{"not UTF-8", root + "name: \xff\n", "2:7: byte 0xff is not UTF-8; save the file as UTF-8"},
		{"NUL", root + "name: é\x00\n", "2:8: the file holds a NUL byte; a policy is text"},
		{"escape character", root + "name: \x1b[2J\n", "2:7: the file holds the invisible character U+001B; remove it, or write it as an escape in double quotes"},
		{"bidi", "# \u202edeny\n" + root, "1:3: the file holds the invisible character U+202E; remove it, or write it as an escape in double quotes"},
		{"carriage return", root + "# fine\rrules: []\n", "2:7: the file holds a carriage return inside a line, which hides text on a terminal; remove it"},
		{"NUL escaped", root + "name: \"a\\0\"\n", `2:7: name: the text "a\x00" holds a NUL character, which no path, pattern or command can`},

		{"no mounts", "version: 1\n", "1:1: paths: there is no mount; list at least one with slug root, such as paths: [{slug: root, path: ., allowed_permission: read}], or say unrestricted_paths: true for no restriction of places at all"},
		{"paths empty", "name: x\npaths: []\n", "2:1: paths: there is no mount; list at least one with slug root, such as paths: [{slug: root, path: ., allowed_permission: read}], or say unrestricted_paths: true for no restriction of places at all"},
		{"paths null", "paths:\n", "1:1: paths: there is no value; expected a list"},
		{"both", root + "unrestricted_paths: true\n", "2:21: unrestricted_paths: this says that there are no mounts, and paths lists some; remove one of the two"},
		{"version 2", "version: 2\n" + root, "1:10: version: this paddock reads version 1, not 2"},
		{"version 0", "version: 0\n" + root, "1:10: version: the number 0 must be more than 0; leave the key out for the default"},
		{"version text", "version: '1'\n" + root, `1:10: version: expected a whole number, such as 256, not the text "1"`},
		{"version octal", "version: 01\n" + root, "1:10: version: expected a whole number, such as 256, not the number 01"},
		{"version hex", "version: 0x1\n" + root, "1:10: version: expected a whole number, such as 256, not the number 0x1"},
		{"empty name", "name: ''\n" + root, "1:7: name: the text is empty; write a value or remove it"},

		{"unknown key", root + "denny_commands: []\n", `2:1: unknown key "denny_commands"; did you mean denied_commands?`},
		{"unknown key inside", "paths: [{slug: root, pth: .}]\n", `1:22: unknown key "pth" in paths[0]; did you mean path?`},
		{"misspelt paths", "pahts: []\n", `1:1: unknown key "pahts"; did you mean paths?`},
		{"far key", "paths: [{slug: root, path: ., colour: red}]\n", `1:31: unknown key "colour" in paths[0]; known are path, slug, backend, allowed_permission, required_permission, denied_permission, denied_path_regex`},
		{"doubled key", root + "denied_path_regex: [a]\ndenied_path_regex: [b]\n", "3:1: denied_path_regex: this key is written twice, first in line 2; join the two"},
		{"doubled key in JSON", `{"paths": [{"slug": "root", "path": ".", "path": "/"}]}`, "1:42: paths[0].path: this key is written twice, first in line 1; join the two"},
		{"number as key", root + "interrupt_on: {1: true}\n", "2:16: interrupt_on.1: the key is the number 1, not a text; put it in quotes"},
		{"doubled worker", root + "workers: {a: {permissions: read}, a: {permissions: all}}\n", "2:35: workers.a: this key is written twice, first in line 2; join the two"},

		{"number as text", "paths: [{slug: 123, path: .}]\n", `1:16: paths[0].slug: the number 123 is not a text in YAML; expected a text: write "123" in quotes`},
		{"boolean as text", root + "name: true\n", `2:7: name: true is not a text in YAML; expected a text: write "true" in quotes`},
		{"yes", "unrestricted_paths: yes\n", `1:21: unrestricted_paths: the text "yes" is a text in YAML; expected true or false without quotes`},
		{"quoted boolean", "unrestricted_paths: 'true'\n", `1:21: unrestricted_paths: the text "true" is a text in YAML; expected true or false without quotes`},
		{"word as boolean", "unrestricted_paths: maybe\n", `1:21: unrestricted_paths: expected true or false, not the text "maybe"`},
		{"text as list", root + "denied_path_regex: secret\n", `2:20: denied_path_regex: expected a list, not the text "secret"; write [secret]`},
		{"mapping as list", root + "rules: {mode: deny}\n", "2:8: rules: expected a list, not a mapping (key: value)"},
		{"list as mapping", root + "limits: [timeout]\n", "2:9: limits: expected a mapping (key: value), not a list"},
		{"mapping as text", root + "name: {a: b}\n", `2:7: name: expected a text, not a mapping (key: value); a text that holds ": " needs quotes`},
		{"colon in a pattern", root + "allowed_commands:\n  - re: x\n", `3:5: allowed_commands[0]: expected a text, not a mapping (key: value); a text that holds ": " needs quotes`},
		{"worker name", root + "workers:\n  a b: {}\n", `3:3: workers.a b: "a b" is no name for a worker; use 1 to 64 letters, digits, _ and -`},
		{"key with a line break", root + "interrupt_on: {\"a\\nb\": 1}\n", `2:24: interrupt_on.a\nb: expected true, false or {allowed_decisions: [approve, reject]}, not the number 1`},
		{"long key", root + "interrupt_on: {" + strings.Repeat("k", 90) + ": 1}\n", "2:108: interrupt_on." + strings.Repeat("k", 67) + "…: expected true, false or {allowed_decisions: [approve, reject]}, not the number 1"},
		{"null as key", root + "interrupt_on: {~: true}\n", "2:16: interrupt_on.~: the key is empty, not a text; put it in quotes"},
		{"list of workers", root + "workers: [a]\n", "2:10: workers: expected a mapping (key: value), not a list"},
		{"null as text", root + "name: ~\n", "2:7: name: there is no value; expected a text"},
		{"null item", root + "allowed_commands: [git, ]\ndenied_path_regex: [~]\n", "3:21: denied_path_regex[0]: there is no value; expected a text"},
		{"null worker", root + "workers: {a: }\n", "2:11: workers.a: there is no value; expected a mapping (key: value)"},

		{"permission word", root + "permissions: read|wirte\n", `2:14: permissions: unknown permission "wirte"; known are read, write, execute, delete, all, none`},
		{"permission typo", root + "permissions: wirte\n", `2:14: permissions: unknown permission "wirte"; known are read, write, execute, delete, all, none; did you mean write?`},
		{"permission empty", root + "permissions: ' '\n", `2:14: permissions: an empty permission; write none for no right`},
		{"permission number", root + "permissions: 7\n", `2:14: permissions: the number 7 is not a text in YAML; expected rights, such as read|write or [read, write]: write "7" in quotes`},
		{"permission list", root + "permissions: [read, [write], execut]\n", "2:21: permissions[1]: expected a right, not a list\n2:30: permissions[2]: unknown permission \"execut\"; known are read, write, execute, delete, all, none; did you mean execute?"},
		{"permission empty list", root + "permissions: []\n", "2:14: permissions: the list is empty; write none for no right"},

		{"duration without unit", root + "limits: {timeout: 10}\n", "2:19: limits.timeout: expected a duration with its unit, such as 90s, 10m or 1h30m, not the number 10"},
		{"duration in days", root + "limits: {timeout: 1d}\n", `2:19: limits.timeout: expected a duration with its unit, such as 90s, 10m or 1h30m, not the text "1d"`},
		{"duration list", root + "limits: {timeout: [1s]}\n", "2:19: limits.timeout: expected a duration with its unit, such as 90s, 10m or 1h30m, not a list"},
		{"duration zero", root + "approval: {timeout: 0s}\n", `2:21: approval.timeout: the text "0s" must be more than 0; leave the key out for the default`},
		{"duration negative", root + "approval: {timeout: -1m}\n", `2:21: approval.timeout: the text "-1m" must be more than 0; leave the key out for the default`},
		{"size decimal unit", root + "limits: {memory: 2GB}\n", `2:18: limits.memory: the text "2GB": unknown unit "GB"; known are B, KiB, MiB, GiB, TiB, in steps of 1024`},
		{"size fraction", root + "limits: {memory: 1.5GiB}\n", `2:18: limits.memory: the text "1.5GiB": expected a size, such as 4096, 100KiB, 64MiB or 2GiB`},
		{"size huge", root + "limits: {memory: 9000000000TiB}\n", `2:18: limits.memory: the text "9000000000TiB": this is more bytes than can be counted`},
		{"size negative", root + "limits: {memory: -1}\n", "2:18: limits.memory: the number -1: expected a size, such as 4096, 100KiB, 64MiB or 2GiB"},
		{"size zero", root + "limits: {output: 0}\n", "2:18: limits.output: the number 0 must be more than 0; leave the key out for the default"},
		{"size list", root + "limits: {output: []}\n", "2:18: limits.output: expected a size, such as 100KiB or 2GiB, not a list"},
		{"processes zero", root + "limits: {processes: 0}\n", "2:21: limits.processes: the number 0 must be more than 0; leave the key out for the default"},
		{"processes huge", root + "limits: {processes: 99999999999}\n", "2:21: limits.processes: expected a whole number, such as 256, not the number 99999999999"},

		{"interrupt text", root + "interrupt_on: {delete: ask}\n", `2:24: interrupt_on.delete: expected true, false or {allowed_decisions: [approve, reject]}, not the text "ask"`},
		{"interrupt empty", root + "interrupt_on: {delete: {}}\n", "2:24: interrupt_on.delete: expected true, false or {allowed_decisions: [approve, reject]}"},
		{"interrupt no decision", root + "interrupt_on: {delete: {allowed_decisions: []}}\n", "2:24: interrupt_on.delete: allowed_decisions is empty, so nobody could ever answer; list some of approve, edit, reject, respond"},
		{"interrupt key", root + "interrupt_on: {delete: {allowed: [approve]}}\n", `2:25: unknown key "allowed" in interrupt_on.delete; known are allowed_decisions`},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := Parse("p", []byte(x.text))
			got := strings.ReplaceAll("\n"+problems(t, err), "\np:", "\n")[1:]
			if got != x.want {
				t.Errorf("got\n%s\nwant\n%s", got, x.want)
			}
		})
	}
}

func TestParseBoundsWhatItReads(t *testing.T) {
	for name, x := range map[string]struct{ text, want string }{
		"size":           {root + strings.Repeat("#", MaxFile), fmt.Sprintf("p:1:1: the file has %d bytes; at most %d are read", len(root)+MaxFile, MaxFile)},
		"brackets":       {root + "name: " + strings.Repeat("[", 400_000), "p:2:27: " + tooDeep},
		"braces":         {root + "name: " + strings.Repeat("{a: ", 100_000), "p:2:87: " + tooDeep},
		"dashes":         {strings.Repeat("- ", 300_000) + "a", "p:1:41: " + tooDeep},
		"colons":         {strings.Repeat("a: ", 300_000), "p:1:62: " + tooDeep},
		"keys":           {strings.Repeat("a: b\n", 100_000), "p:1001:2: this mapping has more than 1000 keys"},
		"inner keys":     {root + "workers:\n" + strings.Repeat("    a: b\n", 100_000), "p:1003:6: this mapping has more than 1000 keys"},
		"colons alone":   {strings.Repeat(":\n", 100_000), "p:1001:1: this mapping has more than 1000 keys"},
		"reserved signs": {strings.Repeat("@", 100_000), "p:1:1: not valid YAML: '@' is a reserved character: put the text in quotes"},
	} {
		_, err := Parse("p", []byte(x.text))
		if got := problems(t, err); got != x.want {
			t.Errorf("%s: got %.300s, want %s", name, got, x.want)
		}
	}
}

// Width is counted by mapping, so that a long list of rules is no offence.
func TestParseTakesLongLists(t *testing.T) {
	text := root + "rules:\n" + strings.Repeat("  - operations: [read]\n    paths: [/a]\n    mode: deny\n", 5000) + "workers:\n  a:\n    rules:\n" + strings.Repeat("    - operations: [read]\n      paths: [/a]\n", 1500)
	if c := mustParse(t, text); len(c.Rules) != 5000 || len(*c.Workers["a"].Rules) != 1500 {
		t.Errorf("%d rules", len(c.Rules))
	}
}

func TestParseReportsAllProblemsInOrder(t *testing.T) {
	_, err := Parse("p", []byte("rules: [{operations: [raed], paths: [x], mode: alow}]\nnmae: x\npaths:\n  - {slug: a/b, path: ~/x}\nlimits: {memory: lots}\n"))
	const want = `p:1:23: rules[0].operations[0]: "raed" is not known; write read or write; did you mean read?
p:1:38: rules[0].paths[0]: the path "x" can't be used: it must begin with '/': paths of rules are absolute
p:1:48: rules[0].mode: "alow" is not known; write allow, deny or interrupt; did you mean allow?
p:2:1: unknown key "nmae"; did you mean name?
p:3:1: paths: no entry has slug root; give it to the mount that paths without a slug belong to
p:4:12: paths[0].slug: the slug "a/b" has a slash in the middle; a slug is one folder name, such as "a-b"
p:4:23: paths[0].path: "~/x": ~ is not expanded; write the whole path, or ./~/x for a folder of that name
p:5:18: limits.memory: the text "lots": expected a size, such as 4096, 100KiB, 64MiB or 2GiB`
	if got := problems(t, err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseStopsCountingProblems(t *testing.T) {
	_, err := Parse("p", []byte(root+"rules:\n"+strings.Repeat("  - {operations: [x], paths: [y]}\n", 200)))
	lines := strings.Split(problems(t, err), "\n")
	if len(lines) != maxProblems+1 || lines[maxProblems] != "p:27:31: and 350 more problems; fix these first" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestErrorsShowValuesSafely(t *testing.T) {
	_, err := Parse("p", []byte(root+"rules: [{operations: [read], paths: [\"\\e[2J\\u202e\"]}]\n"))
	if got := problems(t, err); !strings.Contains(got, `"\x1b[2J\u202e"`) {
		t.Errorf("%q", got)
	}
	_, err = Parse("p", []byte(root+"rules: [{operations: [read], paths: ["+strings.Repeat("é", 1000)+"]}]\n"))
	if got := problems(t, err); !strings.Contains(got, "é\"… can't be used") || len(got) > 200 {
		t.Errorf("%q", got)
	}
}

// TestParserFailures gives the reader a parser that fails in ways in which the
// real one is not known to fail.
func TestParserFailures(t *testing.T) {
	for name, x := range map[string]struct {
		parse treeParser
		want  string
	}{
		"panic":    {func(token.Tokens) (*ast.File, error) { panic("index out of range") }, "p:1:1: the YAML parser gave up on this text: index out of range"},
		"unplaced": {func(token.Tokens) (*ast.File, error) { return nil, errors.New("bad luck") }, "p:1:1: bad luck"},
		"no token": {func(token.Tokens) (*ast.File, error) { return nil, placeless{} }, "p:1:1: not valid YAML: odd"},
	} {
		n, problem := readTree("p", []byte(root), x.parse)
		if n != nil || problem.String() != x.want {
			t.Errorf("%s: %v", name, problem)
		}
	}
}

type placeless struct{}

func (placeless) Error() string          { return "never asked" }
func (placeless) GetToken() *token.Token { return nil }
func (placeless) GetMessage() string     { return "odd" }
