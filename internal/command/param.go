package command

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param lists what a parameter expansion may become: every text that the line
// itself gives to the variable, whatever the order. There is at least one.
func (x *expander) param(n *syntax.ParamExp, quoted bool) []piece {
	if n.Param == nil || n.Length || n.Names != 0 {
		return []piece{x.unknown(n, quoted)}
	}
	values := x.values(n)
	if n.Excl {
		var through []value
		for _, v := range values {
			if len(v) == 1 {
				through = append(through, x.facts.vars[v[0]]...)
			}
		}
		values = through
	}
	values = x.alternate(n, values)
	var pieces []piece
	for _, v := range values {
		if len(pieces) == maxReadings {
			break
		}
		p := piece{fields: v, quoted: quoted, open: true}
		p.split = !quoted && len(v) == 1
		pieces = append(pieces, p)
	}
	if len(pieces) == 0 {
		return []piece{x.unknown(n, quoted)}
	}
	return pieces
}

// values are the texts of the variable that n names.
func (x *expander) values(n *syntax.ParamExp) []value {
	name := n.Param.Value
	if name == "@" || name == "*" {
		return x.facts.position
	}
	if i, err := strconv.Atoi(name); err == nil && i > 0 {
		var out []value
		for _, list := range x.facts.position {
			if i <= len(list) {
				out = append(out, value{list[i-1]})
			}
		}
		return out
	}
	vars := x.facts.vars[name]
	if name == "IFS" && len(vars) == 0 {
		return []value{{" "}}
	}
	if n.Index == nil {
		var first []value // a plain $a is the first element of an array
		for _, v := range vars {
			first = append(first, v[:min(1, len(v))])
		}
		return first
	}
	index, _ := n.Index.(*syntax.Word)
	if index != nil && (index.Lit() == "@" || index.Lit() == "*") {
		return vars
	}
	var each []value
	for _, v := range vars {
		for _, element := range v {
			each = append(each, value{element})
		}
	}
	return each
}

// alternate applies the operators that put other text in place of the value or
// cut it.
func (x *expander) alternate(n *syntax.ParamExp, values []value) []value {
	if n.Exp == nil {
		return values
	}
	var others []value
	if n.Exp.Word != nil {
		for _, alt := range x.word(n.Exp.Word) {
			var v value
			for _, a := range alt {
				v = append(v, a.text)
			}
			others = append(others, v)
		}
	}
	change := func(f func(string) string) []value {
		var out []value
		for _, v := range values {
			var changed value
			for _, s := range v {
				changed = append(changed, f(s))
			}
			out = append(out, changed)
		}
		return out
	}
	switch n.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return others
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return append(values[:len(values):len(values)], others...)
	case syntax.LowerAll:
		return change(strings.ToLower)
	case syntax.UpperAll:
		return change(strings.ToUpper)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		if len(others) == 1 && len(others[0]) == 1 {
			return change(func(s string) string { return strings.TrimSuffix(s, others[0][0]) })
		}
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if len(others) == 1 && len(others[0]) == 1 {
			return change(func(s string) string { return strings.TrimPrefix(s, others[0][0]) })
		}
	}
	return values
}

// output is what a command substitution prints, where the line tells: an echo
// or a printf of literal text, or a cat of a here-document.
func (x *expander) output(stmts []*syntax.Stmt) text {
	if len(stmts) != 1 || x.depth >= maxNested {
		return text{}
	}
	deeper := *x
	deeper.depth++
	return deeper.prints(stmts[0], text{})
}

func (x *expander) prints(st *syntax.Stmt, in text) text {
	in = x.stdin(st, in)
	switch c := st.Cmd.(type) {
	case *syntax.BinaryCmd:
		if x.depth < maxNested && (c.Op == syntax.Pipe || c.Op == syntax.PipeAll) {
			deeper := *x
			deeper.depth++
			return deeper.prints(c.Y, deeper.prints(c.X, in))
		}
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return text{}
		}
		return printed(x.args(c.Args)[0], in)
	case *syntax.Subshell:
		return x.block(c.Stmts, in)
	case *syntax.Block:
		return x.block(c.Stmts, in)
	}
	return text{}
}

func (x *expander) block(stmts []*syntax.Stmt, in text) text {
	if len(stmts) != 1 || x.depth >= maxNested {
		return text{}
	}
	deeper := *x
	deeper.depth++
	return deeper.prints(stmts[0], in)
}

// printed is the output of one simple command.
func printed(argv []arg, in text) text {
	for i := range argv {
		if strings.Contains(argv[i].text, "$") && argv[i].open {
			return text{}
		}
	}
	if len(argv) > 0 && (argv[0].text == "command" || argv[0].text == "builtin") {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return text{}
	}
	var words []string
	for _, a := range argv[1:] {
		words = append(words, a.text)
	}
	switch name := baseName(argv[0].text); {
	case name == "cat" && len(words) == 0 || name == "cat" && len(words) == 1 && words[0] == "-":
		return in
	case name == "cat" && len(argv) == 2 && argv[1].file != nil:
		return *argv[1].file
	case name == "tee" || name == "sort" && len(words) == 0:
		return in
	case name == "echo":
		escapes := false
		for len(words) > 0 && len(words[0]) > 1 && strings.Trim(words[0], "neE") == "-" {
			escapes = escapes || strings.Contains(words[0], "e")
			words = words[1:]
		}
		s := strings.Join(words, " ")
		if escapes {
			s = unescapeANSI(s)
		}
		return text{true, s + "\n"}
	case name == "printf" && len(words) > 0 && !strings.HasPrefix(words[0], "-v"):
		if words[0] == "--" && len(words) > 1 {
			words = words[1:]
		}
		return text{true, formatted(words[0], words[1:])}
	}
	return text{}
}

// formatted is printf with every conversion read as text.
func formatted(format string, args []string) string {
	format = unescapeANSI(format)
	var b strings.Builder
	for {
		used := false
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i+1 == len(format) {
				b.WriteByte(format[i])
				continue
			}
			for i++; i+1 < len(format) && strings.IndexByte("0123456789.-+ #", format[i]) >= 0; i++ {
			}
			if format[i] == '%' {
				b.WriteByte('%')
				continue
			}
			used = true
			if len(args) > 0 {
				s := args[0]
				if format[i] == 'b' {
					s = unescapeANSI(s)
				}
				b.WriteString(s)
				args = args[1:]
			}
		}
		if len(args) == 0 || !used || b.Len() > maxLine {
			return b.String()
		}
	}
}

// baseName is the last segment of a program's path.
func baseName(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}
