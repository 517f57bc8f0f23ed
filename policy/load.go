package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MaxFile is the size in bytes above which Parse and ParseTests refuse a
// file. A policy of ten thousand patterns stays well below it.
const MaxFile = 1 << 20

// maxProblems bounds what one file is told: whoever has fifty mistakes to fix
// will run check again.
const maxProblems = 50

// A Problem is one thing that is wrong with a policy, or worth a second look.
// Its Position is zero when no file is involved; then the text begins with the
// address of the value, such as paths[1].slug.
type Problem struct {
	Position
	Text string
}

// String is FILE:LINE:COL: text, or the text alone when there is no file.
func (p Problem) String() string {
	if p.Position == (Position{}) {
		return p.Text
	}
	return p.Position.String() + ": " + p.Text
}

// A LoadError holds everything that is wrong with a policy, in the order of
// the file. It has at least one problem.
type LoadError struct {
	Problems []Problem
}

// Error has one line for each problem, see Problem.String.
func (e *LoadError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Parse reads a policy file, YAML or JSON, and checks it as Validate does. The
// name is only used in positions. Nothing is opened and no default is filled
// in: what the file leaves out stays unset.
//
// Parse is strict, because a rule that is misread is worse than none: an
// unknown or doubled key, a value of the wrong type, a list left empty by
// accident, a second document, an anchor or a tag is an error, a *LoadError
// with all that is wrong with the file.
func Parse(file string, data []byte) (*SecurityContext, error) {
	c := &SecurityContext{}
	f := readFile(file, data, c)
	c.where = &f.positions
	k := checker{where: f.positions, problems: f.problems, known: f.wrong}
	if f.readable {
		c.checkFile(&k)
		c.check(&k)
	}
	if err := k.err(); err != nil {
		return nil, err
	}
	c.cleanSlugs()
	return c, nil
}

// cleanSlugs makes /boo/ and boo one spelling.
func (c *SecurityContext) cleanSlugs() {
	lists := [][]PathEntry{c.Paths}
	for _, w := range c.Workers {
		lists = append(lists, w.Paths)
	}
	for _, entries := range lists {
		for i := range entries {
			entries[i].Slug = cleanSlug(entries[i].Slug)
		}
	}
}

// checkFile holds what is demanded of a file and not of a program, where an
// empty list of paths is the documented way to say that there are no mounts.
func (c *SecurityContext) checkFile(k *checker) {
	if len(c.Paths) == 0 && !c.UnrestrictedPaths && !k.known["unrestricted_paths"] {
		k.add("paths", "there is no mount; list at least one with slug root, such as paths: [{slug: root, path: ., allowed_permission: read}], or say unrestricted_paths: true for no restriction of places at all")
	}
}

// sortProblems brings problems into the order of the file and drops repeats.
func sortProblems(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	problems = slices.Compact(problems)
	if more := len(problems) - maxProblems; more > 0 {
		problems = problems[:maxProblems]
		last := problems[maxProblems-1].Position
		problems = append(problems, Problem{last, fmt.Sprintf("and %d more problems; fix these first", more)})
	}
	return problems
}

// maxQuoted is how much of a value an error repeats.
const maxQuoted = 80

// quoted writes a value from a policy so that it can be printed anywhere:
// escaped, because a found policy is written by a stranger who may try to move
// the cursor or reverse the text, and cut, because it may be a megabyte.
func quoted(value string) string {
	if len(value) > maxQuoted {
		cut := strings.ToValidUTF8(value[:maxQuoted], "")
		return fmt.Sprintf("%q…", cut)
	}
	return fmt.Sprintf("%q", value)
}
