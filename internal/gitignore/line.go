package gitignore

import "strings"

// A pattern is one line of an exclude file, taken apart but not yet compiled.
type pattern struct {
	text    string // without `!` and without the final slash
	negated bool
	dirOnly bool // the line ended in a slash
	base    bool // no slash is left: the last component of a path decides
}

const byteOrderMark = "\xef\xbb\xbf"

// parseLine takes a line apart. ok is false when the line holds no pattern.
func parseLine(line string, first bool) (p pattern, ok bool) {
	if first {
		line = strings.TrimPrefix(line, byteOrderMark)
	}
	// git tests for a comment before it trims, so ` #x` is a pattern.
	if line == "" || line[0] == '#' {
		return pattern{}, false
	}
	line = trimBlanks(strings.TrimSuffix(line, "\r"))
	p.text, p.negated = strings.CutPrefix(line, "!")
	p.text, p.dirOnly = strings.CutSuffix(p.text, "/")
	p.base = strings.IndexByte(p.text, '/') < 0
	return p, line != ""
}

// trimBlanks drops blanks from the end of a line, up to one that a backslash quotes. Only spaces count.
func trimBlanks(line string) string {
	keep := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		keep = i + 1
	}
	return line[:min(keep, len(line))]
}
