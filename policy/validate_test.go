package policy

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// anEntry is a context with one valid mount, to which the tests add faults.
func anEntry() PathEntry { return PathEntry{Slug: "root", Path: "."} }

func rights(p Permission) *Permission { return &p }

func TestValidateAcceptsAProgramsContext(t *testing.T) {
	for name, c := range map[string]SecurityContext{
		"zero":         {},
		"root":         {Paths: []PathEntry{anEntry()}},
		"slashes":      {Paths: []PathEntry{{Slug: "/root/", Path: "/srv"}}},
		"version":      {Version: 1},
		"unrestricted": {UnrestrictedPaths: true},
		"worker": {Workers: map[string]Worker{"a_B-1": {
			Paths: []PathEntry{{Slug: "root", Path: "x"}}, Rules: &[]Rule{}, Approval: &Approval{}, Network: &Network{}, Limits: &Limits{}, Interpreter: &Interpreter{},
		}}},
	} {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestValidateRefuses names each fault by the address of the value and the
// words that tell what to do.
func TestValidateRefuses(t *testing.T) {
	entry := func(change func(*PathEntry)) SecurityContext {
		e := PathEntry{Slug: "x", Path: "x"}
		change(&e)
		return SecurityContext{Paths: []PathEntry{anEntry(), e}}
	}
	slug := func(s string) SecurityContext { return entry(func(e *PathEntry) { e.Slug = s }) }
	rule := func(r Rule) SecurityContext {
		if r.Operations == nil {
			r.Operations = []Operation{OpRead}
		}
		if r.Paths == nil {
			r.Paths = []string{"/a"}
		}
		return SecurityContext{Rules: []Rule{r}}
	}
	host := func(h string) SecurityContext { return SecurityContext{Network: Network{Allow: []string{h}}} }
	secret := func(c Credential) SecurityContext {
		return SecurityContext{Network: Network{Credentials: []Credential{c}}}
	}
	for _, x := range []struct {
		name string
		c    SecurityContext
		want string
	}{
		{"version", SecurityContext{Version: 3}, "version: this paddock reads version 1, not 3"},
		{"denied_names", SecurityContext{DeniedNames: "hiden"}, `denied_names: "hiden" is not known; write hidden or locked; did you mean hidden?`},
		{"permission bits", SecurityContext{Permissions: rights(0x30)}, "permissions: the permission 0x30 has bits that are no right"},
		{"approval bits", SecurityContext{RequireApprovalFor: rights(0x10)}, "require_approval_for: the permission 0x10"},
		{"unrestricted with paths", SecurityContext{UnrestrictedPaths: true, Paths: []PathEntry{anEntry()}}, "unrestricted_paths: this says that there are no mounts"},

		{"no root", SecurityContext{Paths: []PathEntry{{Slug: "a", Path: "."}}}, "paths: no entry has slug root"},
		{"two roots", SecurityContext{Paths: []PathEntry{anEntry(), anEntry()}}, `paths[1].slug: the slug "root" is taken by paths[0]`},
		{"two spellings", SecurityContext{Paths: []PathEntry{anEntry(), {Slug: "/root", Path: "x"}}}, `paths[1].slug: the slug "/root" is taken by paths[0]`},
		{"slug missing", slug(""), "paths[1].slug: the entry has no slug"},
		{"slug slash", slug("/"), `paths[1].slug: "/" is no slug`},
		{"slug dot", slug("."), `paths[1].slug: "." is a place relative to another`},
		{"slug dots", slug(".."), `paths[1].slug: ".." is a place relative to another`},
		{"slug home", slug("~"), `paths[1].slug: "~" stands for a home folder`},
		{"slug nested", slug("a/b"), `paths[1].slug: the slug "a/b" has a slash in the middle; a slug is one folder name, such as "a-b"`},
		{"slug long", slug(strings.Repeat("a", 65)), "has 65 characters; at most 64 are allowed"},
		{"slug blank", slug("my docs"), `paths[1].slug: the slug "my docs" has characters other than`},
		{"slug script", slug("dоcs"), "has characters other than letters, digits"}, // a Cyrillic o
		{"path missing", entry(func(e *PathEntry) { e.Path = "" }), "paths[1].path: the entry has no path"},
		{"path home", entry(func(e *PathEntry) { e.Path = "~/docs" }), `paths[1].path: "~/docs": ~ is not expanded`},
		{"path NUL", entry(func(e *PathEntry) { e.Path = "a\x00" }), `paths[1].path: the path "a\x00" holds a NUL`},
		{"path of memory", entry(func(e *PathEntry) { e.Backend = "memory" }), "paths[1].path: a mount with backend memory is no folder"},
		{"backend", entry(func(e *PathEntry) { e.Backend = "a b" }), `paths[1].backend: "a b" is no backend`},
		{"entry bits", entry(func(e *PathEntry) { e.DeniedPermission = rights(0x80) }), "paths[1].denied_permission: the permission 0x80"},
		{"required outside allowed", entry(func(e *PathEntry) { e.AllowedPermission, e.RequiredPermission = rights(Read), rights(Read|Write) }),
			"paths[1].required_permission: write needs approval here but is not in allowed_permission (read)"},

		{"pattern empty", SecurityContext{DeniedPathRegex: []string{"a", " "}}, `denied_path_regex[1]: the pattern " " is empty and would deny nothing`},
		{"pattern slash", SecurityContext{DeniedPathRegex: []string{"/"}}, `denied_path_regex[0]: the pattern "/" is empty`},
		{"pattern negation", SecurityContext{DeniedPathRegex: []string{"!"}}, "denied_path_regex[0]: nothing follows the !"},
		{"pattern comment", SecurityContext{DeniedPathRegex: []string{"#a"}}, `denied_path_regex[0]: "#a" is a comment in the .gitignore dialect and denies nothing; write "\\#a"`},
		{"pattern bracket", SecurityContext{DeniedPathRegex: []string{"a", "b[c"}}, `denied_path_regex[1]: the pattern "b[c" can match nothing`},
		{"pattern NUL", SecurityContext{DeniedPathRegex: []string{"ok", "a\x00", "b\nc"}}, "denied_path_regex[1]: the pattern \"a\\x00\" can't be used: holds a NUL byte\ndenied_path_regex[2]: the pattern \"b\\nc\" can't be used: holds a line break"},
		{"pattern byte order mark", SecurityContext{DeniedPathRegex: []string{"\ufeff#a"}}, `denied_path_regex[0]: "\ufeff#a" begins with an invisible byte order mark`},
		{"pattern of an entry", entry(func(e *PathEntry) { e.DeniedPathRegex = []string{""} }), `paths[1].denied_path_regex[0]: the pattern "" is empty`},

		{"rule mode", rule(Rule{Mode: "block"}), `rules[0].mode: "block" is not known; write allow, deny or interrupt`},
		{"rule without operation", rule(Rule{Operations: []Operation{}}), "rules[0].operations: the rule names no operation"},
		{"rule without path", rule(Rule{Paths: []string{}}), "rules[0].paths: the rule names no path"},
		{"operation empty", rule(Rule{Operations: []Operation{""}}), "rules[0].operations[0]: the operation is empty"},
		{"operation delete", rule(Rule{Operations: []Operation{OpRead, "delete"}}), "rules[0].operations[1]: rules know read and write, and write covers delete"},
		{"operation execute", rule(Rule{Operations: []Operation{"execute"}}), "rules[0].operations[0]: rules know read and write only"},
		{"operation unknown", rule(Rule{Operations: []Operation{"list"}}), `rules[0].operations[0]: "list" is not known; write read or write`},
		{"rule path empty", rule(Rule{Paths: []string{"/a", ""}}), `rules[0].paths[1]: the path "" can't be used: it must begin with '/'`},
		{"rule path relative", rule(Rule{Paths: []string{"workspace/**"}}), `rules[0].paths[0]: the path "workspace/**" can't be used: it must begin with '/'`},
		{"rule path up", rule(Rule{Paths: []string{"/a/../b"}}), `rules[0].paths[0]: the path "/a/../b" can't be used: it may not contain '..'`},
		{"rule path up by backslash", rule(Rule{Paths: []string{`/a/..\b`}}), `rules[0].paths[0]: the path "/a/..\\b" can't be used: it may not contain '..'`},
		{"rule path home", rule(Rule{Paths: []string{"/~/a"}}), `rules[0].paths[0]: the path "/~/a" can't be used: it may not contain '~'`},
		{"rule path brace bomb", rule(Rule{Paths: []string{"/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"}}), "rules[0].paths[0]: the path"},

		{"unlisted", SecurityContext{UnlistedCommands: "deney"}, `unlisted_commands: "deney" is not known; write allow, ask or deny; did you mean deny?`},
		{"command empty", SecurityContext{AllowedCommands: []string{"git *", ""}}, `allowed_commands[1]: "" can't be used: the pattern is empty`},
		{"command lookaround", SecurityContext{DeniedCommands: &[]string{"default", "re:a(?!b)"}}, `denied_commands[1]: "re:a(?!b)" can't be used: lookaround`},
		{"command expression", SecurityContext{AskCommands: []string{"re:("}}, `ask_commands[0]: "re:(" can't be used: not a valid RE2 expression`},

		{"tool empty", SecurityContext{InterruptOn: map[string]InterruptOn{" ": {Ask: true}}}, "interrupt_on: the name of a tool is empty"},
		{"decisions unasked", SecurityContext{InterruptOn: map[string]InterruptOn{"ls": {AllowedDecisions: []string{"edit"}}}}, "interrupt_on.ls: allowed_decisions are given for a tool that does not ask"},
		{"decision", SecurityContext{InterruptOn: map[string]InterruptOn{"ls": {true, []string{"edit", "accept"}}}}, `interrupt_on.ls.allowed_decisions[1]: "accept" is not known; write approve, edit, reject or respond`},
		{"way", SecurityContext{Approval: Approval{Chain: []string{"terminal", "console"}}}, `approval.chain[1]: "console" is not known`},
		{"way empty", SecurityContext{Approval: Approval{Chain: []string{""}}}, "approval.chain[0]: the word is empty"},
		{"way twice", SecurityContext{Approval: Approval{Chain: []string{"inbox", "auto", "inbox"}}}, `approval.chain[2]: "inbox" is in the chain twice`},
		{"approval time", SecurityContext{Approval: Approval{Timeout: -time.Second}}, "approval.timeout: -1s is negative"},
		{"floor of no right", SecurityContext{Approval: Approval{AtLeast: map[string]Assurance{"remove": ByHost}}}, `approval.at_least.remove: "remove" is not known; write read, write, execute or delete`},
		{"floor unknown", SecurityContext{Approval: Approval{AtLeast: map[string]Assurance{"delete": "persn"}}}, `approval.at_least.delete: "persn" is not known; write program, host or person; did you mean person?`},

		{"host scheme", host("https://a.org/x"), `network.allow[0]: "https://a.org/x" is no host: leave out the scheme`},
		{"host user", host("me@a.org"), "leave out the scheme, the user and the path"},
		{"host empty", host(""), `network.allow[0]: "" is no host: write a name`},
		{"host star", host("*"), "a * stands only for whole names before a domain"},
		{"host inner star", host("a.*.org"), "a * stands only for whole names before a domain"},
		{"host top level", host("*.org"), "*.org would be a whole top-level domain"},
		{"host script", host("bücher.example"), "in their xn-- form"},
		{"host dash", host("-a.org"), "a name has letters, digits"},
		{"host final dash", host("a-.org"), "a name has letters, digits"},
		{"host underscore label", host(strings.Repeat("a", 64) + ".org"), "a name has letters, digits"},
		{"host long", host(strings.Repeat("a.", 127) + "org"), "a name has letters, digits"},
		{"host final dot", host("a.org."), "a name has letters, digits"},
		{"host short address", host("127.1"), "expected an IPv4 address of four numbers"},
		{"host hex address", host("0x7f.0.0.1:80"), "expected an IPv4 address of four numbers"},
		{"host hex number", host("0x7f000001"), "expected an IPv4 address of four numbers"},
		{"host number", host("2130706433"), "expected an IPv4 address of four numbers"},
		{"host wild address", host("*.0.0.1"), "expected an IPv4 address of four numbers"},
		{"port zero", host("a.org:0"), "a port is a number from 1 to 65535"},
		{"port big", host("a.org:65536"), "a port is a number from 1 to 65535"},
		{"port octal", host("a.org:080"), "a port is a number from 1 to 65535"},
		{"port star", host("a.org:*"), "a port is a number from 1 to 65535"},
		{"port empty", host("a.org:"), "a port is a number from 1 to 65535"},
		{"address bare", host("::1"), "put an IPv6 address in brackets"},
		{"address bare long", host("2001:db8::ff"), "put an IPv6 address in brackets"},
		{"address zone", host("[fe80::1%eth0]"), "expected an IPv6 address between the brackets"},
		{"address open", host("[::1:80"), "expected an IPv6 address between the brackets"},
		{"address four", host("[10.0.0.1]"), "expected an IPv6 address between the brackets"},
		{"denied host", SecurityContext{Network: Network{Deny: []string{"a b"}}}, `network.deny[0]: "a b" is no host`},
		{"sockets", SecurityContext{Network: Network{UnixSockets: "pair"}}, `network.unix_sockets: "pair" is not known; write pairs or inside; did you mean pairs?`},

		{"credential host", secret(Credential{Header: "A", Env: "B"}), "network.credentials[0].host: the credential names no host"},
		{"credential bad host", secret(Credential{Host: "a b", Header: "A", Env: "B"}), `network.credentials[0].host: "a b" is no host`},
		{"credential header", secret(Credential{Host: "a.org", Header: "A: b", Env: "B"}), `network.credentials[0].header: "A: b" is no name of an HTTP header`},
		{"credential header missing", secret(Credential{Host: "a.org", Env: "B"}), "network.credentials[0].header:"},
		{"credential source", secret(Credential{Host: "a.org", Header: "A"}), "network.credentials[0]: the credential has no source"},
		{"credential sources", secret(Credential{Host: "a.org", Header: "A", Env: "B", File: "c"}), "network.credentials[0]: the credential has two sources"},
		{"credential variable", secret(Credential{Host: "a.org", Header: "A", Env: "sk-123"}), "network.credentials[0].env:"},
		{"credential digit", secret(Credential{Host: "a.org", Header: "A", Env: "1A"}), "network.credentials[0].env:"},
		{"credential file", secret(Credential{Host: "a.org", Header: "A", File: "a\x00"}), "network.credentials[0].file:"},
		{"credential format", secret(Credential{Host: "a.org", Header: "A", Env: "B", Format: "a\r\nX: y"}), "network.credentials[0].format:"},

		{"limit timeout", SecurityContext{Limits: Limits{Timeout: -1}}, "limits.timeout: -1ns is negative"},
		{"limit memory", SecurityContext{Limits: Limits{Memory: -1}}, "limits.memory: -1 is negative"},
		{"limit processes", SecurityContext{Limits: Limits{Processes: -1}}, "limits.processes: -1 is negative"},
		{"limit output", SecurityContext{Limits: Limits{Output: -5}}, "limits.output: -5 is negative"},
		{"limit exec", SecurityContext{Limits: Limits{Exec: "mounts"}}, `limits.exec: "mounts" is not known; write anywhere or mounts-only`},
		{"interpreter timeout", SecurityContext{Interpreter: Interpreter{Timeout: -1}}, "interpreter.timeout: -1ns is negative"},
		{"interpreter memory", SecurityContext{Interpreter: Interpreter{Memory: -1}}, "interpreter.memory: -1 is negative"},
		{"interpreter clock", SecurityContext{Interpreter: Interpreter{Clock: "fine"}}, `interpreter.clock: "fine" is not known; write none or coarse`},
		{"interpreter tool", SecurityContext{Interpreter: Interpreter{PTC: []string{"a", "*"}}}, `interpreter.ptc[1]: "*" is no name of a tool`},
		{"interpreter tool twice", SecurityContext{Interpreter: Interpreter{PTC: []string{"a", "a"}}}, `interpreter.ptc[1]: "a" is listed twice`},

		{"worker name", SecurityContext{Workers: map[string]Worker{"a.b": {}}}, `workers.a.b: "a.b" is no name for a worker`},
		{"worker name empty", SecurityContext{Workers: map[string]Worker{"": {}}}, `workers: "" is no name for a worker`},
		{"worker rule", SecurityContext{Workers: map[string]Worker{"w": {Rules: &[]Rule{{Paths: []string{"/a"}}}}}}, "workers.w.rules[0].operations: the rule names no operation"},
		{"worker slug", SecurityContext{Workers: map[string]Worker{"w": {Paths: []PathEntry{{Path: "x"}, {Slug: "root", Path: "y"}}}}}, "workers.w.paths[0].slug: the entry has no slug"},
		{"worker root", SecurityContext{Workers: map[string]Worker{"w": {Paths: []PathEntry{{Slug: "a", Path: "x"}}}}}, "workers.w.paths: no entry has slug root"},
		{"worker limit", SecurityContext{Workers: map[string]Worker{"w": {Limits: &Limits{Memory: -1}}}}, "workers.w.limits.memory: -1 is negative"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got := problems(t, x.c.Validate())
			for i, line := range strings.Split(x.want, "\n") {
				if !strings.Contains(got, line) {
					t.Errorf("line %d: got\n%s\nwant\n%s", i, got, line)
				}
			}
			if strings.Count(got, "\n") != strings.Count(x.want, "\n") {
				t.Errorf("more than one complaint about one fault:\n%s", got)
			}
		})
	}
}

func TestValidateAcceptsHosts(t *testing.T) {
	for _, host := range []string{"localhost", "example.org", "EXAMPLE.org:443", "*.example.org", "*.a-b.example.org:8443", "xn--bcher-kva.example", "10.0.0.7", "10.0.0.7:5432", "[::1]", "[2001:db8::1]:65535", "a_b.internal"} {
		c := SecurityContext{Network: Network{Allow: []string{host}}}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestValidateOfAFileNamesItsPlaces(t *testing.T) {
	c := mustParse(t, full)
	c.Rules[0].Paths[1] = "relative"
	c.Paths[1].Slug = ""
	w := c.Workers["reviewer"]
	w.Permissions = rights(0xf0)
	w.Interpreter = &Interpreter{Clock: "fine"} // not written: the worker's place stands for it
	c.Workers["reviewer"] = w
	const want = `p.yaml:6:11: paths[1].slug: the entry has no slug; name the mount, for example slug: root
p.yaml:18:9: rules[0].paths[1]: the path "relative" can't be used: it must begin with '/': paths of rules are absolute
p.yaml:36:3: workers.reviewer.interpreter.clock: "fine" is not known; write none or coarse
p.yaml:38:18: workers.reviewer.permissions: the permission 0xf0 has bits that are no right; combine Read, Write, Execute and Delete`
	if got := problems(t, c.Validate()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReasonsOfOtherErrorsAreShownWhole(t *testing.T) {
	err := errors.New("out of luck")
	if ignoreReason(err) != "out of luck" || globReason(err) != "out of luck" {
		t.Error("a reason was lost")
	}
}
