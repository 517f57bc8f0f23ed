package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// searchPath is where a command finds programs: nothing that it can write.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// passed are the variables that a command has from outside. Anything else may
// be a secret, or lead a program astray.
var passed = []string{"TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "LC_TIME", "LC_MESSAGES", "LC_COLLATE", "LC_NUMERIC", "TZ", "COLUMNS", "LINES"}

// environment makes a command's variables: fixed ones, those that are passed,
// and what the caller sets on purpose.
func (pl *Plan) environment(getenv func(string) string, set map[string]string) ([]string, error) {
	vars := map[string]string{
		"PATH": searchPath, "HOME": pl.home, "TMPDIR": pl.tmp, "USER": "agent", "LOGNAME": "agent", "SHELL": "/bin/sh",
		"LANG": "C.UTF-8", "PADDOCK": "1",
	}
	for _, name := range passed {
		if value := getenv(name); value != "" {
			vars[name] = value
		}
	}
	for name, value := range set {
		if err := settable(name, value); err != nil {
			return nil, err
		}
		vars[name] = value
	}
	env := make([]string, 0, len(vars))
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env, nil
}

// settable refuses names that are none, and those by which a variable makes a
// program load what it was not asked to.
func settable(name, value string) error {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00"):
		return fmt.Errorf("%q is no name of a variable", name)
	case strings.HasPrefix(name, "LD_"), name == "BASH_ENV", name == "ENV", strings.HasPrefix(name, "BASH_FUNC_"):
		return fmt.Errorf("the variable %s makes every program load something first; it is not set in a sandbox", name)
	}
	return nil
}
