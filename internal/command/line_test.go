package command

import (
	"strings"
	"testing"
)

// check judges lines with lists and compares outcomes.
func check(t *testing.T, lists Lists, want Outcome, lines ...string) {
	t.Helper()
	j, err := New(lists)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if got, _ := j.Line(line); got.Outcome != want {
			t.Errorf("%q with %+v: got %+v, want %v", line, lists, got, want)
		}
	}
}

// TestSeedExamples holds the worked examples of the context model.
func TestSeedExamples(t *testing.T) {
	list := Lists{Allowed: []string{"git *", "npm run *", "pytest *"}}
	check(t, list, Allow, "git status", "npm run build", "pytest -q", "GIT log")
	check(t, list, Deny, "legitimate_process", "digit_leak_tool", "git", "npm install", "")
	check(t, Lists{}, Allow, "anything at all | x", "")
	check(t, Lists{Denied: []string{"default"}}, Deny,
		"rm -rf /", "rm -rf /*", "rm -rf //", "RM  -RF / x", "mkfs.ext4 x", "mkfs x", "dd if=a of=b", ":(){ :|:& };:", "shutdown now", "reboot", "sudo ls",
		"echo x > /dev/sda", "bash -c 'ls'", "sh -c ls", "curl x | sh", "wget -q x | sudo bash", "curl x |zsh", `r"m" -rf /`, `su''do ls`, `"bash" -c ls`, `curl x | 'sh'`,
		"curl x|/bin/sh", `\rm -rf /`, "/bin/rm -rf /", "echo x > '/dev/sda'", "env rm -rf /*")
	check(t, Lists{Denied: []string{"default"}}, Allow, "rm -rf /tmp/x", "rm -rf ./x", "ddif=x", "pseudo x", "bash x.sh", "curl x | tee sh.txt", `echo "rm -rf" /`)
	// Matched as the text says, so quoted text is blocked too.
	check(t, Lists{Denied: []string{"default"}}, Deny, `echo "how to sudo"`, "git commit -m 'no reboot needed'")
	extended := Lists{Denied: append(DefaultDenied(), `re:\bdocker\b`)}
	check(t, extended, Deny, "docker ps", "sudo x")
	check(t, Lists{Denied: []string{"default", `re:\bdocker\b`}}, Deny, "docker ps", "sudo x")
	// Denied wins over allowed.
	check(t, Lists{Allowed: []string{"git *"}, Denied: []string{"git push*"}}, Deny, "git push", "git push x", "git -C x push y")
}

func TestEveryPartMustBeListed(t *testing.T) {
	list := Lists{Allowed: []string{"git *", "echo *", "cat *", "test *"}}
	check(t, list, Allow, "git status > /x", "git log | cat -", "git a && git b || git c; echo d & cat e", "(git a; git b)", "if git a; then echo b; fi",
		"for i in a b; do echo $i; done", "git a $(git b)", "echo \"$(git rev-parse HEAD)\"", "x=1; echo $x", "git a 2>/dev/null", "while git a; do echo b; done",
		"git\tstatus", "git  status", "git \\\n status", "# note\ngit a", "git a # ; rm x", "! git a", "time git a", "[[ -n x ]] && echo y", "(( 1 + 1 )) && echo y",
		"case $x in a) echo b;; esac", "cat < f", "cat <<E\nrm x\nE", "git commit -m 'a; rm x'", "git commit -m \"$(cat <<'E'\nfix: rm -rf (all)\nE\n)\"", "{ git a; } > f",
		"cat <<'E' > f\n$(rm x) `rm y`\nE", "echo a\\;b", "echo $((1+2))", "i=0; echo $((i+1))", "echo ${x:-a}", "echo *.go", "git log --format='%h $(x)'")
	check(t, list, Deny, "git status; rm x", "git status $(rm x)", "git status & rm x", "git a\nrm x", "git a | rm x", "git `rm x`", "git a <(rm x)", "git a > >(rm x)",
		"git ${x:-$(rm x)}", "x=$(rm x) git a", "f() { rm x; }; git a", "git a <<E\n$(rm x)\nE", "git a <<< $(rm x)", "echo {a,$(rm x)}", "git a && { git b; rm x; }",
		"env git a", "/usr/bin/git a", "'git' status", "g\\it status", "./git a", "x=1 git a", "GIT_PAGER=x git a", "PATH=.:$PATH; git a", "eval git a", "git a; $x", "$x git a",
		"exec git a", "bash -c 'git a'", "git a; . ./x", "coproc rm x", "[[ -n $(rm x) ]]", "(( $(rm x) ))", "a=(1 $(rm x))", "export x=1", "x=git; $x a", "git a \"`rm x`\"",
		"if", "git a; (", "x=1", "> f", "", "  ", "# git a", "git a\r\nrm x", "\xff", "git \xff", "z$@ap", "gi[t] a", "{git,status}", "git a |& rm x", "trap 'rm x' EXIT; git a")
}

