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
	// Newer programs take a delimiter within brackets for an ordinary
	// character, older ones don't. Both readings must be harmless.
	sc.sedCommands(p, sedText{s, true})
	if strings.Contains(s, "[") {
		sc.sedCommands(p, sedText{s, false})
	}
}

// A sedText is a script, with the way to read brackets.
type sedText struct {
	s        string
	brackets bool
}

func (sc *scanner) sedCommands(p *part, script sedText) {
	s := script.s
	for i := 0; i < len(s); {
		i = script.address(i)
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
			flags := script.delimited(i+1, 2, c == 's')
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

// address skips blanks, addresses and separators in front of a command.
func (script sedText) address(i int) int {
	s := script.s
	for i < len(s) {
		switch c := s[i]; {
		case strings.IndexByte(" \t\n;{}!,$0123456789~+", c) >= 0:
			i++
		case c == '/':
			i = script.delimited(i, 1, true)
			for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
				i++
			}
		case c == '\\' && i+1 < len(s):
			i = script.delimited(i+1, 1, true)
		default:
			return i
		}
	}
	return i
}

// delimited skips count texts, of which the first may be an expression; s[i] is
// the delimiter in front of it.
func (script sedText) delimited(i, count int, expression bool) int {
	s := script.s
	if i >= len(s) {
		return len(s)
	}
	delimiter := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == delimiter:
			expression = false
			if count--; count == 0 {
				return i + 1
			}
		case s[i] == '[' && expression && script.brackets:
			i = bracketEnd(s, i)
		}
	}
	return len(s)
}

// bracketEnd finds the end of the bracket expression that begins at i, or i when
// it has none.
func bracketEnd(s string, i int) int {
	j := i + 1
	if j < len(s) && s[j] == '^' {
		j++
	}
	if j < len(s) && s[j] == ']' {
		j++
	}
	for ; j < len(s) && s[j] != '\n'; j++ {
		if s[j] == ']' {
			return j
		}
		if s[j] == '[' && j+1 < len(s) && strings.IndexByte(":.=", s[j+1]) >= 0 {
			if end := strings.Index(s[j+2:], s[j+1:j+2]+"]"); end >= 0 {
				j += 2 + end + 1
			}
		}
	}
	return i
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
