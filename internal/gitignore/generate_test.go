package gitignore_test

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// A place is a name in the test tree.
type place struct {
	path string
	dir  bool
}

// testTree makes the names of a tree: names that come back in several folders, names that begin and end alike, and names
// made of the characters that patterns give a meaning.
func testTree(rng *rand.Rand) []place {
	names := []string{
		"a", "b", "ab", "abc", "foo", "foo.log", "foobar", "bar.txt", ".env", "x.env", "src", "lib", "a.b.c", "#x", "!y", "x y",
		"sp ", "[z]", "a*b", `back\slash`, "Up", "up", "q?", "-", "]", "a-b", "caf\u00e9", "\xff\xfe", "tab\t", "1", "a1", "{p,q}", "cr\r",
	}
	seen := map[string]bool{}
	var tree []place
	var grow func(at string, depth int)
	grow = func(at string, depth int) {
		for range 5 + rng.IntN(5) {
			p := path.Join(at, names[rng.IntN(len(names))])
			if seen[p] {
				continue
			}
			seen[p] = true
			dir := depth < 4 && rng.IntN(5) < 3
			tree = append(tree, place{p, dir})
			if dir && len(tree) < 400 {
				grow(p, depth+1)
			}
		}
	}
	for len(tree) < 300 {
		grow("", 0)
	}
	return tree
}

// randomList makes a pattern list that has much to do with tree.
func randomList(rng *rand.Rand, tree []place) []string {
	hard := rng.IntN(2) == 0
	var lines []string
	for range 1 + rng.IntN(8) {
		lines = append(lines, randomLine(rng, tree[rng.IntN(len(tree))], hard))
	}
	if hard && rng.IntN(10) == 0 {
		lines[0] = "\xef\xbb\xbf" + lines[0]
	}
	return lines
}

// randomLine bends a name of the tree into a pattern.
func randomLine(rng *rand.Rand, from place, hard bool) string {
	chance := func(percent int) bool { return rng.IntN(100) < percent }
	if hard && chance(15) {
		return randomBytes(rng)
	}
	parts := strings.Split(from.path, "/")
	switch {
	case chance(50):
		parts = parts[len(parts)-1:]
	case chance(30):
		parts = parts[rng.IntN(len(parts)):]
	case chance(40):
		parts = parts[:1+rng.IntN(len(parts))]
	}
	for i := range parts {
		switch {
		case chance(10):
			parts[i] = "*"
		case chance(8):
			parts[i] = "**"
		case chance(40):
			parts[i] = bend(rng, parts[i], hard)
		case hard:
			parts[i] = quote(parts[i])
		}
	}
	if len(parts) > 1 && chance(15) {
		at := rng.IntN(len(parts) + 1)
		parts = slices.Insert(parts, at, "**")
	}
	line := strings.Join(parts, "/")
	if hard && chance(6) {
		line = strings.Replace(line, "/", `\/`, 1)
	}
	if hard && chance(5) {
		line = strings.Replace(line, "/", "//", 1)
	}
	switch {
	case chance(15):
		line = "/" + line
	case chance(12):
		line = "**/" + line
	}
	switch {
	case chance(15):
		line += "/"
	case chance(8):
		line += "/**"
	case chance(8):
		line += "/*"
	case hard && chance(5):
		line += "/**/"
	}
	if chance(22) {
		line = "!" + line
	}
	if hard {
		switch rng.IntN(40) {
		case 0:
			line += "  "
		case 1:
			line += `\ `
		case 2:
			line += "\r"
		case 3:
			line += " \r"
		case 4:
			line += `\`
		case 5:
			line = "#" + line
		case 6:
			line += "\t"
		case 7:
			line = " " + line
		case 8:
			return []string{"", "   ", "!", "/", "//", "!/", "*", "**", "/**", "**/", "***", "*/", "/*", "?", "!*/", "\r"}[rng.IntN(16)]
		}
	}
	return line
}

// randomBytes makes a pattern with no sense in it.
func randomBytes(rng *rand.Rand) string {
	const tokens = `**??[[]]!^-\//ab.: #`
	b := make([]byte, 1+rng.IntN(10))
	for i := range b {
		b[i] = tokens[rng.IntN(len(tokens))]
	}
	return string(b)
}

// bend puts wildcards into a name.
func bend(rng *rand.Rand, name string, hard bool) string {
	stars := []string{"*"}
	if hard {
		stars = []string{"*", "*", "**", "***", "*?", "?*"}
	}
	star := stars[rng.IntN(len(stars))]
	at := rng.IntN(len(name) + 1)
	to := at + rng.IntN(len(name)-at+1)
	switch rng.IntN(5) {
	case 0:
		return name[:at] + star
	case 1:
		return star + name[to:]
	case 2:
		return name[:at] + star + name[to:]
	case 3:
		if at < len(name) {
			return name[:at] + "?" + name[at+1:]
		}
		return star
	}
	if at == len(name) {
		return name[:at] + star + star
	}
	return name[:at] + class(rng, name[at], hard) + name[at+1:]
}

// class makes a bracket expression that may hold b.
func class(rng *rand.Rand, b byte, hard bool) string {
	plain := []string{"[" + string([]byte{b}) + "x]", "[a-z]", "[!a-z]", "[^.]", "[0-9a]", "[!" + string([]byte{b}) + "]"}
	odd := []string{
		"[", "[]", "[!]", "[]a]", "[!]a]", "[a-]", "[-a]", "[a-z-9]", "[[:alpha:]]", "[[:upper:]a]", "[![:space:]]", "[[:punct:]]",
		"[[:bogus:]]", "[[:alpha]", "[[:]", "[[::]]", `[\]]`, `[\a-\z]`, `[a\]`, "[z-a]", "[/]", "[!/]", "[a/]", "[--0]", "[+--]", "[[-a]",
		"[[:alpha:]-z]", "[a-[:alpha:]]", "[[:digit:][:blank:]]", "[^^]", "[!!]", "[[:cntrl:]]", "[[:graph:]]", "[[:print:]]", "[[:xdigit:]]",
		"[[:alnum:]", "[[:lower:]]", "[\x80-\xff]", "[a-",
	}
	if hard && rng.IntN(2) == 0 {
		return odd[rng.IntN(len(odd))]
	}
	return plain[rng.IntN(len(plain))]
}

// quote makes a name stand for itself.
func quote(name string) string {
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		if strings.IndexByte(`*?[]\!# `, name[i]) >= 0 {
			out.WriteByte('\\')
		}
		out.WriteByte(name[i])
	}
	return out.String()
}