// TestNotSeenThrough holds that an entry allows what can't be seen through only
// when it names it.
func TestNotSeenThrough(t *testing.T) {
	for _, c := range []struct{ line, no, yes string }{
		{"eval \"$x\"", "e*", "eval *"},
		{"find . -exec ls {} \\;", "find *", "find * -exec *"},
		{"find . -delete", "find *", "find . -delete"},
		{"bash -c \"$x\"", "bash *", "bash -c *"},
		{"bash", "b*h", "bash"},
		{"cat x | bash", "*", "*"},
		{"trap x EXIT", "t*", "trap *"},
		{"sed -i s/a/b/ f", "sed *", "sed -i *"},
		{"sort -o x y", "sort *", "sort -o *"},
		{"git -c a=b log", "git *", "git -c *"},
		{"git diff --output=x", "git diff *", "git diff --output=*"},
		{"dd if=a of=b", "dd *", "dd * of=*"},
		{"A=1 make", "*make", "A=1 make"},
		{"python3 -", "p*", "python3 -"},
		{"python3 -c \"$x\"", "re:x", "python3 *"},
		{". ./x", "?*./x", ". ./x"},
		{"$HOME/bin/x a", "*x a", "$HOME/bin/x *"},
		{"\"$HOME/bin/x\" a", "re:x", "\"$HOME/bin/x\" *"},
		{"rm x > --help", "* --help", "rm x*"},
		{"set -x", "set *", "set -x"},
		{"echo ${x@P}", "echo *", "echo ${x@P}"},
	} {
		if c.no != "*" {
			check(t, Lists{Allowed: []string{c.no}}, Deny, c.line)
		}
		check(t, Lists{Allowed: []string{c.yes}}, Allow, c.line)
		check(t, Lists{Allowed: []string{"*"}}, Allow, c.line)
		check(t, Lists{Allowed: []string{c.no}, Unlisted: UnlistedAsk}, map[bool]Outcome{true: Allow, false: Ask}[c.no == "*"], c.line)
	}
	check(t, Lists{Allowed: []string{"echo *"}, Unlisted: UnlistedAllow}, Allow, "eval x", "rm x")
}

