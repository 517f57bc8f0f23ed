package policy

import (
	"maps"
	"slices"
)

// Warnings are what a valid context says and its author probably did not mean:
// a pattern that reaches less far than it looks, a line that can never speak, a
// setting that this version does not act on. They are in the order of the
// file. What needs the real tree, such as two entries on one folder, is found
// by Compile's caller.
//
// Each is a fact about the policy, not a guess about taste: no list is called
// too short and no right too wide.
func (c *SecurityContext) Warnings() []Problem {
	k := checker{}
	if c.where != nil {
		k.where = *c.where
	}
	k.warnParts(c)
	for _, name := range slices.Sorted(maps.Keys(c.Workers)) {
		w := c.Workers[name]
		within := checker{where: k.where, prefix: "workers." + name + "."}
		within.warnParts(w.plain())
		within.warnWiderRules(c, &w)
		k.problems = append(k.problems, within.problems...)
	}
	return sortProblems(k.problems)
}

// warnParts finds what a context and a worker can both say.
func (k *checker) warnParts(c *SecurityContext) {
	k.warnPatterns("denied_path_regex", c.DeniedPathRegex)
	for i := range c.Paths {
		at, e := index("paths", i), &c.Paths[i]
		k.warnPatterns(at+".denied_path_regex", e.DeniedPathRegex)
		if e.RequiredPermission != nil && e.DeniedPermission != nil {
			if lost := *e.RequiredPermission & *e.DeniedPermission; lost != None {
				k.add(at+".required_permission", "%s is denied by denied_permission here, so nobody is ever asked", lost)
			}
		}
	}
	k.warnShadowed(c.Rules)
	k.warnCommands(c)
	k.warnTools(c)
	k.warnNetwork(c.Network)
	k.warnNotYet(c)
}
