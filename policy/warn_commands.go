package policy

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"paddock/internal/command"
)

// warnCommands looks at what the lists say of each other.
func (k *checker) warnCommands(c *SecurityContext) {
	for _, list := range [...]struct {
		name  string
		texts []string
	}{{"allowed_commands", c.AllowedCommands}, {"ask_commands", c.AskCommands}} {
		for i, text := range list.texts {
			at := index(list.name, i)
			if text == "default" {
				k.add(at, "default names the built-in list only in denied_commands; here it is a text to be found in a command")
			}
			if c.DeniedCommands == nil {
				continue
			}
			if j := slices.IndexFunc(*c.DeniedCommands, func(d string) bool { return alwaysDenied(d, text) }); j >= 0 {
				k.add(at, "every command that %s matches is denied by %s (%s), and a denial wins", quoted(text), k.cite(index("denied_commands", j)), quoted((*c.DeniedCommands)[j]))
			}
		}
	}
	for i, text := range c.AllowedCommands {
		if p, err := command.Compile(text); err == nil && p.Kind == command.Plain && text != "default" {
			k.add(index("allowed_commands", i), "%s without * ? [ ] is found anywhere in a command, inside other words too; write %s for it with arguments, %s for it alone", quoted(text), quoted(text+" *"), quoted("re:^"+regexp.QuoteMeta(text)+"$"))
		}
	}
}

// alwaysDenied tells whether a denied pattern surely matches all that a listed
// one matches: it is the same, or a plain text that the other contains.
func alwaysDenied(denied, listed string) bool {
	if denied == "default" {
		return false
	}
	d, err := command.Compile(denied)
	l, err2 := command.Compile(listed)
	if err != nil || err2 != nil {
		return false
	}
	if d.Kind == l.Kind && (denied == listed || d.Kind != command.Regexp && strings.EqualFold(denied, listed)) {
		return true // in an expression the case counts: \w is not \W
	}
	// What stands between the wildcards of a glob is in each command it matches.
	if d.Kind != command.Plain || l.Kind == command.Regexp || strings.Contains(listed, "[") {
		return false
	}
	return slices.ContainsFunc(strings.FieldsFunc(listed, func(r rune) bool { return r == '*' || r == '?' }), d.Match)
}

// tools are the names of the tools that come with paddock.
var tools = []string{
	"ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete", "execute", "eval",
	"file_tool", "directory_tool", "search_tool", "process_tool", "rsync_tool",
}

// habits are names that other agents give to our tools.
var habits = map[string]string{
	"bash": "execute", "shell": "execute", "run": "execute", "exec": "execute", "read": "read_file", "write": "write_file",
	"edit": "edit_file", "find": "glob", "search": "grep", "list": "ls", "rm": "delete", "remove": "delete",
}

// warnTools names tools that paddock does not have.
func (k *checker) warnTools(c *SecurityContext) {
	for _, tool := range slices.Sorted(maps.Keys(c.InterruptOn)) {
		k.warnTool(member("interrupt_on", tool), tool, "this gate acts")
	}
	for i, tool := range c.Interpreter.PTC {
		k.warnTool(index("interpreter.ptc", i), tool, "code can call it")
	}
}

func (k *checker) warnTool(at, tool, what string) {
	if slices.Contains(tools, tool) {
		return
	}
	hint := habits[strings.ToLower(tool)]
	if hint == "" {
		hint = nearest(strings.ToLower(strings.ReplaceAll(tool, "-", "_")), tools)
	}
	if hint != "" {
		hint = "; did you mean " + hint + "?"
	}
	k.add(at, "paddock has no tool %s, so %s only if you add one of that name%s", quoted(tool), what, hint)
}
