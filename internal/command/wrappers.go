package command

import "strings"

// A wrapper is a program that starts the command in its own arguments.
type wrapper struct {
	short    string   // short options that take an argument
	long     []string // long options that take the next word as argument
	operands int      // words that come before the command
	assigns  bool     // NAME=value words come before the command
}

// wrapperFor describes a known wrapper.
func wrapperFor(base string) (wrapper, bool) {
	switch base {
	case "nohup", "setsid", "builtin", "fakeroot", "unbuffer", "catchsegv", "command", "busybox", "toybox", "arch", "setarch", "linux64", "linux32", "eatmydata", "chronic":
		return wrapper{}, true
	case "env":
		return wrapper{short: "uCa", long: []string{"--unset", "--chdir", "--argv0"}, assigns: true}, true
	case "timeout":
		return wrapper{short: "ks", long: []string{"--kill-after", "--signal"}, operands: 1}, true
	case "nice":
		return wrapper{short: "n", long: []string{"--adjustment"}}, true
	case "time":
		return wrapper{short: "fo", long: []string{"--format", "--output"}}, true
	case "exec":
		return wrapper{short: "a"}, true
	case "xargs":
		return wrapper{short: "aEdILnPs", long: []string{"--arg-file", "--delimiter", "--max-lines", "--max-args", "--max-procs", "--max-chars", "--process-slot-var", "--replace"}}, true
	case "parallel":
		return wrapper{short: "aIjLnNPSsCdE", long: []string{"--jobs", "--arg-file", "--delimiter", "--colsep", "--max-args"}}, true
	case "stdbuf":
		return wrapper{short: "ioe", long: []string{"--input", "--output", "--error"}}, true
	case "ionice":
		return wrapper{short: "cnpPu", long: []string{"--class", "--classdata", "--pid"}}, true
	case "chrt":
		return wrapper{short: "TPDp", operands: 1}, true
	case "taskset", "numactl", "cpulimit", "faketime", "softlimit", "setlock":
		return wrapper{short: "NmCpPlL", operands: operandsOf(base)}, true
	case "chroot":
		return wrapper{long: []string{"--userspec", "--groups"}, operands: 1}, true
	case "sudo":
		return wrapper{short: "ugpChrtTUDR", long: []string{"--user", "--group", "--prompt", "--close-from", "--host", "--role", "--type", "--chdir", "--chroot", "--command-timeout", "--other-user"}, assigns: true}, true
	case "doas":
		return wrapper{short: "uCa"}, true
	case "runuser", "su":
		return wrapper{short: "ugGcsTw", long: []string{"--user", "--group", "--supp-group", "--command", "--shell"}, operands: operandsOf(base)}, true
	case "pkexec":
		return wrapper{long: []string{"--user"}}, true
	case "flock":
		return wrapper{short: "wE", long: []string{"--timeout", "--wait", "--conflict-exit-code"}, operands: 1}, true
	case "watch":
		return wrapper{short: "nqs", long: []string{"--interval", "--equexit"}}, true
	case "strace", "ltrace":
		return wrapper{short: "oepsuEaPIObSUX"}, true
	case "prlimit", "choom":
		return wrapper{short: "np", long: []string{"--adjust", "--pid"}}, true
	case "setpriv":
		return wrapper{long: []string{"--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set", "--securebits", "--selinux-label", "--apparmor-profile"}}, true
	case "unshare", "nsenter":
		return wrapper{short: "tSGRwl", long: []string{"--setuid", "--setgid", "--root", "--wd", "--propagation", "--target"}}, true
	case "systemd-run":
		return wrapper{short: "pEHMu", long: []string{"--unit", "--property", "--description", "--slice", "--setenv", "--uid", "--gid", "--working-directory"}}, true
	case "dbus-run-session", "xvfb-run", "rlwrap", "firejail", "torsocks", "proxychains", "proxychains4", "caffeinate", "valgrind", "gdb":
		return wrapper{short: "nsfewpl"}, true
	}
	if strings.HasPrefix(base, "ld-linux") || strings.HasPrefix(base, "ld-musl") || base == "ld.so" {
		return wrapper{long: []string{"--library-path", "--preload", "--audit", "--argv0"}}, true
	}
	return wrapper{}, false
}

func operandsOf(base string) int {
	switch base {
	case "taskset", "faketime", "setlock", "su":
		return 1
	}
	return 0
}

