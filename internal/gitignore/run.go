package gitignore

import "strings"

// run reports whether the steps match the whole of text.
//
// It never recurses. A mismatch returns to the last opStar, which takes one byte more, and when that is used up to the
// last opDirs, which takes one folder more. Going further back can't help: what lies before the last opDirs was matched
// as early as possible, and any later place could be reached from there as well; and an opStar can't leave its component,
// so once a slash is matched it is settled. Hence the cost is bounded by len(ops) times len(text), however hostile the name.
func run(ops []op, text string) bool {
	p, t := 0, 0
	star, starAt := -1, 0 // where to go on after the last opStar, and how far it reaches
	dirs, dirsAt := -1, 0 // the same for the last opDirs or opUnder
	for {
		if p == len(ops) {
			if t == len(text) {
				return true
			}
		} else {
			switch o := &ops[p]; o.kind {
			case opText:
				if strings.HasPrefix(text[t:], o.text) {
					t += len(o.text)
					p++
					if strings.IndexByte(o.text, '/') >= 0 {
						star = -1
					}
					continue
				}
			case opAny:
				if t < len(text) && text[t] != '/' {
					t++
					p++
					continue
				}
			case opClass:
				if t < len(text) && o.set.has(text[t]) {
					t++
					p++
					continue
				}
			case opStar:
				p++
				star, starAt = p, t
				continue
			case opDirs:
				p++
				dirs, dirsAt = p, t
				star = -1
				continue
			case opUnder:
				p++
				slash := strings.IndexByte(text[t:], '/')
				if slash < 0 {
					break // nothing further on has one either
				}
				t += slash + 1
				dirs, dirsAt = p, t
				star = -1
				continue
			case opRest:
				return true
			}
		}
		switch {
		case star >= 0 && starAt < len(text) && text[starAt] != '/':
			starAt++
			p, t = star, starAt
		case dirs >= 0:
			slash := strings.IndexByte(text[dirsAt:], '/')
			if slash < 0 {
				return false
			}
			dirsAt += slash + 1
			p, t = dirs, dirsAt
			star = -1
		default:
			return false
		}
	}
}
