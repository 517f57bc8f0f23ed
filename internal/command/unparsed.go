package command

import "strings"

// unparsed looks at the rest of a text that the parser gave up on. Bash may
// have run some of it before it finds the same fault, or may find none, so the
// rest is cut at everything that could separate commands and each piece is
// looked at for denials. Nothing in it is allowed by an entry for part of it.
func (sc *scanner) unparsed() {
	rest := sc.src.rest
	sc.push(part{
		show:  strings.TrimSpace(rest),
		texts: []string{rest},
		marks: []mark{{"", "it can't be read as bash: " + cause(sc.src.err)}},
	})
	sc.split(rest)
}

func cause(err error) string {
	s := err.Error()
	const most = 120
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

// split cuts s into pieces without regard to quotes.
func (sc *scanner) split(s string) {
	pieces := strings.FieldsFunc(s, func(r rune) bool {
		return strings.ContainsRune(";&|\n(){}`<>", r)
	})
	for _, piece := range pieces {
		if sc.shared.over != "" {
			return
		}
		if src := parse(piece); src.err == nil && strings.ContainsAny(piece, `"'\`) {
			sc.deeper(piece)
		}
		var argv []arg
		for _, f := range strings.Fields(piece) {
			word, _ := unescape(strings.NewReplacer(`"`, "", `'`, "").Replace(f))
			if len(argv) == 0 && (isReserved(word) || strings.Contains(word, "=")) || word == "" {
				continue
			}
			argv = append(argv, arg{text: word, open: true})
		}
		if len(argv) == 0 {
			continue
		}
		p := part{show: strings.TrimSpace(piece), free: true}
		sc.inspect(&p, argv, text{}, 0)
		p.marks = nil
		sc.push(p)
	}
}

func isReserved(word string) bool {
	switch word {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select", "function", "time", "coproc", "!", "[[", "]]", "$":
		return true
	}
	return isAssignment(word)
}
