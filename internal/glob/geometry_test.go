package glob_test

import (
	"testing"

	"paddock/internal/glob"
)

func mustCompile(t testing.TB, pattern string) *glob.Glob {
	t.Helper()
	g, err := glob.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestAnchor(t *testing.T) {
	for pattern, want := range map[string]string{
		"/a/*/b":              "/a",
		"/**/secrets":         "/",
		"/secrets/**":         "/secrets",
		"/*/foo":              "/",
		"/":                   "/",
		"/**":                 "/",
		"/a/b":                "/a/b",
		"/a//b/":              "/a/b",
		`/a\*/b`:              "/a*/b",
		"/a/{b,c}/d":          "/a",
		"/a/{b,b/c}/d*":       "/a/b",
		"/a/[/x":              "/a/[/x",
		"/{a,b}/x":            "/",
		"/w/f?le.txt":         "/w",
		"/w/{x}/[a]/y":        "/w/{x}",
		"/x/{1..3}/**":        "/x",
		"/deep/{a/b,a/b/c}/*": "/deep/a/b",
	} {
		if got := mustCompile(t, pattern).Anchor(); got != want {
			t.Errorf("anchor of %q: got %q, want %q", pattern, got, want)
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"/a", "/a/b", true},
		{"/a/b/c", "/a/b", true},
		{"/a/b", "/a/b", true},
		{"/secret", "/secrets", false},
		{"/", "/anywhere", true},
		{"/workspace", "/secrets", false},
		{"//secrets", "/secrets/x", true},
		{"/a/", "/a", true},
		{"", "/a", true},
		{".", "/a", true},
		{"./", "/a", true},
		{"/.", "/a", true},
		{"/./a", "/a/b", true},
		{"/.a", "/a", false},
		{"/a/..b", "/a/b", false},
	} {
		if got := glob.Overlap(test.a, test.b); got != test.want {
			t.Errorf("Overlap(%q, %q) = %v", test.a, test.b, got)
		}
		if got := glob.Overlap(test.b, test.a); got != test.want {
			t.Errorf("Overlap(%q, %q) = %v", test.b, test.a, got)
		}
	}
}

func TestDeleteBlocked(t *testing.T) {
	for _, test := range []struct {
		pattern, target string
		want            bool
	}{
		{"/other/**", "/wrk", false},
		{"/wrk/**", "/wrk", true},
		{"/wrk", "/wrk/sub/deep", true},
		{"/wrk/**", "/wrk/logs", true},
		{"/**", "/wrk/a.txt", true},
		{"/wrk/secrets/**", "//wrk", true},
		{"/wrk", "//wrk/sub", true},
		{"/wrk/a.txt", "/wrk/a.txt", true},
		{"/wrk/", "/wrk/sub", true},
		{"/wrk/", "/wrk/", true},
		{"/wrk/", "/wrk", true},
		{"/wrk/[ab].txt", "/wrk/a.txt", true},
		{"/wrk/*.log", "/wrk/app.log", true},
		{"/wrk/*.log", "/wrk/notes.txt", false},
		{"/wrk/*.log", "/wrk/app.log/child", true},
		{"/wrk/*.log", "/wrk/app/child.log", false},
		{"/wrk/*.log", "/wrk", true},
		{"/wrk/*.log", "/", true},
		{"/wrk/x/**", "/wrk", true},
		{"/elsewhere/**", "/wrk", false},
		{"/wrk", "/wrk", true},
		{"/wrk/**", "/wrk/", true},
		{"/work2", "/wrk", false},
		{"/workshop/**", "/wrk", false},
		{"/wrk/{secrets,keys}", "/wrk/secrets", true},
		{"/wrk/{secrets,keys}", "/wrk/other", false},
		{"/wrk/f?le.txt", "/wrk/other.txt", false},
		{"/wrk/**/secrets", "/wrk/app", true},
		{"/wrk/secrets", "/wrk", true},
		{"/wrk/**/*.log", "/wrk/sub", true},
		{"/wrk/*", "/wrk/app/deep/nested", true},
		{"/wrk/*/secrets", "/wrk/app", true},
		{"/*.log", "/notes", true},
		{"/*/secrets", "/wrk/app", true},
		{"/wrk/*", "/wrk/.env", true},
		{"/", "/a", true},
	} {
		if got := mustCompile(t, test.pattern).DeleteBlocked(test.target); got != test.want {
			t.Errorf("%q against deleting %q: got %v", test.pattern, test.target, got)
		}
	}
}

func TestMayMatchBelow(t *testing.T) {
	for _, test := range []struct {
		pattern, dir string
		want         bool
	}{
		{"/a/b/c", "/", true},
		{"/a/b/c", "/a", true},
		{"/a/b/c", "/a/b/c", true},
		{"/a/b/c", "/a/b/c/d", false},
		{"/a/b/c", "/x", false},
		{"/a/*/c", "/a/x", true},
		{"/a/*/c", "/a/x/y", false},
		{"/a/**", "/a/x/y", true},
		{"/a/**", "/b", false},
		{"/**/x", "/anything", true},
		{"/{a,b}/c", "/b", true},
		{"/{a,b}/c", "/c", false},
		{"/a/[xy]", "/a/z", false},
	} {
		if got := mustCompile(t, test.pattern).MayMatchBelow(test.dir); got != test.want {
			t.Errorf("%q below %q: got %v", test.pattern, test.dir, got)
		}
	}
}

func TestCoversTree(t *testing.T) {
	for _, test := range []struct {
		pattern, dir string
		want         bool
	}{
		{"/**", "/", true},
		{"/**", "/a", true},
		{"/a/**", "/a", true},
		{"/a/**", "/a/b", true},
		{"/a/**", "/", false},
		{"/a/**/", "/a", true},
		{"/a/**/*", "/a", false},
		{"/a/**/*", "/a/b", true},
		{"/a/*", "/a/b", false},
		{"/a", "/a", false},
		{"/**/x/**", "/a/x", true},
		{"/**/x/**", "/a", false},
		{"/**/*.go", "/a/b.go", false},
		{"/**/*x", "/ax", false},
		{"/{b,a/**}", "/a/q", true},
	} {
		if got := mustCompile(t, test.pattern).CoversTree(test.dir); got != test.want {
			t.Errorf("%q over %q: got %v", test.pattern, test.dir, got)
		}
	}
}
