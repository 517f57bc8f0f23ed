package command

import "strings"

// fed is the command of an xargs with the words that its input adds: at the end,
// or in the place that -I names. Where the input is not known an open word
// stands for it, so that `xargs env` and `xargs -I{} {}` name no program.
func fed(argv, inner []arg, in text) []arg {
	words := []arg{{text: "…", open: true, loose: true}}
	if in.known {
		words = nil
		for _, f := range strings.Fields(in.s) {
			words = append(words, arg{text: strings.Trim(f, `'"`), open: true})
		}
	}
	hole := holeOf(argv, len(argv)-len(inner))
	if hole == "" {
		return append(inner[:len(inner):len(inner)], words...)
	}
	var out []arg
	for _, a := range inner {
		if !strings.Contains(a.text, hole) {
			out = append(out, a)
			continue
		}
		if in.known {
			a.text = strings.ReplaceAll(a.text, hole, strings.TrimSpace(in.s))
			for _, f := range strings.Fields(a.text) {
				out = append(out, arg{text: f, open: true})
			}
			continue
		}
		a.open = true
		out = append(out, a)
	}
	return out
}

// holeOf is the text that -I replaces, or "" when words are added at the end.
func holeOf(argv []arg, end int) string {
	if baseName(argv[0].text) == "parallel" {
		return "{}"
	}
	for i := 1; i < end && i < len(argv); i++ {
		t := argv[i].text
		switch {
		case t == "-I" || t == "--replace":
			if i+1 < len(argv) {
				return argv[i+1].text
			}
		case strings.HasPrefix(t, "-I"):
			return t[2:]
		case t == "-i":
			return "{}"
		case strings.HasPrefix(t, "-i") || strings.HasPrefix(t, "--replace="):
			return strings.TrimPrefix(strings.TrimPrefix(t, "--replace="), "-i")
		}
	}
	return ""
}
