package glob_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"paddock/internal/glob"
)

func TestInclude(t *testing.T) {
	files := []string{
		"a.py", "sub/b.py", "sub/nested/c.py", "readme.md", ".hidden.py", ".hidden/x.py", ".github/workflows/ci.yml", "d/[x].txt",
	}
	for _, test := range []struct {
		pattern string
		want    []string
	}{
		// Without a slash: the last component, wherever it is.
		{"*.py", []string{"a.py", "sub/b.py", "sub/nested/c.py", ".hidden/x.py"}},
		{"[^a].py", []string{"sub/b.py", "sub/nested/c.py", ".hidden/x.py"}},
		{"?.py", []string{"a.py", "sub/b.py", "sub/nested/c.py", ".hidden/x.py"}},
		{"[ab].py", []string{"a.py", "sub/b.py"}},
		{"*.{py,md}", []string{"a.py", "sub/b.py", "sub/nested/c.py", "readme.md", ".hidden/x.py"}},
		{"*", []string{"a.py", "sub/b.py", "sub/nested/c.py", "readme.md", ".hidden/x.py", ".github/workflows/ci.yml", "d/[x].txt"}},
		{"**", []string{"a.py", "sub/b.py", "sub/nested/c.py", "readme.md", ".hidden/x.py", ".github/workflows/ci.yml", "d/[x].txt"}},
		{"*.yml", []string{".github/workflows/ci.yml"}},
		{".*.py", []string{".hidden.py"}},
		{".*", []string{".hidden.py"}},
		{".hidden.py", []string{".hidden.py"}},
		{"[.]hidden.py", nil},
		{"{.,}*.py", []string{"a.py", "sub/b.py", "sub/nested/c.py", ".hidden.py", ".hidden/x.py"}},
		{"c.py", []string{"sub/nested/c.py"}},
		{`\[x].txt`, []string{"d/[x].txt"}},

		// With one: the path below the root.
		{"**/*.yml", nil},
		{"**/*.py", []string{"a.py", "sub/b.py", "sub/nested/c.py"}},
		{".github/**/*.yml", []string{".github/workflows/ci.yml"}},
		{".*/**/*.yml", []string{".github/workflows/ci.yml"}},
		{"sub/**/*.py", []string{"sub/b.py", "sub/nested/c.py"}},
		{"sub/*.py", []string{"sub/b.py"}},
		{"sub/**", []string{"sub/b.py", "sub/nested/c.py"}},
		{"a.py/**", nil},
		{"/*.py", []string{"a.py"}},
		{"/sub/b.py", []string{"sub/b.py"}},
		{"./*.py", []string{"a.py"}},
		{"**/nested/**", []string{"sub/nested/c.py"}},
		{"sub/", nil},
		{"{sub/*.py,*.md}", []string{"sub/b.py", "readme.md"}},

		// Odd ones match nothing here, but are no errors.
		{"!*.py", nil},
		{"[a-", nil},
		{"*.{py", nil},
		{"/", nil},
	} {
		in, err := glob.CompileInclude(test.pattern)
		if err != nil {
			t.Errorf("CompileInclude(%q): %v", test.pattern, err)
			continue
		}
		var got []string
		for _, file := range files {
			if in.Match(file) {
				got = append(got, file)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.pattern, got, test.want)
		}
	}
}

func TestCompileIncludeRefuses(t *testing.T) {
	for _, test := range []struct{ pattern, reason string }{
		{"", "empty"},
		{strings.Repeat("{a,b}", 40) + "*.py", "more than 256"},
		{"../secrets/*", "'..'"},
		{`a\`, "backslash"},
		{"[z-a]", "backwards"},
		{strings.Repeat("a", glob.MaxPattern+1), "longer than"},
	} {
		_, err := glob.CompileInclude(test.pattern)
		var refused *glob.PatternError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, test.reason) {
			t.Errorf("CompileInclude(%q): got %v; want a refusal that speaks of %q", test.pattern, err, test.reason)
		}
	}
}
