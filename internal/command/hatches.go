package command

import "strings"

// A hatch is an option of an otherwise harmless program that runs another
// program, or writes where the name of the program suggests that it only reads.
// An entry such as "find *" was written for looking around, not for
// find -delete, so it must name the option to allow it.
type hatch struct {
	words []string // whole words, also as word=value: of=, -exec
	long  []string // long options: --output, also abbreviated and with =value
	short string   // letters of short options, also within a cluster
	takes string   // other letters that take an argument and so end a cluster
	runs  bool     // the argument is, or begins, a command
}

// hatchesOf lists the hatches of a program.
func hatchesOf(base string) []hatch {
	switch base {
	case "find":
		return []hatch{{words: []string{"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}}}
	case "fd", "fdfind":
		return []hatch{{short: "xX", takes: "dtesEojcS", long: []string{"--exec", "--exec-batch"}, runs: true}}
	case "sort":
		return []hatch{{short: "o", takes: "kStT", long: []string{"--output"}}, {long: []string{"--compress-program"}, runs: true}}
	case "rg":
		return []hatch{{long: []string{"--pre", "--hostname-bin"}, runs: true}}
	case "env":
		return []hatch{{short: "S", takes: "uCa", long: []string{"--split-string"}}}
	case "tar", "gtar", "bsdtar":
		return []hatch{{short: "IF", takes: "fCbTXgHLKNV", long: []string{"--to-command", "--checkpoint-action", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command"}, runs: true}}
	case "dd":
		return []hatch{{words: []string{"of"}}}
	case "make", "gmake":
		return []hatch{{short: "E", takes: "CfIjloW", long: []string{"--eval"}, runs: true}, {words: []string{"SHELL"}, runs: true}}
	case "go":
		return []hatch{{words: []string{"-exec", "--exec", "-toolexec", "--toolexec", "-vettool", "--vettool"}, runs: true}}
	case "split":
		return []hatch{{long: []string{"--filter"}, runs: true}}
	case "man":
		return []hatch{{short: "PH", takes: "CRLmMSserEp", long: []string{"--pager", "--html"}, runs: true}}
	case "ssh":
		return []hatch{{short: "oFE", takes: "bcDIiJLlmpQRSWw"}}
	case "scp", "sftp":
		return []hatch{{short: "oFSD", takes: "ciJlP"}}
	case "rsync":
		return []hatch{{short: "e", takes: "fBTM", long: []string{"--rsh", "--rsync-path"}, runs: true}}
	case "zip":
		return []hatch{{short: "T", long: []string{"--unzip-command"}}, {words: []string{"-TT"}, runs: true}}
	case "tcpdump":
		return []hatch{{short: "z", takes: "BcCDEFGijmMrsTVwWyZ", runs: true}, {short: "w", takes: "BcCDEFGijmMrsTVWyZz"}}
	case "tree", "shuf", "iconv":
		return []hatch{{short: "o", takes: "LPIHTnrifst", long: []string{"--output"}}}
	case "yq", "gofmt", "prettier":
		return []hatch{{words: []string{"-i", "-w", "--write", "--inplace"}}}
	case "base64", "base32":
		return []hatch{{short: "o", takes: "wbi", long: []string{"--output"}}}
	case "vi", "vim", "view", "nvim", "ex", "vimdiff", "emacs":
		return []hatch{{words: []string{"-c", "--cmd", "-S", "-s", "-u", "--eval", "-f", "-l", "--load", "--script"}}}
	case "cargo":
		return []hatch{{long: []string{"--config"}}}
	case "less", "more":
		return []hatch{{short: "oOk", takes: "bhjpPtTxyz#"}}
	case "perl", "ruby":
		return []hatch{{words: []string{"-i"}}}
	}
	return nil
}

// hatches marks the options of argv that the program's hatches list.
func (sc *scanner) hatches(p *part, base string, argv []arg) {
	list := hatchesOf(base)
	switch base {
	case "git":
		sc.git(p, argv)
		return
	case "sed", "gsed":
		sc.sed(p, argv)
		return
	case "awk", "gawk", "mawk", "nawk":
		sc.awk(p, argv)
		return
	case "make", "gmake":
		for _, a := range argv[1:] {
			if !a.open && (strings.Contains(a.text, "$(") || strings.Contains(a.text, "`")) {
				p.mark("", "make expands "+a.text)
				sc.embedded(a.text)
			}
		}
		for i, a := range argv[1:] {
			if a.file != nil || i > 0 && (a.text == "-" || isStdin(a.text)) || a.text == "-f-" || strings.HasSuffix(a.text, "file=-") {
				p.mark("", "make reads rules that can't be seen")
			}
		}
	case "vi", "vim", "view", "nvim", "ex", "vimdiff", "less", "more":
		for _, a := range argv[1:] {
			if len(a.text) > 1 && a.text[0] == '+' && strings.Trim(a.text[1:], "0123456789") != "" {
				p.mark("+", base+" "+a.text+" runs a command")
			}
		}
	case "uniq", "xxd":
		if len(filesOf(argv, map[string]string{"uniq": "fsw", "xxd": "cglons"}[base])) > 1 {
			p.mark("", "the second file of "+base+" is written")
		}
	case "tar", "gtar":
		// The old style has the letters first, without a hyphen.
		if len(argv) > 1 && !strings.HasPrefix(argv[1].text, "-") && strings.ContainsAny(argv[1].text, "IF") && len(argv[1].text) < 12 {
			p.mark("", "tar runs a program")
			for _, a := range argv[2:] {
				sc.deeper(a.text)
			}
		}
	}
	for _, h := range list {
		sc.hatch(p, base, h, argv)
	}
	switch base {
	case "find", "fd", "fdfind", "rg", "tar", "env":
		sc.unknownOptions(p, base, argv)
	}
}

// filesOf are the operands of argv, where the letters in takes have an argument.
func filesOf(argv []arg, takes string) []arg {
	var out []arg
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		switch {
		case t == "--":
			return append(out, argv[i+1:]...)
		case len(t) == 2 && t[0] == '-' && strings.Contains(takes, t[1:]):
			i++
		case len(t) < 2 || t[0] != '-':
			out = append(out, argv[i])
		}
	}
	return out
}

// hatch marks each use of one hatch.
func (sc *scanner) hatch(p *part, base string, h hatch, argv []arg) {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		if t == "--" && base != "find" {
			return
		}
		option, value, inWord := h.find(t)
		if option == "" {
			continue
		}
		p.mark(option, base+" "+option+" runs a program or writes a file")
		if !h.runs {
			continue
		}
		if !inWord && i+1 < len(argv) {
			value = argv[i+1].text
		}
		if value == "" {
			continue
		}
		// tar spells it exec=…; make gives a rule, whose recipe is a line.
		sc.deeper(strings.TrimPrefix(value, "exec="))
		if base == "make" {
			sc.split(value)
		}
	}
}

// find reports the hatch that a word opens, as an entry would write it, with the
// argument that is glued to it.
func (h hatch) find(word string) (option, value string, inWord bool) {
	key, glued, has := strings.Cut(word, "=")
	for _, w := range h.words {
		if key == w && (has || strings.HasPrefix(w, "-")) {
			if !strings.HasPrefix(w, "-") {
				w += "="
			}
			return w, glued, has
		}
	}
	if strings.HasPrefix(word, "--") {
		for _, l := range h.long {
			// Abbreviations of long options are accepted by most programs.
			if key == l || len(key) > 4 && strings.HasPrefix(l, key) {
				return l, glued, has
			}
		}
		return "", "", false
	}
	if len(word) < 2 || word[0] != '-' || h.short == "" {
		return "", "", false
	}
	for i := 1; i < len(word); i++ {
		switch c := word[i : i+1]; {
		case strings.Contains(h.short, c):
			return "-" + c, word[i+1:], i+1 < len(word)
		case strings.Contains(h.takes, c):
			return "", "", false
		}
	}
	return "", "", false
}

// unknownOptions marks unquoted words that may turn out to be options, since an
// agent may have put them in a file. Variables that the line doesn't set come
// from the environment, which is not the agent's.
func (sc *scanner) unknownOptions(p *part, base string, argv []arg) {
	for _, a := range argv[1:] {
		name := strings.Trim(a.text, "${}")
		if a.loose && (strings.HasPrefix(a.text, "$(") || strings.HasPrefix(a.text, "`") || sc.facts.texts[name]) {
			p.mark("", "the options of "+base+" are known to bash alone")
		}
	}
}
