package command

import "strings"

// sed marks scripts with the commands e and w or the flags of that name, and
// editing in place.
func (sc *scanner) sed(p *part, argv []arg) {
	script := false
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		switch {
		case t == "-e" || t == "--expression":
			if i++; i < len(argv) {
				sc.sedScript(p, argv[i])
			}
			script = true
		case strings.HasPrefix(t, "--expression="):
			sc.sedScript(p, arg{text: strings.TrimPrefix(t, "--expression="), open: argv[i].open})
			script = true
		case t == "-f" || strings.HasPrefix(t, "--file"):
			p.mark("-f", "sed -f runs a script from a file")
			script = true
		case strings.HasPrefix(t, "--in-pl") || strings.HasPrefix(t, "--in-"):
			p.mark("--in-place", "sed --in-place writes the file")
		case len(t) > 1 && t[0] == '-' && t[1] != '-':
			for k := 1; k < len(t); k++ {
				switch t[k] {
				case 'i':
					p.mark("-i", "sed -i writes the file")
					k = len(t)
				case 'e':
					if k+1 < len(t) {
						sc.sedScript(p, arg{text: t[k+1:], open: argv[i].open})
					} else if i++; i < len(argv) {
						sc.sedScript(p, argv[i])
					}
					script = true
					k = len(t)
				case 'f':
					p.mark("-f", "sed -f runs a script from a file")
					script = true
					k = len(t)
				}
			}
		case t != "" && t[0] == '-':
		case !script:
			sc.sedScript(p, argv[i])
			script = true
		}
	}
}

// sedScript looks through a script for e, w and W in the place of a command, and
// for e and w among the flags of s.
func (sc *scanner) sedScript(p *part, a arg) {
	s := a.text
	if a.open && (a.loose || strings.Contains(s, "$(") || strings.Contains(s, "`")) {
		p.mark("", "the sed script is known to bash alone")
	}
	for i := 0; i < len(s); {
		i = sedAddress(s, i)
		if i >= len(s) {
			return
		}
		switch c := s[i]; c {
		case 'e', 'w', 'W':
			p.mark("", "the sed command "+string([]byte{c})+" runs a program or writes a file")
			end := lineEnd(s, i)
			if c == 'e' {
				sc.deeper(s[i+1 : end])
			}
			i = end
		case 's', 'y':
			flags := sedDelimited(s, i+1, 2)
			end := flags
			for end < len(s) && !strings.ContainsRune(";}\n# \t", rune(s[end])) && s[end] != 'w' {
				if s[end] == 'e' && c == 's' {
					p.mark("", "the e flag of s runs its result")
					sc.deeper(s[min(i+1, len(s)):flags])
					for _, half := range strings.Split(s[i+1:flags], s[min(i+1, len(s)-1):min(i+2, len(s))]) {
						sc.deeper(half)
					}
				}
				end++
			}
			if end < len(s) && s[end] == 'w' && c == 's' {
				p.mark("", "the w flag of s writes a file")
				end = lineEnd(s, end)
			}
			i = end
		case 'a', 'i', 'c', 'r', 'R', '#':
			i = lineEnd(s, i)
		case 'b', 't', 'T', ':': // the label ends at a semicolon too
			for i < len(s) && s[i] != ';' && s[i] != '\n' {
				i++
			}
		default:
			i++
		}
	}
}

// sedAddress skips blanks, addresses and separators in front of a command.
func sedAddress(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case strings.IndexByte(" \t\n;{}!,$0123456789~+", c) >= 0:
			i++
		case c == '/':
			i = sedDelimited(s, i, 1)
			for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
				i++
			}
		case c == '\\' && i+1 < len(s):
			i = sedDelimited(s, i+1, 1)
		default:
			return i
		}
	}
	return i
}

// sedDelimited skips count texts; s[i] is the delimiter in front of the first.
func sedDelimited(s string, i, count int) int {
	if i >= len(s) {
		return len(s)
	}
	delimiter := s[i]
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if delimiter != '[' {
				if end := strings.IndexByte(s[min(i+2, len(s)):], ']'); end >= 0 && !strings.Contains(s[i:i+2+end], string([]byte{delimiter})) {
					i += 2 + end
				}
			}
		case delimiter:
			if count--; count == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