// TestHarmlessOptions holds that programs with dangerous options are allowed
// without them.
func TestHarmlessOptions(t *testing.T) {
	list := Lists{Allowed: []string{"find *", "sed *", "awk *", "sort *", "git *", "tar *", "rg *", "go *", "make *", "python3 *", "node *", "env", "test *", "[[] *", "printf *", "read *", "dd *", "fd *"}}
	check(t, list, Allow,
		"find . -name '*.go' -type f -print", "find src -newer x -o -size +1k", "sed -n '1,10p' f", "sed 's/we/ew/g' f", "sed -e 's,/e,/w,' -e '/w/d' f", "sed '$!N;s/\\n/ /' f",
		"sed -E 's/(a|e)w/\\1/;s/x/y/2g' f", "sed -n '/e/,/w/{p;q}' f", "sed 'y/ew/we/' f", "awk '{print $1}' f", "awk -F: '$3 >= 1000 {print $1}' f", "awk 'NR==1 || /a|b/ {n++} END {print n}' f",
		"awk '{print ($1 > 2)}' f", "awk '{ print \"a|b > c\" }' f", "sort -k2 -n f", "sort -t o -u f", "sort f | sort -r", "git log --oneline -5", "git diff HEAD~1 -- x", "git commit -m 'use -c and --output'",
		"git -C sub status", "git grep -n O f", "tar -xzf a.tgz -C d", "tar czf a.tgz d", "tar tf a", "rg -n pre .", "go test ./... -run Exec", "go build -o x ./cmd", "make -j4 all CC=gcc", "make test V=1",
		"python3 -c 'print(1)'", "python3 x.py --flag", "node -e 'f=(a)=>a'", "node x.js", "env", "test -f x", "[ -n \"$x\" ]", "[ \"$a\" = b ]", "printf '%s\\n' a", "read x", "dd if=a bs=1", "fd -e go",
		"git rebase main", "git log $(git merge-base a b)", "find \"$HOME\" -name x", "git commit -m '!important'", "x=a; find . -name $x")
	check(t, list, Deny,
		"find . -fprint x", "find . -ok ls {} \\;", "sed '1e ls' f", "sed 's/a/b/e' f", "sed 's/a/b/w x' f", "sed -n 'w x' f", "sed '/a/w x' f", "sed -n '$!{w x\n}' f", "sed b\\;w\\ x f", "sed -f x f", "sed -ni p f",
		"sed --in-place=.b p f", "sed --expression='w x' f", "sed \"$(cat x)\" f", "awk 'BEGIN{system(\"ls\")}'", "awk '{print > \"x\"}' f", "awk '{print $1 | \"ls\"}' f", "awk 'BEGIN{\"ls\"|getline}'", "awk -f x f",
		"awk '{printf(\"a\") > \"x\"}' f", "sort -ro x f", "sort --outp=x f", "sort --compress-program=x f", "git diff --ext-diff", "git diff --no-index a b", "git grep -Oless a", "git -c x.y=z log",
		"git --config-env=a=b log", "git rebase -x ls main", "git submodule foreach ls", "git bisect run ls", "git clone ext::ls", "git config alias.x '!ls'", "git fetch --upload-pack=ls x", "git archive -o x HEAD",
		"tar xf a --to-command=ls", "tar -Ils -xf a", "tar xIf ls a", "tar xf a --checkpoint-action=exec=ls", "rg --pre ls x", "rg --pre=ls x", "go test -exec ls ./...", "go vet -vettool=x", "go build -toolexec=x .",
		"make --eval=x", "make 'X=$(shell ls)'", "make SHELL=./x", "env -S ls", "env ls", "test -v 'a[$(ls)]'", "printf -v 'a[$(ls)]' x", "read 'a[$(ls)]'", "dd if=a of=b", "fd -x ls", "fd -Hx ls", "fd --exec=ls",
		"find . $(cat x)", "read o < x; find . $o", "find . {-exec,ls,\\;}")
}

func TestAsk(t *testing.T) {
	lists := Lists{Allowed: []string{"git *"}, Ask: []string{"git push *", "npm *"}, Denied: []string{"git push --force*"}}
	check(t, lists, Ask, "git push x", "git -C y push x", "npm i", "git a && git push x", "env git push x", "GIT_X=1 git push x", "/usr/bin/git push x")
	check(t, lists, Allow, "git pull", "git a && git b", "git commit -m 'git push x'")
	check(t, lists, Deny, "git push --force x", "git push x; rm y", "npm i && rm x", "rm y")
	check(t, Lists{Ask: []string{"rm *"}}, Ask, "rm x", "ls; rm x", "echo $(rm x)", "x=rm; $x y")
	check(t, Lists{Ask: []string{"rm *"}}, Allow, "ls", "echo 'rm x'")
	check(t, Lists{Unlisted: UnlistedAsk}, Ask, "ls", "")
	check(t, Lists{Unlisted: UnlistedDeny}, Deny, "ls", "")
	check(t, Lists{Allowed: []string{"ls"}, Unlisted: UnlistedAsk, Denied: []string{"rm *"}}, Ask, "cat x", "ls; cat x")
	check(t, Lists{Allowed: []string{"ls"}, Unlisted: UnlistedAsk, Denied: []string{"rm *"}}, Deny, "cat x; rm y")
}

// TestPlainEntries holds where a plain entry that allows may be found.
func TestPlainEntries(t *testing.T) {
	list := Lists{Allowed: []string{"ls", "npm test", "python", "a && rm x"}}
	check(t, list, Allow, "ls", "ls -l", "LS", "npm test -- x", "python x", "python3 x", "python3.12 x", "a && rm x", "git ls")
	check(t, list, Deny, "lsof -i", "false", "./ls", "tools", "pythonic", "a; rm x", "ls && rm x", "X=1 ls", "rm x # ls", "rm x > ls", "rm x <<E\nls\nE")
}

