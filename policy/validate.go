package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Validate checks a context that a program filled in, by the same rules as
// Parse checks a file. The error is a *LoadError; its problems name the values
// by address, such as paths[1].slug. A context without paths is valid and
// restricts no place (the context model: "Fields").
func (c *SecurityContext) Validate() error {
	k := checker{}
	if c.where != nil {
		k.where = *c.where
	}
	c.check(&k)
	return k.err()
}

// checker collects what is wrong with a context.
type checker struct {
	where    positions
	prefix   string          // of every address, such as "workers.reviewer."
	known    map[string]bool // addresses that have a problem already
	problems []Problem
	// steps is the size of all expressions of the command lists so far, those
	// of the workers included.
	steps int
}

// add records a problem, unless the value or one around it has been reported:
// a list that is no list need not be called empty too.
func (k *checker) add(address, format string, args ...any) {
	address = k.prefix + address
	for at := address; at != ""; at = parentAddress(at) {
		if k.known[at] {
			return
		}
	}
	k.problems = append(k.problems, Problem{k.place(address), labelled(address, fmt.Sprintf(format, args...))})
}

// place is the position of a value, or of what it is missing from.
func (k *checker) place(address string) Position {
	for ; address != ""; address = parentAddress(address) {
		if at, ok := k.where.at[address]; ok {
			return at
		}
	}
	if k.where.file == "" {
		return Position{}
	}
	return Position{k.where.file, 1, 1}
}

func (k *checker) err() error {
	if len(k.problems) == 0 {
		return nil
	}
	return &LoadError{sortProblems(k.problems)}
}

// parentAddress drops the last part: paths[1].slug, paths[1], paths, nothing.
func parentAddress(address string) string {
	return address[:max(strings.LastIndexAny(address, ".["), 0)]
}

// word refuses a value outside a set of words. Empty stands for the default.
func (k *checker) word(address, value string, words ...string) {
	if value == "" || slices.Contains(words, value) {
		return
	}
	hint := ""
	if near := nearest(strings.ToLower(value), words); near != "" {
		hint = "; did you mean " + near + "?"
	}
	last := len(words) - 1
	k.add(address, "%s is not known; write %s or %s%s", quoted(value), strings.Join(words[:last], ", "), words[last], hint)
}

func (c *SecurityContext) check(k *checker) {
	if c.Version != 0 && c.Version != 1 {
		k.add("version", "this paddock reads version 1, not %d", c.Version)
	}
	k.word("denied_names", string(c.DeniedNames), string(Hidden), string(Locked))
	c.checkParts(k)
	if len(c.Paths) > 0 {
		k.rootEntry(c.Paths)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Workers)) {
		k.worker(name, c.Workers[name])
	}
}

// checkParts checks what a context and a worker have in common.
func (c *SecurityContext) checkParts(k *checker) {
	if c.UnrestrictedPaths && len(c.Paths) > 0 {
		k.add("unrestricted_paths", "this says that there are no mounts, and paths lists some; remove one of the two")
	}
	k.rights("permissions", c.Permissions)
	k.rights("require_approval_for", c.RequireApprovalFor)
	k.paths(c.Paths)
	k.ignoreList("denied_path_regex", c.DeniedPathRegex)
	k.rules(c.Rules)
	k.commands(c)
	k.interruptOn(c.InterruptOn)
	k.approval(c.Approval)
	k.network(c.Network)
	k.limits(c.Limits)
	k.interpreter(c.Interpreter)
}

// worker checks a worker as the context it becomes.
func (k *checker) worker(name string, w Worker) {
	if !isName(name, false) {
		k.add(strings.TrimSuffix(member("workers", name), "."), "%s is no name for a worker; use 1 to %d letters, digits, _ and -", quoted(name), maxName)
	}
	within := checker{where: k.where, known: k.known, prefix: "workers." + name + ".", steps: k.steps}
	w.plain().checkParts(&within)
	if len(w.Paths) > 0 {
		within.rootEntry(w.Paths)
	}
	k.problems, k.steps = append(k.problems, within.problems...), within.steps
}

// plain is the worker's own keys as a context.
func (w *Worker) plain() *SecurityContext {
	c := &SecurityContext{
		Paths: w.Paths, UnrestrictedPaths: w.UnrestrictedPaths, DeniedPathRegex: w.DeniedPathRegex,
		Permissions: w.Permissions, RequireApprovalFor: w.RequireApprovalFor,
		AllowedCommands: w.AllowedCommands, DeniedCommands: w.DeniedCommands, AskCommands: w.AskCommands, UnlistedCommands: w.UnlistedCommands,
		InterruptOn: w.InterruptOn,
	}
	set(&c.Rules, w.Rules)
	set(&c.Approval, w.Approval)
	set(&c.Network, w.Network)
	set(&c.Limits, w.Limits)
	set(&c.Interpreter, w.Interpreter)
	return c
}

// set copies what a pointer points to, if anything.
func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// maxName is the length of a slug and of a worker's name.
const maxName = 64

// isName tells whether a text is made of what names are made of: letters and
// digits of ASCII, _ and -, and dots where they are allowed. Other scripts are
// left out because two names of them can look the same.
func isName(text string, dots bool) bool {
	if text == "" || len(text) > maxName {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if !isLetter(c) && !('0' <= c && c <= '9') && c != '_' && c != '-' && !(dots && c == '.') {
			return false
		}
	}
	return true
}
