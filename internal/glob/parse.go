package glob

import "strings"

// An alternative is a pattern without braces, component by component.
type alternative struct {
	parts    []part
	dirOnly  bool // a final slash: only a path that says it is a directory matches
	visible  bool // names that begin with a dot are matched by a written dot alone
	baseOnly bool // for the last component of a path
}

// A part matches one component, or any number of them.
type part struct {
	kind partKind
	text string // partText: the component
	ops  []op   // partWild
}

type partKind uint8

const (
	partText partKind = iota
	partWild
	partDirs // `**`
)

// parse reads text, an alternative of pattern.
func parse(pattern, text string) (alternative, error) {
	var a alternative
	if n := trailingBackslashes(text); n%2 == 1 {
		return a, &PatternError{pattern, "it ends with a backslash that quotes nothing"}
	}
	components := splitPattern(text)
	for _, component := range components {
		switch component {
		case "", ".":
			continue
		case "**":
			if n := len(a.parts); n == 0 || a.parts[n-1].kind != partDirs {
				a.parts = append(a.parts, part{kind: partDirs})
			}
			continue
		}
		ops, err := parseComponent(pattern, component)
		if err != nil {
			return a, err
		}
		if len(ops) == 1 && ops[0].kind == opText {
			if ops[0].text == "." { // written with a backslash
				continue
			}
			a.parts = append(a.parts, part{kind: partText, text: ops[0].text})
		} else {
			a.parts = append(a.parts, part{kind: partWild, ops: ops})
		}
	}
	last := len(a.parts) - 1
	a.dirOnly = last >= 0 && components[len(components)-1] == "" && a.parts[last].kind != partDirs
	return a, nil
}

// splitPattern splits at slashes, a quoted one included: no component can hold one.
func splitPattern(text string) (components []string) {
	start := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '/':
			components = append(components, text[start:i])
			start = i + 1
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '/':
			components = append(components, text[start:i])
			i++
			start = i + 1
		case text[i] == '\\':
			i++
		}
	}
	return append(components, text[start:])
}

func trailingBackslashes(s string) int {
	return len(s) - len(strings.TrimRight(s, `\`))
}

// parseComponent compiles one component.
func parseComponent(pattern, c string) (ops []op, err error) {
	var fixed []byte
	flush := func() {
		if len(fixed) > 0 {
			ops = append(ops, op{kind: opText, text: string(fixed)})
			fixed = nil
		}
	}
	for i := 0; i < len(c); {
		switch c[i] {
		case '\\':
			fixed = append(fixed, c[i+1])
			i += 2
		case '?':
			flush()
			ops = append(ops, op{kind: opAny})
			i++
		case '*':
			flush()
			if len(ops) == 0 || ops[len(ops)-1].kind != opStar {
				ops = append(ops, op{kind: opStar})
			}
			i++
		case '[':
			s, n, reason := parseClass(c[i:])
			if reason != "" {
				return nil, &PatternError{pattern, reason}
			}
			if n == 0 {
				fixed = append(fixed, '[')
				i++
				continue
			}
			flush()
			ops = append(ops, op{kind: opClass, set: s})
			i += n
		default:
			fixed = append(fixed, c[i])
			i++
		}
	}
	flush()
	return ops, nil
}
