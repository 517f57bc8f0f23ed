package command

import "strings"

// awk marks programs that start others, read commands or write files.
func (sc *scanner) awk(p *part, argv []arg) {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		switch {
		case t == "-v" || t == "-F" || t == "--assign" || t == "--field-separator":
			i++
		case strings.HasPrefix(t, "-f") || strings.HasPrefix(t, "--file") || strings.HasPrefix(t, "-E") || strings.HasPrefix(t, "--exec"):
			p.mark("-f", "awk -f runs a program from a file")
			return
		case strings.HasPrefix(t, "-l") || strings.HasPrefix(t, "--load") || strings.HasPrefix(t, "-i") || strings.HasPrefix(t, "--include"):
			p.mark("", "awk loads a library")
		case t == "-e" || t == "--source":
			if i++; i < len(argv) {
				sc.awkProgram(p, argv[i])
			}
			return
		case strings.HasPrefix(t, "-e"):
			sc.awkProgram(p, arg{text: t[2:], open: argv[i].open})
			return
		case strings.HasPrefix(t, "--source="):
			sc.awkProgram(p, arg{text: strings.TrimPrefix(t, "--source="), open: argv[i].open})
			return
		case len(t) > 0 && t[0] == '-' && t != "--":
		case t == "--":
		default:
			sc.awkProgram(p, argv[i])
			return
		}
	}
}

func (sc *scanner) awkProgram(p *part, a arg) {
	if a.open && (a.loose || strings.Contains(a.text, "$(") || strings.Contains(a.text, "`")) {
		p.mark("", "the awk program is known to bash alone")
	}
	code, literals := awkCode(a.text)
	why := ""
	switch {
	case strings.Contains(code, "system"), strings.Contains(code, "@load"), strings.Contains(code, "@include"), strings.Contains(code, "@"):
		why = "the awk program runs another program"
	case strings.Contains(strings.ReplaceAll(code, "||", ""), "|"):
		why = "the awk program pipes to or from a command"
	case awkPrintsToFile(code):
		why = "the awk program writes a file"
	case strings.Contains(code, "getline") && strings.Contains(code, "<"):
		why = "the awk program reads a file of its choice"
	}
	if why == "" {
		return
	}
	p.mark("", why)
	for _, l := range literals {
		sc.deeper(l)
	}
}

// awkCode is a program without the text in its strings, expressions and
// comments, and the strings by themselves.
func awkCode(s string) (code string, literals []string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"':
			from := i + 1
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			literals = append(literals, unescapeANSI(s[from:min(i, len(s))]))
			b.WriteByte('"')
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case c == '/' && awkExpression(b.String()):
			for i++; i < len(s) && s[i] != '/' && s[i] != '\n'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			b.WriteByte('0')
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), literals
}

// awkExpression reports whether a slash after code begins an expression rather
// than divides. Guessing wrong for a division would hide code, so it must be
// clear.
func awkExpression(code string) bool {
	code = strings.TrimRight(code, " \t")
	return code == "" || strings.IndexByte("(,{;~!&|\n", code[len(code)-1]) >= 0
}

// awkPrintsToFile reports a > behind print outside of parentheses.
func awkPrintsToFile(code string) bool {
	for rest := code; ; {
		at := strings.Index(rest, "print")
		if at < 0 {
			return false
		}
		rest = rest[at+len("print"):]
		depth := 0
		for i := 0; i < len(rest); i++ {
			c := rest[i]
			if c == ';' || c == '\n' || c == '}' {
				break
			}
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			case '>':
				if depth <= 0 {
					return true
				}
			}
		}
	}
}
