package glob

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// naiveMatch is the dialect written down plainly: it tries everything. pattern has no braces. visible is the rule of
// searches for names that begin with a dot.
func naiveMatch(pattern, path string, visible bool) bool {
	want := naiveComponents(pattern)
	dirOnly := strings.HasSuffix(pattern, "/") && len(want) > 0 && want[len(want)-1] != "**"
	if dirOnly && !strings.HasSuffix(path, "/") {
		return false
	}
	have := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if visible && len(want) > 0 && want[len(want)-1] == "**" {
		want = append(want, "*")
	}
	return naivePath(want, have, visible, map[[2]int]bool{})
}

func naiveComponents(pattern string) (all []string) {
	for _, c := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(pattern, `\\`, "\x00"), `\/`, "/"), "/") {
		c = strings.ReplaceAll(c, "\x00", `\\`)
		if c != "" && c != "." && c != `\.` {
			all = append(all, c)
		}
	}
	return all
}

func naivePath(want, have []string, visible bool, failed map[[2]int]bool) (ok bool) {
	if failed[[2]int{len(want), len(have)}] {
		return false
	}
	defer func() { failed[[2]int{len(want), len(have)}] = !ok }()
	switch {
	case len(want) == 0:
		return len(have) == 0
	case want[0] == "**":
		if naivePath(want[1:], have, visible, failed) {
			return true
		}
		return len(have) > 0 && !(visible && have[0][0] == '.') && naivePath(want, have[1:], visible, failed)
	case len(have) == 0:
		return false
	}
	if visible && have[0][0] == '.' && want[0][0] != '.' && !strings.HasPrefix(want[0], `\.`) {
		return false
	}
	return naiveComponent(want[0], have[0], map[[2]int]bool{}) && naivePath(want[1:], have[1:], visible, failed)
}

func naiveComponent(p, s string, failed map[[2]int]bool) (ok bool) {
	if failed[[2]int{len(p), len(s)}] {
		return false
	}
	defer func() { failed[[2]int{len(p), len(s)}] = !ok }()
	if p == "" {
		return s == ""
	}
	switch p[0] {
	case '*':
		if naiveComponent(p[1:], s, failed) {
			return true
		}
		if s == "" {
			return false
		}
		_, n := character(s)
		return naiveComponent(p, s[n:], failed)
	case '?':
		if s == "" {
			return false
		}
		_, n := character(s)
		return naiveComponent(p[1:], s[n:], failed)
	case '[':
		if n, members, negated := naiveClass(p); n > 0 {
			if s == "" {
				return false
			}
			r, width := character(s)
			return slices.ContainsFunc(members, func(in [2]rune) bool { return in[0] <= r && r <= in[1] }) != negated &&
				naiveComponent(p[n:], s[width:], failed)
		}
	case '\\':
		p = p[1:]
	}
	return s != "" && p[0] == s[0] && naiveComponent(p[1:], s[1:], failed)
}

// naiveClass reads a bracket expression without named classes; n is 0 if it is never closed.
func naiveClass(p string) (n int, members [][2]rune, negated bool) {
	i := 1
	if i < len(p) && strings.ContainsRune("!^", rune(p[i])) {
		negated = true
		i++
	}
	start := i
	for ; i < len(p); i++ {
		if p[i] == ']' && i > start {
			return i + 1, members, negated
		}
		read := func() rune {
			if p[i] == '\\' && i+1 < len(p) {
				i++
			}
			r, width := character(p[i:])
			i += width - 1
			return r
		}
		low := read()
		high := low
		if i+2 < len(p) && p[i+1] == '-' && p[i+2] != ']' {
			i += 2
			high = read()
		}
		members = append(members, [2]rune{low, high})
	}
	return 0, nil, false
}

// randomPattern makes a pattern and a path that have something to do with each other.
func randomPattern(rng *rand.Rand) (pattern, path string) {
	names := []string{"a", "b", "ab", "aab", ".a", ".env", "x.go", "é", "\xff", "[", "a]", "-", "*"}
	wild := []string{"*", "**", "?", "*a", "a*", "*b*", "[ab]", "[!a]", "[^.]*", "?a", "***", ".*", "[a-", "[]a]", `\*`, `\a`, "*.go", "[é-ü]", `[\]-a]`, "a**b"}
	for range 1 + rng.IntN(5) {
		name := names[rng.IntN(len(names))]
		if rng.IntN(8) > 0 {
			path += "/" + name
		}
		switch rng.IntN(5) {
		case 0, 1:
			pattern += "/" + wild[rng.IntN(len(wild))]
		case 2:
			pattern += "/**"
		case 3:
			pattern += "/" + strings.NewReplacer("*", `\*`, "[", `\[`).Replace(name)
		case 4:
			pattern += "/" + name
		}
	}
	if rng.IntN(8) == 0 {
		pattern += "/"
	}
	if rng.IntN(8) == 0 || path == "" {
		path += "/"
	}
	return pattern, path
}
