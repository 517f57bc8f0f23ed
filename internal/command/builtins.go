package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtin marks the builtins of bash that run text, keep it for later, or change
// what later words mean.
func (sc *scanner) builtin(p *part, base string, argv []arg, in text) {
	switch base {
	case "eval":
		p.mark("eval", "eval runs a text")
		sc.deeper(join(argv[1:]))
	case "source", ".":
		sc.sourced(p, base, argv, in)
	case "trap":
		p.mark("trap", "trap keeps a text that runs later")
		if rest := operands(argv); len(rest) > 1 {
			sc.deeper(rest[0].text)
		}
	case "alias":
		p.mark("alias", "alias changes what a word runs")
		for _, a := range argv[1:] {
			if _, v, ok := strings.Cut(a.text, "="); ok {
				sc.deeper(v)
			}
		}
	case "su", "runuser", "script", "flock", "watch", "nix-shell", "sg", "newgrp", "ssh":
		sc.textOption(p, base, argv)
	case "mapfile", "readarray", "complete", "compgen", "bind":
		sc.callback(p, base, argv)
		sc.assigned(p, argv)
		sc.targets(p, argv)
	case "enable", "hash", "fc", "shopt":
		p.mark(base, base+" changes what later commands do")
	case "set":
		for _, a := range argv[1:] {
			if a.text == "-x" || a.text == "xtrace" || a.text == "-k" || a.text == "keyword" {
				p.mark(a.text, "set "+a.text+" changes what later commands do")
			}
		}
	case "read", "unset", "wait", "getopts":
		sc.assigned(p, argv)
		sc.targets(p, argv)
	case "printf":
		if len(argv) > 1 && (strings.HasPrefix(argv[1].text, "-v") || argv[1].loose) {
			sc.assigned(p, argv[:min(3, len(argv))])
			sc.targets(p, argv)
		}
	case "test", "[":
		sc.targets(p, argv)
	case "declare", "typeset", "export", "local", "readonly":
		p.mark(base+" ", base+" behind quotes or another builtin")
		sc.assigned(p, argv)
		sc.targets(p, argv)
	}
}

func (sc *scanner) sourced(p *part, base string, argv []arg, in text) {
	needs := base
	if base == "." {
		needs = ". "
	}
	p.mark(needs, base+" runs a file in the shell itself")
	if len(argv) < 2 {
		return
	}
	switch {
	case argv[1].file != nil:
		sc.deeper(argv[1].file.s)
	case isStdin(argv[1].text) && in.known:
		sc.deeper(in.s)
	}
}

// textOption looks at programs that give the argument of -c, or all of their
// arguments, to a shell.
func (sc *scanner) textOption(p *part, base string, argv []arg) {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		switch {
		case (t == "-c" || t == "--command" || t == "--run") && i+1 < len(argv):
			if argv[i+1].open {
				p.mark(t, base+" runs a text that is known to bash alone")
			}
			sc.deeper(argv[i+1].text)
			return
		case strings.HasPrefix(t, "--command="):
			sc.deeper(strings.TrimPrefix(t, "--command="))
			return
		}
	}
	if base == "watch" {
		for _, inner := range inners(base, argv) {
			sc.deeper(join(inner))
		}
	}
}

// callback looks at builtins that call back a command given with an option.
func (sc *scanner) callback(p *part, base string, argv []arg) {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		if len(t) < 2 || t[0] != '-' || !strings.ContainsAny(t, "CFxWI") {
			continue
		}
		p.mark(t[:2], base+" "+t+" runs a command")
		if i+1 < len(argv) {
			sc.deeper(argv[i+1].text)
		}
		sc.deeper(t[2:])
	}
}

// assigned marks names that a builtin sets: read PATH <f is an assignment like
// any other.
func (sc *scanner) assigned(p *part, argv []arg) {
	for _, a := range argv[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(a.text, "-v"), "=")
		name, _, _ = strings.Cut(name, "[")
		sc.named(p, name)
		if a.loose && sc.facts.texts[strings.Trim(a.text, "${}")] {
			p.mark("", "the variables of "+argv[0].text+" are known to bash alone")
		}
	}
}

// targets looks at builtins that take names of variables. Bash evaluates the
// subscript of such a name even when it came in single quotes, so
// `test -v 'a[$(rm x)]'` runs rm.
func (sc *scanner) targets(p *part, argv []arg) {
	if base := baseName(argv[0].text); base == "test" || base == "[" {
		takesName := false
		for _, a := range argv[1:] {
			takesName = takesName || a.text == "-v" || a.text == "-R" || a.open && a.loose
		}
		if !takesName {
			return
		}
	}
	for _, a := range argv[1:] {
		if strings.Contains(a.text, "[") && (a.open || strings.ContainsAny(a.text, "$`")) {
			p.mark("", "the subscript in "+a.text+" is evaluated by bash")
			sc.embedded(a.text)
		}
	}
}

// embedded looks for substitutions in a text that bash expands a second time.
func (sc *scanner) embedded(s string) {
	if !strings.ContainsAny(s, "$`") || sc.nested >= maxNested || tooMuch(s) != "" || !sc.shared.once("word:", s) {
		return
	}
	src := source{text: strings.ReplaceAll(s, "\r", " ")}
	word, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Document(strings.NewReader(src.text))
	if err != nil || word == nil {
		sc.deeper(s)
		return
	}
	inner := &scanner{
		expander: &expander{src: &src, facts: sc.facts, work: sc.work},
		shared:   sc.shared,
		nested:   sc.nested + 1,
	}
	inner.node(word, text{})
	sc.parts = append(sc.parts, inner.parts...)
}

// operands are the words behind the options.
func operands(argv []arg) []arg {
	for i := 1; i < len(argv); i++ {
		if argv[i].text == "--" {
			return argv[i+1:]
		}
		if len(argv[i].text) < 2 || argv[i].text[0] != '-' {
			return argv[i:]
		}
	}
	return nil
}
