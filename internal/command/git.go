package command

import "strings"

// git marks what makes git run a program or write outside of the repository.
func (sc *scanner) git(p *part, argv []arg) {
	i := 1
	for ; i < len(argv) && strings.HasPrefix(argv[i].text, "-"); i++ {
		t := argv[i].text
		switch {
		case t == "-c" || strings.HasPrefix(t, "--config-env") || strings.HasPrefix(t, "--exec-path="):
			option, _, glued := strings.Cut(t, "=")
			p.mark(option, "git "+option+" sets what programs git runs")
			if i+1 < len(argv) && !glued {
				i++
				_, value, _ := strings.Cut(argv[i].text, "=")
				sc.deeper(strings.TrimPrefix(value, "!"))
			}
		case t == "-C" || t == "--git-dir" || t == "--work-tree" || t == "--namespace" || t == "--attr-source":
			i++
		}
	}
	if i >= len(argv) {
		return
	}
	sub, rest := argv[i], argv[i:]
	if sub.open || sub.glob || sub.brace {
		p.mark("", "the git command is known to bash alone")
	}
	for _, h := range gitHatches(sub.text) {
		sc.hatch(p, "git", h, rest)
	}
	sc.gitCommands(p, sub.text, rest)
}

func gitHatches(sub string) []hatch {
	switch sub {
	case "diff", "log", "show", "diff-tree", "diff-index", "diff-files", "reflog", "whatchanged", "stash", "range-diff", "format-patch":
		return []hatch{{long: []string{"--output", "--ext-diff", "--textconv", "--no-index"}}}
	case "grep":
		return []hatch{{short: "O", takes: "efABCm", long: []string{"--open-files-in-pager"}, runs: true}, {long: []string{"--no-index", "--ext-grep", "--textconv"}}}
	case "difftool", "mergetool":
		return []hatch{{short: "x", takes: "t", long: []string{"--extcmd"}, runs: true}}
	case "rebase":
		return []hatch{{short: "x", takes: "CsX", long: []string{"--exec"}, runs: true}}
	case "clone", "fetch", "pull", "ls-remote":
		return []hatch{{long: []string{"--upload-pack", "--exec"}, runs: true}, {short: "u", takes: "bcojq", runs: true}, {words: []string{"-c", "--config"}}}
	case "push", "send-pack":
		return []hatch{{long: []string{"--receive-pack", "--exec"}, runs: true}}
	case "archive":
		return []hatch{{short: "o", long: []string{"--output"}}, {long: []string{"--exec"}, runs: true}}
	case "blame", "annotate", "cat-file":
		return []hatch{{long: []string{"--textconv", "--filters"}}}
	}
	return nil
}

// gitCommands looks at sub-commands that run a command in their operands.
func (sc *scanner) gitCommands(p *part, sub string, rest []arg) {
	for i, a := range rest {
		if strings.HasPrefix(a.text, "ext::") || sub == "config" && strings.HasPrefix(a.text, "!") {
			p.mark(a.text[:1], "git runs "+a.text)
			sc.deeper(strings.TrimPrefix(strings.TrimPrefix(a.text, "ext::"), "!"))
		}
		switch {
		case sub == "submodule" && a.text == "foreach", sub == "bisect" && a.text == "run":
			p.mark(a.text, "git "+sub+" "+a.text+" runs a command")
			sc.deeper(join(rest[i+1:]))
		case sub == "filter-branch" && strings.HasSuffix(a.text, "-filter") && i+1 < len(rest):
			p.mark(a.text, "git filter-branch runs a command")
			sc.deeper(rest[i+1].text)
		}
	}
}