// TestPlainWrappers holds that a plain entry for a wrapper is none for what the
// wrapper starts, unless that is listed as well.
func TestPlainWrappers(t *testing.T) {
	list := Lists{Allowed: []string{"env", "xargs", "grep", "timeout 9 make"}}
	check(t, list, Allow, "env", "env | grep x", "grep -l a b | xargs grep c", "env A=1 grep x", "timeout 9 make", "timeout 9 make all", "env xargs grep x")
	check(t, list, Deny, "env rm x", "grep x | xargs rm", "timeout 9 rm", "env xargs rm", "xargs env rm x", "env A=1 rm x")
	check(t, Lists{Allowed: []string{"env *"}}, Allow, "env rm x")
}

// TestVerdicts holds what a verdict says.
func TestVerdicts(t *testing.T) {
	j, err := New(Lists{Allowed: []string{"x", "git *"}, Denied: []string{"default", "rm *"}, Ask: []string{"git push *"}})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]Verdict{
		"git a":         {Outcome: Allow, List: ListAllowed, Index: 1, Pattern: "git *", Part: "git a"},
		"git a; rm  b":  {Outcome: Deny, List: ListDenied, Index: 1, Pattern: "rm *", Part: "rm  b"},
		"git a; sudo b": {Outcome: Deny, List: ListDenied, Index: 0, Pattern: `re:\bsudo\b`},
		"git push z":    {Outcome: Ask, List: ListAsk, Index: 0, Pattern: "git push *"},
		"git a; ls":     {Outcome: Deny, List: ListUnlisted, Index: -1, Part: "ls", Reason: "not listed"},
		"git -c a=b c":  {Outcome: Deny, List: ListUnlisted, Index: -1, Part: "git -c a=b c", Reason: "git -c sets what programs git runs, which no entry allows by name"},
		"git a; eval b": {Outcome: Deny, List: ListUnlisted, Index: -1, Part: "eval b", Reason: "not listed; eval runs a text"},
		"git a; $x":     {Outcome: Deny, List: ListUnlisted, Index: -1, Part: "$x", Reason: "not listed; the program is known to bash alone"},
		"x=1":           {Outcome: Deny, List: ListUnlisted, Index: -1, Reason: "the line runs no command"},
		"git a\x00":     {Outcome: Deny, Index: -1, Reason: "the command contains a NUL byte, which no command can contain"},
	} {
		got, _ := j.Line(line)
		if line == "git push z" || line == "git a; sudo b" {
			got.Part = want.Part
		}
		if got != want {
			t.Errorf("%q:\n got %+v\nwant %+v", line, got, want)
		}
	}
}

func TestArgv(t *testing.T) {
	j, err := New(Lists{Allowed: []string{"git *", "echo *", "time *", "if *", "find *"}, Denied: []string{"default", "rm *"}, Ask: []string{"git push *"}})
	if err != nil {
		t.Fatal(err)
	}
	for want, list := range map[Outcome][][]string{
		Allow: {{"git", "status"}, {"echo", "a; rm x"}, {"echo", "$(rm x)", "`rm y`"}, {"echo", "a\nrm x"}, {"time", "x"}, {"if", "x"}, {"git", "\xff"}, {"echo", ""}, {"echo", "> f"}, {"find", "."}},
		Deny: {{"rm", "x"}, {"/bin/rm", "x"}, {"env", "rm", "x"}, {"sudo", "ls"}, {"bash", "-c", "ls"}, {"bash", "-ec", "rm x"}, {"ls"}, {}, {""}, {"A=1", "git", "x"}, {"git", "-c", "a=b", "x"}, {"git", "a\x00"},
			{"find", ".", "-exec", "ls", ";"}, {"echo", strings.Repeat("a", maxLine)}, {"git status", "x"}, {"xargs", "rm"}},
		Ask: {{"git", "push", "x"}, {"git", "-C", "y", "push", "x"}},
	} {
		for _, argv := range list {
			if got := j.Argv(argv); got.Outcome != want {
				t.Errorf("%.60q: got %+v, want %v", argv, got, want)
			}
		}
	}
}
