package policy

import (
	"fmt"
	"strings"
	"testing"
)

// TestWarnings holds each warning beside the nearest policy that must not be
// warned of. The place is part of the answer; the text is compared by what it
// begins with.
func TestWarnings(t *testing.T) {
	rules := func(lines ...string) string { return "rules:\n  - " + strings.Join(lines, "\n  - ") + "\n" }
	const allowAll, denySecret = `{operations: [read, write], paths: ["/w/**"]}`, `{operations: [read, write], paths: ["/w/.env"], mode: deny}`
	for _, x := range []struct {
		name, text, want string
	}{
		{"clean", "", ""},

		{"inner slash", `denied_path_regex: ["secrets/**"]`, `2:21: denied_path_regex[0]: "secrets/**" is tied to the top of the list's folder by its inner slash, as in git; write "/secrets/**" to say so, or "**/secrets/**" for any depth`},
		{"inner slash negated", `denied_path_regex: ["*.pem", "!a/b.pem"]`, `2:30: denied_path_regex[1]: "!a/b.pem" is tied to the top of the list's folder by its inner slash, as in git; write "!/a/b.pem" to say so, or "!**/a/b.pem"`},
		{"slashes that say what they mean", `denied_path_regex: ["/a/b", "**/c/d", "e/", "*.f"]`, ""},
		{"negation first", `denied_path_regex: ["!keep", "*.log", "!that.log"]`, `2:21: denied_path_regex[0]: "!keep" has no effect: no pattern before it denies anything`},
		{"negation under a denied folder", `denied_path_regex: ["/s/", "!/s/public"]`, `2:28: denied_path_regex[1]: "!/s/public" has no effect: "/s/" denies a folder it lies in`},
		{"negation under a denied content", `denied_path_regex: ["/s/*", "!/s/public", "!/t"]`, ""},
		{"negation with a wildcard", `denied_path_regex: ["/s/", "!/s/*.md"]`, ""},
		{"entry's list", "workers: {w: {paths: [{slug: root, path: a, denied_path_regex: [x/y]}]}}", "2:65: workers.w.paths[0].denied_path_regex[0]: \"x/y\" is tied"},

		{"required and denied", "workers: {w: {paths: [{slug: root, path: a, allowed_permission: all, required_permission: write|delete, denied_permission: delete}]}}", "2:91: workers.w.paths[0].required_permission: delete is denied by denied_permission here, so nobody is ever asked"},
		{"required beside denied", "workers: {w: {paths: [{slug: root, path: a, allowed_permission: all, required_permission: write, denied_permission: delete}]}}", ""},

		{"the swap", rules(allowAll, denySecret), `4:41: rules[1].paths[0]: this deny of "/w/.env" never speaks for read and write: line 3 says allow of "/w/**" first; move the narrower rule up`},
		{"the right order", rules(denySecret, allowAll, `{operations: [read, write], paths: ["/**"], mode: deny}`), ""},
		{"half of a swap", rules(`{operations: [read], paths: ["/**"]}`, denySecret), `4:41: rules[1].paths[0]: this deny of "/w/.env" never speaks for read: line 3 says allow of "/**" first`},
		{"an allow after a broader deny", rules(`{operations: [read], paths: ["/w/**"], mode: deny}`, `{operations: [read], paths: ["/w/a*/**"]}`), `4:34: rules[1].paths[0]: this allow of "/w/a*/**" never speaks for read: line 3 says deny of "/w/**" first`},
		{"an interrupt after a deny", rules(`{operations: [write], paths: ["/a", "/b"], mode: deny}`, `{operations: [write], paths: ["/c", "/b"], mode: interrupt}`), `4:41: rules[1].paths[1]: this interrupt of "/b" never speaks for write: line 3 says deny of "/b" first`},
		{"a repeated rule", rules(denySecret, denySecret), ""},
		{"a rule that is half covered", rules(`{operations: [read], paths: ["/w/*"]}`, `{operations: [read], paths: ["/w/**"], mode: deny}`), ""},
		{"another operation", rules(`{operations: [write], paths: ["/w/**"]}`, `{operations: [read], paths: ["/w/x"], mode: deny}`), ""},

		{"a worker that forgets a denial", rules(denySecret) + "workers: {w: {rules: [" + allowAll + "]}}", `4:15: workers.w.rules: for read of "/w/.env" these rules say allow where the parent's line 3 says deny; the parent's still holds`},
		{"a worker that lifts a denial", rules(`{operations: [write], paths: ["/w/*.key"], mode: interrupt}`) + "workers: {w: {rules: [], rules_may_widen: true}}", `4:15: workers.w.rules: for write of "/w/file.key" these rules say allow where the parent's line 3 says interrupt; rules_may_widen lifts the parent's`},
		{"a worker that restates it", rules(denySecret) + "workers: {w: {rules: [" + denySecret + ", " + allowAll + "]}}", ""},
		{"a worker without rules", rules(denySecret) + "workers: {w: {permissions: read}}", ""},
		{"a denial without a simple name", rules(`{operations: [read], paths: ["/w/[[:digit:]]"], mode: deny}`) + "workers: {w: {rules: []}}", ""},

		{"ask and denied", "denied_commands: [default, 'GIT push']\nask_commands: ['git push *']", `3:16: ask_commands[0]: every command that "git push *" matches is denied by line 2 ("GIT push"), and a denial wins`},
		{"allowed and denied", "denied_commands: ['re:x']\nallowed_commands: ['RE:X *', 're:x', 'git x *']", `3:30: allowed_commands[1]: every command that "re:x" matches is denied by line 2 ("re:x"), and a denial wins`},
		{"denied in part", "denied_commands: ['git push --force']\nallowed_commands: ['git push *', 'g[i]t push --force']\nask_commands: ['re:git push --force']", ""},
		{"not denied by the list", "ask_commands: ['sudo *']", ""},
		{"default elsewhere", "allowed_commands: [default]\nask_commands: [default]\ndenied_commands: [default]", "2:20: allowed_commands[0]: default names the built-in list only in denied_commands\n3:16: ask_commands[0]: default names"},
		{"plain text allowed", "allowed_commands: [ls, 'ls *', 're:^ls$']", `2:20: allowed_commands[0]: "ls" without * ? [ ] is found anywhere in a command, inside other words too; write "ls *" for it with arguments, "re:^ls$" for it alone`},

		{"tool of others", "interrupt_on: {Bash: true}", `2:22: interrupt_on.Bash: paddock has no tool "Bash", so this gate acts only if you add one of that name; did you mean execute?`},
		{"tool misspelt", "interrupt_on: {read-flie: true, delete: true, file_tool: false}", `2:27: interrupt_on.read-flie: paddock has no tool "read-flie", so this gate acts only if you add one of that name; did you mean read_file?`},
		{"tool of one's own", "interrupt_on: {deploy: {allowed_decisions: [approve]}}", `2:16: interrupt_on.deploy: paddock has no tool "deploy", so this gate acts only if you add one of that name`},
		{"ptc", "interpreter: {ptc: [grp]}", "2:1: interpreter: this version reads and checks it and does not enforce it\n2:21: interpreter.ptc[0]: paddock has no tool \"grp\", so code can call it only"},

		{"host denied", "network: {allow: [a.example.org, b.org], deny: ['*.example.org']}", "2:1: network: this version reads\n2:19: network.allow[0]: \"a.example.org\" is denied by line 2 (\"*.example.org\"), and a denial wins"},
		{"credential for nobody", "network: {allow: ['*.b.org'], credentials: [{host: a.org, header: A, env: B}, {host: x.b.org, header: A, env: B}]}", "2:1: network: this version reads\n2:52: network.credentials[0].host: network.allow has no \"a.org\", so this credential is never sent"},
		{"limits", "limits: {processes: 3, timeout: 5s, memory: 1MiB, exec: mounts-only}", ""},
		{"limit of output", "limits: {processes: 3, output: 1MiB}", "2:32: limits.output: this version reads and checks it and does not enforce it"},
		{"ways", "approval: {chain: [inbox, terminal, auto, auto_deny]}", `2:20: approval.chain[0]: this version can't ask by "inbox"; the next way in the chain is asked`},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := mustParse(t, root+x.text+"\n")
			var got []string
			for _, p := range c.Warnings() {
				got = append(got, strings.TrimPrefix(p.String(), "p.yaml:"))
			}
			want := strings.Split(x.want, "\n")
			if x.want == "" {
				want = nil
			}
			if len(got) != len(want) {
				t.Fatalf("got %d warnings:\n%s\nwant %d:\n%s", len(got), strings.Join(got, "\n"), len(want), x.want)
			}
			for i := range want {
				if !strings.HasPrefix(got[i], want[i]) {
					t.Errorf("got\n%s\nwant\n%s", got[i], want[i])
				}
			}
		})
	}
}

