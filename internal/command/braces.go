package command

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// braces spells out the brace expansions in a word: {touch,x} is touch and x.
// At most maxBraces words come out; the rest is left away, which is no harm for
// allowing since a program that comes out of braces is never allowed.
func braces(parts []syntax.WordPart, depth int) [][]syntax.WordPart {
	words := [][]syntax.WordPart{nil}
	for _, part := range parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok || depth > maxNested {
			for i := range words {
				words[i] = append(words[i], part)
			}
			continue
		}
		var choices [][]syntax.WordPart
		if b.Sequence {
			choices = sequence(b)
		} else {
			for _, e := range b.Elems {
				choices = append(choices, braces(e.Parts, depth+1)...)
			}
		}
		if len(words) >= maxBraces && len(choices) > 0 {
			// No more words: go on with the first choice. Copying each word
			// for each of thousands of groups would never end.
			for i := range words {
				words[i] = append(words[i], choices[0]...)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, w := range words {
			for _, c := range choices {
				if len(next) < maxBraces {
					next = append(next, append(w[:len(w):len(w)], c...))
				}
			}
		}
		words = next
	}
	return words
}

// isPadded reports a number with zeros in front, to whose width bash brings all.
func isPadded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}

func pad(i, width int) string {
	s := strconv.Itoa(max(i, -i))
	sign := ""
	if i < 0 {
		sign = "-"
	}
	return sign + strings.Repeat("0", max(0, min(width, 32)-len(s)-len(sign))) + s
}

// sequence spells out {1..5} and {a..e}, steps included.
func sequence(b *syntax.BraceExp) [][]syntax.WordPart {
	if len(b.Elems) < 2 {
		return nil
	}
	from, to, step := b.Elems[0].Lit(), b.Elems[1].Lit(), 1
	if len(b.Elems) > 2 {
		step, _ = strconv.Atoi(b.Elems[2].Lit())
		step = max(step, -step, 1)
	}
	width := 0
	if isPadded(from) || isPadded(to) {
		width = max(len(from), len(to))
	}
	show := func(i int) string { return pad(i, width) }
	lo, err1 := strconv.Atoi(from)
	hi, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		if len(from) != 1 || len(to) != 1 {
			return nil
		}
		lo, hi = int(from[0]), int(to[0])
		show = func(i int) string { return string([]byte{byte(i)}) }
	}
	if hi < lo {
		step = -step
	}
	var out [][]syntax.WordPart
	for i := lo; len(out) < maxBraces && (step > 0 && i <= hi || step < 0 && i >= hi); i += step {
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: show(i)}})
	}
	return out
}
