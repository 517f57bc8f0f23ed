package command

import (
	"regexp/syntax"
	"strings"
)

// required is a text, folded, that every match of an expression holds, or "".
// Most commands hold none of the texts of a list, and looking for a text is a
// hundred times faster than running the expression. It also means that the
// expressions are not even compiled for most commands.
func required(expression string) string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	return requiredIn(re.Simplify())
}

func requiredIn(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		var b strings.Builder
		for _, r := range re.Rune {
			b.WriteRune(foldRune(r))
		}
		return b.String()
	case syntax.OpCapture, syntax.OpPlus:
		return requiredIn(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredIn(re.Sub[0])
		}
	case syntax.OpConcat:
		longest := ""
		for _, sub := range re.Sub {
			if s := requiredIn(sub); len(s) > len(longest) {
				longest = s
			}
		}
		return longest
	}
	return ""
}