func TestWarningsOfAProgramNameAddresses(t *testing.T) {
	c := SecurityContext{
		DeniedPathRegex: []string{"a\x00"}, // not valid, and not for Warnings to say
		AllowedCommands: []string{"re:("},
		DeniedCommands:  &[]string{"x"},
		Rules: []Rule{
			{Operations: []Operation{OpRead}, Paths: []string{"relative", "/**"}},
			{Operations: []Operation{OpRead}, Paths: []string{"/a"}, Mode: ModeDeny},
		},
	}
	got := c.Warnings()
	if len(got) != 1 || got[0].String() != `rules[1].paths[0]: this deny of "/a" never speaks for read: rules[0].paths[1] says allow of "/**" first; move the narrower rule up` {
		t.Errorf("%v", got)
	}
}

// Comparing each rule with each before it would take seconds for a long list.
func TestWarningsGiveUpOnLongRuleLists(t *testing.T) {
	long := Rule{Operations: []Operation{OpRead}}
	for i := range maxCompared {
		long.Paths = append(long.Paths, fmt.Sprintf("/%d", i))
	}
	short := SecurityContext{Rules: []Rule{
		{Operations: []Operation{OpRead}, Paths: long.Paths[1:]},
		{Operations: []Operation{OpRead}, Paths: []string{"/1"}, Mode: ModeDeny},
	}}
	if got := short.Warnings(); len(got) != 1 {
		t.Errorf("%d lines: %v", maxCompared, got)
	}
	short.Rules[0] = long
	if got := short.Warnings(); len(got) != 0 {
		t.Errorf("%d lines: %v", maxCompared+1, got)
	}
}
