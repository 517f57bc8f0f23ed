package policy

import (
	"strings"
	"testing"

	"paddock/internal/gitignore"
)

// TestCompileRefuses: what cannot be enforced is not compiled by half.
func TestCompileRefuses(t *testing.T) {
	root := PathEntry{Slug: RootSlug, Path: "x"}
	for _, c := range []struct {
		what string
		ctx  SecurityContext
		at   []Place
		want string
	}{
		{"an invalid context", SecurityContext{Paths: []PathEntry{{Slug: "a", Path: "x"}}}, []Place{{Real: "/x"}}, "root"},
		{"too few places", SecurityContext{Paths: []PathEntry{root}}, nil, "1 paths and 0 places"},
		{"no place", SecurityContext{Paths: []PathEntry{root}}, []Place{{}}, "paths[0] (root): no absolute path"},
		{"a relative place", SecurityContext{Paths: []PathEntry{root}}, []Place{{Real: "x"}}, "paths[0] (root): no absolute path"},
	} {
		if _, err := Compile(&c.ctx, Facts{Places: c.at}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.what, err, c.want)
		}
	}
}

// TestCompileTrustsNobody: compile is only called on what Validate let
// through, and still refuses what it cannot compile, should Validate ever
// forget to.
func TestCompileTrustsNobody(t *testing.T) {
	place := Facts{Places: []Place{{Real: "/w"}}}
	root := func(e PathEntry) []PathEntry {
		e.Slug, e.Path = RootSlug, "w"
		return []PathEntry{e}
	}
	long := strings.Repeat("a", gitignore.MaxLine+1)
	// A character that NFC writes as two: the line fits, its normal form does
	// not.
	grows := strings.Repeat("\u0958", gitignore.MaxLine/len("\u0958"))
	for what, c := range map[string]struct {
		ctx  SecurityContext
		want string
	}{
		"a pattern of the context":    {SecurityContext{Paths: root(PathEntry{}), DeniedPathRegex: []string{long}}, "denied_path_regex: "},
		"a pattern of an entry":       {SecurityContext{Paths: root(PathEntry{DeniedPathRegex: []string{long}})}, "paths[0].denied_path_regex: "},
		"a pattern that grows in NFC": {SecurityContext{Paths: root(PathEntry{}), DeniedPathRegex: []string{grows}}, "denied_path_regex: "},
		"a rule":                      {SecurityContext{Paths: root(PathEntry{}), Rules: []Rule{{Operations: []Operation{OpRead}, Paths: []string{"relative"}}}}, "rules[0].paths[0]: "},
		"a command":                   {SecurityContext{Paths: root(PathEntry{}), AllowedCommands: []string{"re:("}}, "commands: "},
	} {
		if _, err := compile(&Policy{}, &c.ctx, place); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %.80v; want %q", what, err, c.want)
		}
	}
}
