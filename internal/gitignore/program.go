package gitignore

import "strings"

// A rule is a compiled pattern.
type rule struct {
	line    int32
	dirOnly bool
	ops     []op
	// Filled in by the builder, to dismiss a text without running the steps:
	least int32  // the length of the shortest text that matches
	need  uint64 // bytes that a text must hold, see byteMask
}

// An op is one step of a compiled pattern.
type op struct {
	kind opKind
	text string // opText: the bytes to find here
	set  *set   // opClass
}

type opKind uint8

const (
	opText  opKind = iota // fixed bytes
	opAny                 // one byte that is no slash
	opClass               // one byte of a set; never a slash
	opStar                // any run without a slash
	opDirs                // nothing, or anything up to and including a slash
	opUnder               // anything up to and including a slash
	opRest                // everything that is left
)

// A set holds bytes.
type set [4]uint64

func (s *set) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *set) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }
func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// compile turns p into steps. whole says that they are to be run on the whole path and not on its last component; ok is
// false when the pattern can match nothing.
func compile(p pattern) (ops []op, whole, ok bool) {
	text := p.text
	if !p.base {
		text = strings.TrimPrefix(text, "/")
		// git compares the text before the first wildcard by itself and hands only what is left to its wildcard matcher,
		// for which a `**` that now comes first stands at a border. So `x/a**/b` matches x/a/q/b, though by the manual
		// that `**` is two plain stars.
		fixed := strings.IndexAny(text, `*?[\`)
		if fixed < 0 {
			fixed = len(text)
		}
		ops, ok = steps(text[:fixed], text[fixed:], true)
	} else {
		ops, ok = steps("", text, false)
	}
	if !ok {
		return nil, false, false
	}
	if len(ops) == 0 {
		return nil, false, false // no name is empty
	}
	if p.base {
		return ops, false, true
	}
	// `**/name` asks nothing of the folders above, so the last component decides, which is cheaper.
	rest := ops
	for len(rest) > 1 && rest[0].kind == opDirs {
		rest = rest[1:]
	}
	if len(rest) < len(ops) && oneComponent(rest) {
		return rest, false, true
	}
	return ops, true, true
}

// oneComponent reports whether steps can't match a text that holds a slash.
func oneComponent(ops []op) bool {
	for _, o := range ops {
		switch o.kind {
		case opDirs, opUnder, opRest:
			return false
		case opText:
			if strings.IndexByte(o.text, '/') >= 0 {
				return false
			}
		}
	}
	return true
}

// steps compiles the wildcard pattern p, to follow the fixed text before it. crossing says whether `**` may cross slashes.
func steps(before, p string, crossing bool) (ops []op, ok bool) {
	var fixed strings.Builder
	fixed.WriteString(before)
	flush := func() {
		if fixed.Len() > 0 {
			ops = append(ops, op{kind: opText, text: fixed.String()})
			fixed.Reset()
		}
	}
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '\\':
			if i+1 == len(p) {
				return nil, false // git compares the end of the pattern with a byte of the name: never equal
			}
			fixed.WriteByte(p[i+1])
			i += 2
		case '?':
			flush()
			ops = append(ops, op{kind: opAny})
			i++
		case '[':
			s, n, ok := parseClass(p[i:])
			if !ok {
				return nil, false
			}
			flush()
			s[0] &^= 1 << '/'
			ops = append(ops, op{kind: opClass, set: s})
			i += n
		case '*':
			flush()
			end := i + 1
			for end < len(p) && p[end] == '*' {
				end++
			}
			border := i == 0 || p[i-1] == '/'
			double := crossing && end-i > 1 && border
			switch rest := p[end:]; {
			case double && rest == "":
				ops = append(ops, op{kind: opRest})
			case double && rest[0] == '/':
				ops = append(ops, op{kind: opDirs})
				end++
			case double && strings.HasPrefix(rest, `\/`):
				// Only a plain slash lets `**` stand for no folder at all.
				ops = append(ops, op{kind: opUnder})
				end += 2
			case len(ops) == 0 || ops[len(ops)-1].kind != opStar:
				ops = append(ops, op{kind: opStar})
			}
			i = end
		default:
			fixed.WriteByte(c)
			i++
		}
	}
	flush()
	return ops, true
}