// inners are the commands that argv starts: the one behind a wrapper, those in
// the -exec options of find and of fd.
func inners(base string, argv []arg) [][]arg {
	switch base {
	case "find":
		return findCommands(argv)
	case "fd", "fdfind":
		return fdCommand(argv)
	case "command":
		if len(argv) > 1 && (strings.HasPrefix(argv[1].text, "-v") || strings.HasPrefix(argv[1].text, "-V")) {
			return nil // only says where the program is
		}
	case "env":
		if split, ok := envSplit(argv); ok {
			return [][]arg{split}
		}
	}
	w, ok := wrapperFor(base)
	if !ok {
		return nil
	}
	return w.strip(argv[1:], 0)
}

// strip takes the wrapper's own words off. An unknown long option may or may not
// take the next word, so both are tried.
func (w wrapper) strip(rest []arg, tries int) [][]arg {
	var out [][]arg
	i := 0
options:
	for i < len(rest) {
		t := rest[i].text
		switch {
		case t == "--":
			i++
			break options
		case w.assigns && t == "-":
			i++
		case strings.HasPrefix(t, "--"):
			i++
			if strings.Contains(t, "=") {
				continue
			}
			if takes(w.long, t) {
				i++
			} else if tries < 3 && i < len(rest) {
				out = append(out, w.strip(rest[i+1:], tries+1)...)
			}
		case len(t) > 1 && t[0] == '-':
			i++
			if at := strings.IndexAny(t[1:], w.short); w.short != "" && at == len(t)-2 {
				i++
			}
		case w.assigns && isAssignment(t):
			i++
		default:
			break options
		}
	}
	for n := w.operands; n > 0 && i < len(rest); n-- {
		i++
	}
	for w.assigns && i < len(rest) && isAssignment(rest[i].text) {
		i++
	}
	if i < len(rest) {
		out = append(out, rest[i:])
	}
	return out
}

// takes reports a long option, abbreviated or not, that takes the next word.
func takes(long []string, option string) bool {
	for _, l := range long {
		if strings.HasPrefix(l, option) && len(option) > 3 {
			return true
		}
	}
	return false
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return false
		}
	}
	return true
}

// envSplit reads env -S 'a b', which splits its argument into words.
func envSplit(argv []arg) ([]arg, bool) {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		var s string
		switch {
		case t == "-S" || t == "--split-string":
			if i+1 >= len(argv) {
				return nil, false
			}
			i++
			s = argv[i].text
		case strings.HasPrefix(t, "--split-string="):
			s = strings.TrimPrefix(t, "--split-string=")
		case len(t) > 2 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "S"):
			_, s, _ = strings.Cut(t, "S")
			if s == "" && i+1 < len(argv) {
				i++
				s = argv[i].text
			}
		case len(t) > 0 && t[0] == '-' || isAssignment(t):
			if t == "-u" || t == "-C" || t == "--unset" || t == "--chdir" {
				i++
			}
			continue
		default:
			return nil, false
		}
		words := []arg{{text: "env"}}
		for _, f := range strings.Fields(strings.NewReplacer(`'`, "", `"`, "", `\_`, " ", `\`, "").Replace(s)) {
			words = append(words, arg{text: f, open: argv[i].open})
		}
		return append(words, argv[i+1:]...), true
	}
	return nil, false
}

// findCommands are the commands behind -exec and its like.
func findCommands(argv []arg) [][]arg {
	var out [][]arg
	for i := 1; i < len(argv); i++ {
		switch argv[i].text {
		case "-exec", "-execdir", "-ok", "-okdir":
			from := i + 1
			for i = from; i < len(argv) && argv[i].text != ";" && argv[i].text != "+"; i++ {
			}
			out = append(out, placeholders(argv[from:min(i, len(argv))]))
		}
	}
	return out
}

// fdCommand is the command behind -x or -X: all that follows.
func fdCommand(argv []arg) [][]arg {
	for i := 1; i < len(argv); i++ {
		t := argv[i].text
		exec := t == "--exec" || t == "--exec-batch" || len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t, "xX")
		if value, ok := strings.CutPrefix(t, "--exec="); ok {
			return [][]arg{append([]arg{{text: value}}, placeholders(argv[i+1:])...)}
		}
		if exec && i+1 < len(argv) {
			return [][]arg{placeholders(argv[i+1:])}
		}
	}
	return nil
}

// placeholders opens the words that hold {}: a file name will stand there.
func placeholders(argv []arg) []arg {
	out := append([]arg(nil), argv...)
	for i := range out {
		if strings.Contains(out[i].text, "{}") {
			out[i].open = true
		}
	}
	return out
}
