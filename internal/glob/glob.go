// Package glob matches the patterns of policy rules and of search tools.
//
// [Compile] reads the dialect of rules, whose patterns are absolute virtual paths:
//
//   - `*` is any run of characters of one component, none included
//   - `?` is one character
//   - `[a-c]` is one character of a set, `[!a-c]` and `[^a-c]` one that is not in it; [:alpha:] and its like are ASCII
//   - `**` as a whole component is any number of components, none included, so /dir/** covers /dir itself. Glued to other
//     text it is two plain stars
//   - `{a,b}` is either, and may be nested; `{1..3}`, `{01..10..2}` and `{a..c}` count, as in bash. Braces that hold
//     neither a comma nor a range are ordinary characters
//   - `\c` is the character c itself; `\/` is a slash
//
// Names that begin with a dot are matched like any other: a rule that denies everything must deny .env too. Letter case
// counts. A bracket that is never closed is an ordinary character. Repeated slashes and `.` components count as one
// slash. A final slash demands a directory, which a path says of itself by a final slash of its own; after `**` it says
// nothing. A character is a Unicode code point or a byte that is no part of one.
//
// [CompileInclude] reads the patterns of search tools, which are kinder: see there.
//
// The package is pure: it never looks at a file system. Matching neither recurses nor allocates, and costs at most the
// length of the pattern times the length of the path, since whoever names a path chooses how hard it is to match.
package glob

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds on a pattern. A pattern beyond them is refused, not cut.
const (
	MaxPattern    = 1024 // bytes
	MaxExpansions = 256  // alternatives that braces may expand to
)

// A Glob is a compiled pattern of a rule. It is immutable and safe for concurrent use.
type Glob struct {
	pattern string
	alts    []alternative
}

// A PatternError says why a pattern was refused.
type PatternError struct {
	Pattern string
	Reason  string
}

// Error quotes the pattern, so that it can be printed anywhere.
func (e *PatternError) Error() string {
	pattern := e.Pattern
	if len(pattern) > 64 {
		pattern = pattern[:64] + "..."
	}
	return fmt.Sprintf("invalid glob pattern %q: %s", pattern, e.Reason)
}

// Compile compiles the pattern of a rule. It must begin with a slash and may have no component `..` or `~`: paths are
// compared after both are resolved, so such a pattern would match nothing and a rule that denies would deny nothing.
// The error is a *PatternError.
func Compile(pattern string) (*Glob, error) {
	if !strings.HasPrefix(pattern, "/") {
		return nil, &PatternError{pattern, "it must begin with '/': paths of rules are absolute"}
	}
	for part := range strings.FieldsFuncSeq(pattern, func(r rune) bool { return r == '/' || r == '\\' }) {
		if err := checkComponent(pattern, part); err != nil {
			return nil, err
		}
	}
	texts, err := expand(pattern)
	if err != nil {
		return nil, err
	}
	g := &Glob{pattern: pattern}
	for _, text := range texts {
		alt, err := parse(pattern, text)
		if err != nil {
			return nil, err
		}
		for _, p := range alt.parts {
			if err := checkComponent(pattern, p.text); err != nil {
				return nil, err
			}
		}
		g.alts = append(g.alts, alt)
	}
	return g, nil
}

// checkComponent refuses what no resolved path holds.
func checkComponent(pattern, component string) error {
	switch component {
	case "..":
		return &PatternError{pattern, "it may not contain '..': rules are matched against resolved paths, which hold none"}
	case "~":
		return &PatternError{pattern, "it may not contain '~': there is no home folder in a virtual path; write the path out"}
	}
	return nil
}

// String returns the pattern as it was written.
func (g *Glob) String() string { return g.pattern }

// Alternatives is how many patterns without braces it stands for: the memory it
// takes.
func (g *Glob) Alternatives() int { return len(g.alts) }

// DirOnly reports whether the pattern, or an alternative of it, ends in a slash and so matches only a path that does.
// It covers nothing below the folder, which is seldom what was meant.
func (g *Glob) DirOnly() bool {
	return slices.ContainsFunc(g.alts, func(a alternative) bool { return a.dirOnly })
}

// Match reports whether the pattern matches path, an absolute virtual path without `.` and `..`. A final slash says that
// path is a directory and else changes nothing. A path that does not begin with a slash matches nothing.
func (g *Glob) Match(path string) bool {
	if !strings.HasPrefix(path, "/") {
		return false
	}
	return slices.ContainsFunc(g.alts, func(a alternative) bool { return a.match(path) })
}
