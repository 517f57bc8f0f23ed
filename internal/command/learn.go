package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// learnCall collects what a call of a builtin, or of a function of the line,
// gives to variables and to the positional parameters.
func (x *expander) learnCall(st *syntax.Stmt, argv []arg) {
	if len(argv) > 1 && (argv[0].text == "builtin" || argv[0].text == "command") {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return
	}
	rest := argv[1:]
	switch name := argv[0].text; {
	case name == "set":
		x.learnSet(rest)
	case x.facts.calls[name]:
		x.learnPosition(rest)
	case name == "read" || name == "mapfile" || name == "readarray":
		x.learnRead(name, rest, x.stdin(st, text{}))
	case name == "printf" && len(rest) > 2 && rest[0].text == "-v":
		x.facts.texts[rest[1].text] = true
		var words []string
		for _, a := range rest[3:] {
			words = append(words, a.text)
		}
		x.facts.give(rest[1].text, value{formatted(rest[2].text, words)})
	case name == "getopts" && len(rest) > 1:
		x.facts.texts[rest[1].text] = true
	case name == "declare" || name == "typeset" || name == "export" || name == "local" || name == "readonly":
		// Not a declaration to the parser, since the name was quoted or
		// came behind builtin.
		for _, a := range rest {
			if k, v, ok := strings.Cut(a.text, "="); ok {
				x.facts.texts[k] = true
				x.facts.give(k, value{v})
			}
		}
	}
}

func (x *expander) learnSet(rest []arg) {
	for i, a := range rest {
		if a.text == "--" || a.text == "-" {
			x.learnPosition(rest[i+1:])
			return
		}
		if a.text == "" || a.text[0] != '-' && a.text[0] != '+' {
			x.learnPosition(rest[i:])
			return
		}
	}
}

func (x *expander) learnPosition(argv []arg) {
	var list value
	for _, a := range argv {
		list = append(list, a.text)
	}
	for _, known := range x.facts.position {
		if slices.Equal(known, list) {
			return
		}
	}
	// A shift or a shifted use drops words from the front.
	for from := 0; from < max(len(list), 1); from++ {
		if len(x.facts.position) < maxValues {
			x.facts.position = append(x.facts.position, list[min(from, len(list)):])
		}
	}
}

// learnRead gives the variables of a read what its input holds: the whole line,
// and field by field.
func (x *expander) learnRead(builtin string, rest []arg, in text) {
	takes := "adinNptu"
	if builtin != "read" {
		takes = "CcdnOsu"
	}
	var names []string
	for i := 0; i < len(rest); i++ {
		t := rest[i].text
		if len(t) > 1 && t[0] == '-' && len(names) == 0 {
			if at := strings.IndexAny(t[1:], takes); at >= 0 && at == len(t)-2 {
				if builtin == "read" && t[len(t)-1] == 'a' && i+1 < len(rest) {
					names = append(names, rest[i+1].text)
				}
				i++
			}
			continue
		}
		names = append(names, t)
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
		if builtin != "read" {
			names = []string{"MAPFILE"}
		}
	}
	lines := strings.Split(strings.TrimRight(in.s, "\n"), "\n")
	for i, name := range names {
		x.facts.texts[name] = true
		if !in.known {
			continue
		}
		if builtin != "read" {
			x.facts.give(name, value(lines))
			continue
		}
		for _, line := range lines {
			x.facts.give(name, value{line})
			if fields := strings.Fields(line); i < len(fields) {
				x.facts.give(name, value{fields[i]})
				x.facts.give(name, value{strings.Join(fields[i:], " ")})
				x.facts.give(name, value(fields))
			}
		}
	}
}

// learnInput gives known input of a loop or a group to the reads inside:
// echo x | while read c, and the same with a here-document.
func (x *expander) learnInput(st *syntax.Stmt) {
	in, body := text{}, st
	if pipe, ok := st.Cmd.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		in, body = x.prints(pipe.X, text{}), pipe.Y
	}
	in = x.stdin(body, in)
	if !in.known || body.Cmd == nil {
		return
	}
	syntax.Walk(body.Cmd, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !x.spend(0) {
			return false
		}
		if !ok || len(call.Args) == 0 {
			return true
		}
		switch name := call.Args[0].Lit(); name {
		case "read", "mapfile", "readarray":
			x.learnRead(name, x.args(call.Args)[0][1:], in)
		}
		return true
	})
}
