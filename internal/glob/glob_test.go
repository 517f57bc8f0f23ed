package glob_test

import (
	"errors"
	"strings"
	"testing"

	"paddock/internal/glob"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          bool
	}{
		// One component.
		{"/a/*", "/a/b", true},
		{"/a/*", "/a/b/c", false},
		{"/a/*", "/a", false},
		{"/*", "/", false},
		{"/*", "/a", true},
		{"/a*c", "/ac", true},
		{"/a*c", "/abcbc", true},
		{"/a*c", "/abcb", false},
		{"/a?c", "/abc", true},
		{"/a?c", "/ac", false},
		{"/a?c", "/a/c", false},
		{"/?", "/é", true},
		{"/??", "/é", false},
		{"/?", "/\xff", true},
		{"/*.log", "/x.LOG", false},
		{"/x/[a-c]b", "/x/ab", true},
		{"/x/[a-c]b", "/x/db", false},
		{"/x/[!a]", "/x/b", true},
		{"/x/[!a]", "/x/a", false},
		{"/x/[^a]", "/x/b", true},
		{"/x/[]]", "/x/]", true},
		{"/x/[!]]", "/x/]", false},
		{"/x/[a-]", "/x/-", true},
		{`/x/[\]a]`, "/x/]", true},
		{"/x/[α-ω]", "/x/λ", true},
		{"/x/[!α-ω]", "/x/λ", false},
		{"/x/[[:digit:]a]", "/x/7", true},
		{"/x/[[:digit:]a]", "/x/b", false},
		{"/x/[", "/x/[", true},
		{"/x/[ab", "/x/[ab", true},
		{"/x/[ab", "/x/a", false},
		{"/x/[a/b]", "/x/[a/b]", true},
		{"/x/[!a]", "/x/", false},
		{"/café", "/cafe\u0301", false},

		// Many components.
		{"/**", "/", true},
		{"/**", "/a/b/c", true},
		{"/a/**/b", "/a/b", true},
		{"/a/**/b", "/a/x/y/b", true},
		{"/a/**/b", "/a/x/y/b/c", false},
		{"/a/**/b/*/c", "/a/b/b/x/b/y/c", true},
		{"/**/*.py", "/b.py", true},
		{"/**/**/x", "/x", true},
		{"/a/**.py", "/a/b.py", true},
		{"/a/**.py", "/a/x/b.py", false},
		{"/a**/b", "/ax/y/b", false},
		{"/a/***/b", "/a/x/y/b", false},
		{"/a/***/b", "/a/x/b", true},

		// The folder of a tree belongs to it, and dots hide nothing: what denies a folder must deny it whole.
		{"/secrets/**", "/secrets", true},
		{"/secrets/**", "/secrets/", true},
		{"/secrets/**", "/secretsx", false},
		{"/**", "/.env", true},
		{"/**", "/a/.git/config", true},
		{"/a/**/config", "/a/.git/config", true},
		{"/secrets/*", "/secrets/.env", true},
		{"/secrets/?env", "/secrets/.env", true},
		{"/secrets/[!a]env", "/secrets/.env", true},
		{"/secrets/.*", "/secrets/.env", true},
		{"/secrets/.*", "/secrets/env", false},
		{"/secrets/**/.*", "/secrets/sub/.env", true},
		{"/secrets/**/.*", "/secrets/.env", true},
		{"/secrets/.env", "/secrets/.env", true},
		{"/a/.h/**", "/a/.h/x", true},

		// Slashes and dots.
		{"/a//b", "/a/b", true},
		{"/a/b", "//a///b", true},
		{"/secrets/**", "//secrets/k", true},
		{"/a/./b", "/a/b", true},
		{`/a/\./b`, "/a/b", true},
		{"/./", "/", true},
		{"/a/b", "/a/b/", true},
		{"/a/b/", "/a/b", false},
		{"/a/b/", "/a/b/", true},
		{"/a/*/", "/a/b/", true},
		{"/a/*/", "/a/b", false},
		{"/a/**/", "/a/b", true},
		{"/", "/", true},
		{"/", "/a", false},
		{"/a", "a", false},
		{"/**", "", false},
		{`/a\/b`, "/a/b", true},

		// Quoting, and what is not in the dialect.
		{`/a/\*`, "/a/*", true},
		{`/a/\*`, "/a/b", false},
		{`/a/\[b]`, "/a/[b]", true},
		{`/a/\\`, `/a/\`, true},
		{`/workspace\sub\**`, "/workspace/sub/x", false},
		{"/a|/a/b", "/a/b", false},
		{"/a/@(b|c)", "/a/b", false},
		{"/a/@(b|c)", "/a/@(b|c)", true},
		{"/!a", "/!a", true},

		// Braces.
		{"/data/{a,b}.txt", "/data/a.txt", true},
		{"/data/{a,b}.txt", "/data/c.txt", false},
		{"/{a,b/c}/d", "/b/c/d", true},
		{"/{a,{b,c}x}", "/cx", true},
		{"/secrets/{,.}*", "/secrets/.env", true},
		{"/f{1..3}", "/f2", true},
		{"/f{1..3}", "/f4", false},
		{"/f{08..10}", "/f09", true},
		{"/f{a..c}", "/fb", true},
		{"/{a}", "/{a}", true},
		{"/{a}", "/a", false},
		{"/{a", "/{a", true},
		{`/\{a,b}`, "/{a,b}", true},
		{`/\{a,b}`, "/a", false},
	}
	for _, test := range tests {
		g, err := glob.Compile(test.pattern)
		if err != nil {
			t.Errorf("Compile(%q): %v", test.pattern, err)
			continue
		}
		if got := g.Match(test.path); got != test.want {
			t.Errorf("%q on %q: got %v", test.pattern, test.path, got)
		}
		if got := glob.NewSet([]*glob.Glob{g}).First(test.path) == 0; got != test.want {
			t.Errorf("%q on %q: got %v from a set", test.pattern, test.path, got)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct{ pattern, reason string }{
		{"", "begin with '/'"},
		{"workspace/**", "begin with '/'"},
		{"!/a/c", "begin with '/'"},
		{"/workspace/../secrets/**", "'..'"},
		{`/workspace/..\secrets/**`, "'..'"},
		{"/a/{..,b}", "'..'"},
		{`/a/\../b`, "'..'"},
		{"/~/data/**", "'~'"},
		{`/a/\~`, "'~'"},
		{"/a/{x,~}", "'~'"},
		{`/a\`, "backslash"},
		{"/a/[z-a]", "backwards"},
		{"/a/[[:letters:]]", "[:letters:]"},
		{"/a/{a..Z}", "letter case"},
		{"/a\x00b", "NUL"},
		{"/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "more than 256"},
		{"/{1..257}", "more than 256"},
		{"/{1..999999999}", "more than 256"},
		{"/{{1..200},{1..200}}", "more than 256"},
		{"/" + strings.Repeat("{a,b,", 150) + strings.Repeat("}", 150), "more than 256"},
		{"/" + strings.Repeat("a", glob.MaxPattern), "longer than 1024 bytes"},
	}
	for _, test := range tests {
		g, err := glob.Compile(test.pattern)
		var refused *glob.PatternError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, test.reason) || refused.Pattern != test.pattern {
			t.Errorf("Compile(%q) = %v, %v; want a refusal that speaks of %q", test.pattern, g, err, test.reason)
		}
	}
	for _, pattern := range []string{"/a/..b", "/a/~b", "/a//b", `/workspace\sub\**`, "/{1..256}", "/" + strings.Repeat("a", glob.MaxPattern-1)} {
		if _, err := glob.Compile(pattern); err != nil {
			t.Errorf("Compile(%q): %v", pattern, err)
		}
	}
}

func TestDirOnly(t *testing.T) {
	for pattern, want := range map[string]bool{"/a/": true, "/a/*/": true, "/{a,b/}": true, "/a": false, "/a/**": false, "/a/**/": false, "/": false, "//": false} {
		if got := mustCompile(t, pattern).DirOnly(); got != want {
			t.Errorf("DirOnly of %q is %v", pattern, got)
		}
	}
}

// TestHostilePaths ends only if matching does not try all ways to share a path among wildcards.
func TestHostilePaths(t *testing.T) {
	as := strings.Repeat("a", 250)
	deep := strings.Repeat("/a", 2000)
	for _, pattern := range []string{
		"/" + strings.Repeat("*a", 200) + "b",
		strings.Repeat("/**/a", 150) + "/b",
		strings.Repeat("/**/*a*a", 50) + "/b",
		strings.Repeat("/a*", 200) + "/b",
		strings.Repeat("/**/*", 200) + "/b",
		"/" + strings.Repeat("[a-b]*", 150) + "c",
	} {
		g := mustCompile(t, pattern)
		set := glob.NewSet([]*glob.Glob{g})
		in, err := glob.CompileInclude(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/" + as, strings.Repeat("/"+as, 16), deep} {
			if g.Match(path) || set.First(path) >= 0 || in.Match(path[1:]) {
				t.Errorf("%.20q... matches %.20q...", pattern, path)
			}
		}
	}
}
