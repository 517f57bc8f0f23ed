package command

import "strings"

func isShell(base string) bool {
	switch base {
	case "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "lksh", "yash", "posh", "ksh93", "fish", "csh", "tcsh":
		return true
	}
	return false
}

// shell looks at a shell that is started: at the text of -c, or at what it reads
// from its standard input when it has neither text nor script.
func (sc *scanner) shell(p *part, base string, argv []arg, in text) {
	hasText, reads := false, false
	i := 1
	for ; i < len(argv); i++ {
		t := argv[i].text
		if t == "--" || t == "-" {
			i++
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		switch {
		case t == "--rcfile" || t == "--init-file":
			p.mark(t, "the option "+t+" names a file of commands")
			i++
		case strings.HasPrefix(t, "--"):
		default:
			hasText = hasText || t[0] == '-' && strings.Contains(t, "c")
			reads = reads || t[0] == '-' && strings.Contains(t, "s")
			if last := t[len(t)-1]; last == 'o' || last == 'O' {
				i++
			}
		}
	}
	switch {
	case hasText && i < len(argv):
		sc.inline(p, base, argv[i:])
	case !reads && i < len(argv) && !isStdin(argv[i].text):
		if argv[i].file != nil {
			p.mark("", base+" runs what a substitution prints")
			sc.deeper(argv[i].file.s)
		}
	default:
		p.mark("-s", base+" runs what it reads")
		if in.known {
			sc.deeper(in.s)
		}
	}
}

// inline looks at the text of sh -c, with the words after it as parameters.
func (sc *scanner) inline(p *part, base string, argv []arg) {
	if argv[0].open {
		p.mark("-c", base+" runs a text that is known to bash alone")
	}
	if len(argv) > 1 {
		sc.learnPosition(argv[2:])
	}
	sc.deeper(argv[0].text)
}

func isStdin(path string) bool {
	switch path {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

// isInterpreter reports programs that take a program as text. An entry for one
// of them is an entry for everything it can do.
func isInterpreter(base string) bool {
	base = strings.TrimRight(base, "0123456789.")
	switch base {
	case "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "tclsh", "wish", "expect", "osascript", "Rscript", "guile", "racket", "sbcl", "ghci", "swipl", "julia", "gdb", "sqlite", "pwsh", "powershell":
		return true
	}
	return false
}

// interpreter marks an interpreter whose program can't be seen: not literal, or
// read from the standard input.
func (sc *scanner) interpreter(p *part, base string, argv []arg) {
	base = strings.TrimRight(base, "0123456789.")
	if len(argv) == 1 {
		p.mark(base, base+" runs what it reads")
		return
	}
	for _, a := range argv[1:] {
		if a.open || a.text == "-" || isStdin(a.text) {
			p.mark(base, base+" may run a text that is known to bash alone")
			return
		}
	}
}
