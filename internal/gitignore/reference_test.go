package gitignore_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"paddock/internal/gitignore"
)

// naiveMatch is the dialect written down plainly, line by line, trying everything.
func naiveMatch(lines []string, path string, dir bool) answer {
	parts := strings.Split(path, "/")
	for i := range parts {
		last := i == len(parts)-1
		ignored, line := naiveOne(lines, parts[:i+1], dir || !last)
		if ignored || last {
			return answer{ignored, line}
		}
	}
	panic("a path has a last component")
}

func naiveOne(lines []string, parts []string, dir bool) (ignored bool, line int) {
	for i := len(lines) - 1; i >= 0; i-- {
		p := lines[i]
		if i == 0 {
			p = strings.TrimPrefix(p, "\xef\xbb\xbf")
		}
		if strings.HasPrefix(p, "#") {
			continue
		}
		p = strings.TrimSuffix(p, "\r")
		for strings.HasSuffix(p, " ") && !naiveQuoted(p, len(p)-1) {
			p = p[:len(p)-1]
		}
		p, again := strings.CutPrefix(p, "!")
		p, dirOnly := strings.CutSuffix(p, "/")
		if dirOnly && !dir || p == "" {
			continue
		}
		text := strings.Join(parts, "/")
		if strings.Contains(p, "/") {
			p = strings.TrimPrefix(p, "/")
		} else {
			text = parts[len(parts)-1]
		}
		// The text before the first wildcard is compared by itself, so that a star behind it comes first.
		if n := strings.IndexAny(p, `*?[\`); n > 0 {
			if !strings.HasPrefix(text, p[:n]) {
				continue
			}
			p, text = p[n:], text[n:]
		}
		if (&naive{p, text, map[[2]int]bool{}}).match(0, 0) {
			return !again, i
		}
	}
	return false, -1
}

// naiveQuoted reports whether the byte at i has an odd number of backslashes in front.
func naiveQuoted(s string, i int) bool {
	n := 0
	for n < i && s[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

type naive struct {
	pattern, text string
	failed        map[[2]int]bool
}

func (n *naive) match(p, t int) (ok bool) {
	at := [2]int{p, t}
	if n.failed[at] {
		return false
	}
	defer func() { n.failed[at] = !ok }()
	pattern, text := n.pattern[p:], n.text[t:]
	if pattern == "" {
		return text == ""
	}
	one := text != "" && text[0] != '/'
	switch pattern[0] {
	case '*':
		stars := len(pattern) - len(strings.TrimLeft(pattern, "*"))
		rest := pattern[stars:]
		border := (p == 0 || n.pattern[p-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
		crossing := stars > 1 && border
		if crossing && strings.HasPrefix(rest, "/") && n.match(p+stars+1, t) {
			return true
		}
		for i := t; ; i++ {
			if n.match(p+stars, i) {
				return true
			}
			if i == len(n.text) || n.text[i] == '/' && !crossing {
				return false
			}
		}
	case '?':
		return one && n.match(p+1, t+1)
	case '[':
		length, has := naiveClass(pattern)
		return length > 0 && one && has(text[0]) && n.match(p+length, t+1)
	case '\\':
		return len(pattern) > 1 && text != "" && text[0] == pattern[1] && n.match(p+2, t+1)
	}
	return text != "" && text[0] == pattern[0] && n.match(p+1, t+1)
}

// naiveClass reads a bracket expression without named classes; length is 0 if it is broken.
func naiveClass(p string) (length int, has func(byte) bool) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var members [256]bool
	low := 0
	for start := i; i < len(p); i++ {
		c := p[i]
		switch {
		case c == ']' && i > start:
			return i + 1, func(b byte) bool { return members[b] != negated }
		case c == '-' && low > 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				if i++; i == len(p) {
					return 0, nil
				}
			}
			for b := low; b <= int(p[i]); b++ {
				members[b] = true
			}
			low = 0
			continue
		case c == '\\':
			if i++; i == len(p) {
				return 0, nil
			}
			c = p[i]
		}
		members[c] = true
		low = int(c)
	}
	return 0, nil
}

// agree compares the compiled lines with the naive reading of them.
func agree(t *testing.T, lines []string, path string, dir bool) {
	t.Helper()
	list, err := gitignore.Compile(lines)
	if err != nil {
		return
	}
	ignored, line := list.Match(path, dir)
	if got, want := (answer{ignored, line}), naiveMatch(lines, path, dir); got != want {
		t.Errorf("%q on %q (dir %v): got %+v, the naive matcher says %+v", lines, path, dir, got, want)
	}
}

func TestAgainstNaive(t *testing.T) {
	const seed = 22
	rng := rand.New(rand.NewPCG(seed, 1))
	tree := testTree(rng)
	t.Logf("seed %d", seed)
	for range 2_000 {
		lines := randomList(rng, tree)
		if strings.Contains(strings.Join(lines, "\n"), "[:") {
			continue
		}
		for range 10 {
			p := tree[rng.IntN(len(tree))]
			agree(t, lines, p.path, p.dir)
		}
	}
}

// FuzzMatch holds that the compiled list says what the naive matcher says, for any lines and any name.
func FuzzMatch(f *testing.F) {
	rng := rand.New(rand.NewPCG(23, 1))
	tree := testTree(rng)
	for range 50 {
		p := tree[rng.IntN(len(tree))]
		f.Add(strings.Join(randomList(rng, tree), "\n"), p.path, p.dir)
	}
	f.Fuzz(func(t *testing.T, list, path string, dir bool) {
		if len(list) > 300 || len(path) > 200 || strings.Contains(list, "[:") || strings.Contains("/"+path+"/", "//") {
			return // the naive matcher is slow and knows no named classes; a path has no empty component
		}
		agree(t, strings.Split(list, "\n"), path, dir)
	})
}
