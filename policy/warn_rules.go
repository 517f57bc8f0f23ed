package policy

import (
	"fmt"
	"slices"
	"strings"

	"paddock/internal/glob"
)

// maxCompared bounds the comparison of each rule with each before it.
const maxCompared = 1000

// A ruleLine is one path of a rule.
type ruleLine struct {
	address string
	text    string
	glob    *glob.Glob
	rule    *Rule
}

// ruleLines takes rules apart. Patterns that don't compile are Validate's.
func ruleLines(rules []Rule) []ruleLine {
	var lines []ruleLine
	for i := range rules {
		for j, text := range rules[i].Paths {
			if g, err := glob.Compile(text); err == nil {
				lines = append(lines, ruleLine{index(index("rules", i)+".paths", j), text, g, &rules[i]})
			}
		}
	}
	return lines
}

// warnShadowed finds a path of a rule that an earlier one of another mode
// covers whole (swap the first two rules, and the secret is readable).
func (k *checker) warnShadowed(rules []Rule) {
	lines := ruleLines(rules)
	if len(lines) > maxCompared {
		return
	}
	for i, line := range lines {
		var silent []string
		var by ruleLine
		for _, op := range line.rule.Operations {
			before := slices.IndexFunc(lines[:i], func(l ruleLine) bool {
				return slices.Contains(l.rule.Operations, op) && covers(l.glob, line)
			})
			if before >= 0 && lines[before].rule.Mode.word() != line.rule.Mode.word() && !slices.Contains(silent, string(op)) {
				silent, by = append(silent, string(op)), lines[before]
			}
		}
		if len(silent) > 0 {
			k.add(line.address, "this %s of %s never speaks for %s: %s says %s of %s first; move the narrower rule up", line.rule.Mode.word(), quoted(line.text), strings.Join(silent, " and "), k.cite(by.address), by.rule.Mode.word(), quoted(by.text))
		}
	}
}

// cite names a line for a reader: by its number if there is a file.
func (k *checker) cite(address string) string {
	if at := k.place(k.prefix + address); at.Line > 0 {
		return fmt.Sprintf("line %d", at.Line)
	}
	return k.prefix + address
}

// covers tells whether a glob surely matches all that a line matches.
func covers(g *glob.Glob, line ruleLine) bool {
	if strings.ContainsAny(line.text, `*?[{\`) {
		return g.CoversTree(line.glob.Anchor())
	}
	return g.Match(line.text)
}

// warnWiderRules finds what the parent's rules deny and a worker's list, which
// replaces them for the worker, does not. It shows a name that proves it.
func (k *checker) warnWiderRules(c *SecurityContext, w *Worker) {
	if w.Rules == nil {
		return
	}
	parent, own := ruleLines(c.Rules), ruleLines(*w.Rules)
	for _, line := range parent {
		name, ok := witness(line)
		if !ok || len(parent)*len(own) > maxCompared*maxCompared {
			continue
		}
		for _, op := range []Operation{OpRead, OpWrite} {
			before, after := verdict(parent, op, name), verdict(own, op, name)
			if slices.Contains(line.rule.Operations, op) && strictness(after) < strictness(before) {
				k.add("rules", "for %s of %s these rules say %s where the parent's %s says %s; %s", op, quoted(name), after, (&checker{where: k.where}).cite(line.address), before, parentHolds(w.RulesMayWiden))
				break
			}
		}
	}
}

func parentHolds(lifted bool) string {
	if lifted {
		return "rules_may_widen lifts the parent's"
	}
	return "the parent's still holds"
}

// verdict is what the first rule that matches says; none is allow.
func verdict(lines []ruleLine, op Operation, name string) Mode {
	i := slices.IndexFunc(lines, func(l ruleLine) bool {
		return slices.Contains(l.rule.Operations, op) && l.glob.Match(name)
	})
	if i < 0 {
		return ModeAllow
	}
	return lines[i].rule.Mode.word()
}

func strictness(m Mode) int { return slices.Index([]Mode{ModeAllow, ModeInterrupt, ModeDeny}, m) }

// witness is a name that a line matches, if a simple one does.
func witness(line ruleLine) (string, bool) {
	name := strings.NewReplacer("**", "file", "*", "file", "?", "x").Replace(line.text)
	return name, line.glob.Match(name)
}
