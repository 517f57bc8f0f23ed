package glob

import "strings"

// An op is one step of a component's pattern.
type op struct {
	kind opKind
	text string // opText
	set  *set   // opClass
}

type opKind uint8

const (
	opText  opKind = iota // fixed bytes
	opAny                 // one character
	opClass               // one character of a set
	opStar                // any run
)

// match reports whether a matches path, be it absolute or relative.
//
// On a mismatch the last `**` takes one component more. It need not go back further: what lies before it was matched as
// early as possible, and any later place could be reached from there too.
func (a *alternative) match(path string) bool {
	if a.dirOnly && !strings.HasSuffix(path, "/") {
		return false
	}
	rest := trimSlashes(path)
	p := 0
	dirs, dirsRest := -1, ""
	for {
		switch {
		case p == len(a.parts):
			if rest == "" {
				return true
			}
		case a.parts[p].kind == partDirs:
			p++
			if p == len(a.parts) {
				return true
			}
			dirs, dirsRest = p, rest
			continue
		case rest != "":
			component, after := cutComponent(rest)
			if a.parts[p].match(component, a.visible) {
				p++
				rest = after
				continue
			}
		}
		if dirs < 0 || dirsRest == "" {
			return false
		}
		component, after := cutComponent(dirsRest)
		if a.visible && component[0] == '.' {
			return false
		}
		dirsRest = after
		p, rest = dirs, dirsRest
	}
}

// cutComponent takes the first component off a path that is not empty and does not begin with a slash.
func cutComponent(path string) (component, rest string) {
	end := strings.IndexByte(path, '/')
	if end < 0 {
		return path, ""
	}
	return path[:end], trimSlashes(path[end:])
}

func trimSlashes(path string) string {
	for len(path) > 0 && path[0] == '/' {
		path = path[1:]
	}
	return path
}

// match reports whether a part that is not `**` matches a component.
func (p *part) match(component string, visible bool) bool {
	if p.kind == partText {
		return p.text == component
	}
	if visible && component[0] == '.' && (p.ops[0].kind != opText || p.ops[0].text[0] != '.') {
		return false
	}
	return run(p.ops, component)
}

// run reports whether ops match the whole of s. On a mismatch the last star takes one character more.
func run(ops []op, s string) bool {
	p, t := 0, 0
	star, starAt := -1, 0
	for {
		if p == len(ops) {
			if t == len(s) {
				return true
			}
		} else {
			switch o := &ops[p]; o.kind {
			case opText:
				if strings.HasPrefix(s[t:], o.text) {
					t += len(o.text)
					p++
					continue
				}
			case opAny, opClass:
				if t < len(s) {
					r, width := character(s[t:])
					if o.kind == opAny || o.set.has(r) {
						t += width
						p++
						continue
					}
				}
			case opStar:
				p++
				if p == len(ops) {
					return true
				}
				star, starAt = p, t
				continue
			}
		}
		if star < 0 || starAt >= len(s) {
			return false
		}
		_, width := character(s[starAt:])
		starAt += width
		p, t = star, starAt
	}
}
