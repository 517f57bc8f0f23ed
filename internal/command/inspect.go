package command

import (
	"strings"
)

// maxWrappers is how many wrappers are taken off one command.
const maxWrappers = 16

// inspect looks at one reading of a command: it spells it in each way in which
// an entry might speak of it, marks what can't be seen through, and goes on with
// the command that it starts in turn.
func (sc *scanner) inspect(p *part, argv []arg, in text, depth int) {
	if len(argv) == 0 || sc.shared.over != "" {
		return
	}
	if depth > maxWrappers {
		sc.shared.over = "too many wrappers lie around a command"
		return
	}
	p.spell(spelled(argv))
	name := argv[0]
	if name.text == "[" {
		name.glob = false
	}
	if name.text == "--" { // time -- x
		sc.inspect(p, argv[1:], in, depth+1)
	}
	asWritten := "" // an entry such as $HOME/bin/x * was written for it
	if depth == 0 {
		asWritten = p.name
	}
	switch {
	case name.open || name.brace:
		p.mark(asWritten, "the program is known to bash alone")
	case name.glob:
		p.mark(asWritten, "the program is named by a pattern")
	}
	if name.glob {
		sc.globbed(p, argv, in, depth)
	}
	base := baseName(name.text)
	if base == "" {
		return
	}
	if base != name.text {
		p.spell(strings.TrimSpace(base + " " + spelled(argv[1:])))
	}
	if base == "git" {
		p.spell(spelled(withoutGlobals(argv)))
	}
	sc.builtin(p, base, argv, in)
	sc.hatches(p, base, argv)
	if isShell(base) {
		sc.shell(p, base, argv, in)
	}
	for _, inner := range inners(base, argv) {
		if len(inner) == 0 {
			continue
		}
		if base == "xargs" || base == "parallel" {
			inner = fed(argv, inner, in)
		}
		if depth == 0 {
			p.wraps(inner, 0)
		}
		sc.inspect(p, inner, in, depth+1)
	}
	if isInterpreter(base) {
		sc.interpreter(p, base, argv)
	}
}

// wraps notes a command that the part starts.
func (p *part) wraps(inner []arg, depth int) {
	s := spelled(inner)
	for _, known := range p.inner {
		if known.texts[0] == s {
			return
		}
	}
	in := part{texts: []string{s}, name: inner[0].text}
	for _, deeper := range inners(baseName(in.name), inner) {
		if len(deeper) > 0 && depth < maxWrappers {
			in.wraps(deeper, depth+1)
		}
	}
	p.inner = append(p.inner, in)
}

// globbed tries the names that the lists speak of in the place of a program
// that is named by a pattern: /bin/r? may be rm.
func (sc *scanner) globbed(p *part, argv []arg, in text, depth int) {
	pattern := parseGlob(baseName(argv[0].text))
	for _, word := range sc.shared.words {
		if !pattern.match(word) {
			continue
		}
		named := append([]arg{{text: word, open: true}}, argv[1:]...)
		sc.inspect(p, named, in, depth+1)
	}
}

// withoutGlobals is a git command without the options in front of the
// sub-command: git -C x --no-pager push is git push.
func withoutGlobals(argv []arg) []arg {
	i := 1
	for i < len(argv) {
		t := argv[i].text
		if !strings.HasPrefix(t, "-") {
			break
		}
		switch t {
		case "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--attr-source", "--super-prefix":
			i++
		}
		i++
	}
	return append([]arg{{text: "git"}}, argv[min(i, len(argv)):]...)
}
