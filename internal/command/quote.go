package command

import "strings"

// Quote writes argv as the shell line that runs it, exactly as Python's
// shlex.join does, since the entries of a list are written with that in mind.
// It is the line that [Judge.Argv] judges.
func Quote(argv []string) string {
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = quoteWord(arg)
	}
	return strings.Join(quoted, " ")
}

func quoteWord(s string) string {
	if s == "" {
		return "''"
	}
	for i := range len(s) {
		c := s[i]
		safe := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("@%_-+=:,./", c) >= 0
		if !safe {
			return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"
		}
	}
	return s
}
