package policy

import (
	"slices"
	"strings"

	"paddock/internal/gitignore"
)

// warnPatterns looks at a list in git's dialect.
func (k *checker) warnPatterns(address string, lines []string) {
	list, err := gitignore.Compile(lines)
	if err != nil {
		return // Validate says so
	}
	for i, line := range lines {
		at := index(address, i)
		bare, negated := strings.CutPrefix(line, "!")
		if inner := innerSlash(bare); inner != "" {
			k.add(at, "%s is tied to the top of the list's folder by its inner slash, as in git; write %s to say so, or %s for any depth", quoted(line), quoted(sign(negated)+"/"+inner), quoted(sign(negated)+"**/"+inner))
		}
		if !negated {
			continue
		}
		if !slices.ContainsFunc(lines[:i], func(l string) bool { return !strings.HasPrefix(l, "!") }) {
			k.add(at, "%s has no effect: no pattern before it denies anything", quoted(line))
		} else if above := deniedAbove(list, bare); above >= 0 {
			k.add(at, "%s has no effect: %s denies a folder it lies in, and nothing in a denied folder can be allowed again; deny the folder's content instead (folder/*)", quoted(line), quoted(lines[above]))
		}
	}
}

func sign(negated bool) string {
	if negated {
		return "!"
	}
	return ""
}

// innerSlash returns a pattern that is anchored without looking it: it has a
// slash inside and none in front, nor **/.
func innerSlash(pattern string) string {
	inside := strings.TrimSuffix(pattern, "/")
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "**/") || !strings.Contains(inside, "/") {
		return ""
	}
	return pattern
}

// deniedAbove returns the line that denies a folder which a pattern lies in,
// or -1. It speaks only of patterns that name one path.
func deniedAbove(list *gitignore.List, pattern string) int {
	path := strings.Trim(pattern, "/")
	if strings.ContainsAny(pattern, `*?[\ `) || !strings.Contains(path, "/") {
		return -1
	}
	if denied, line := list.Match(path[:strings.LastIndexByte(path, '/')], true); denied {
		return line
	}
	return -1
}
