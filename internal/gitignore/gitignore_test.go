package gitignore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"paddock/internal/gitignore"
)

func mustCompile(t testing.TB, lines ...string) *gitignore.List {
	t.Helper()
	list, err := gitignore.Compile(lines)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var long = strings.Repeat("0123456789", 6)

// The verdicts of this table were checked with git check-ignore; TestTableAgainstGit does so again.
var table = []struct {
	why   string
	lines []string
	path  string // a final slash says that it is a directory
	want  answer
}{
	{"a name without a slash counts at any depth", []string{"*.pem"}, "a/b/k.pem", answer{true, 0}},
	{"a slash inside anchors", []string{"doc/x"}, "a/doc/x", answer{false, -1}},
	{"a leading slash anchors", []string{"/x"}, "a/x", answer{false, -1}},
	{"a final slash asks for a directory", []string{"secrets/"}, "secrets", answer{false, -1}},
	{"a final slash asks for a directory", []string{"secrets/"}, "secrets/", answer{true, 0}},
	{"what is below an ignored directory is ignored", []string{"secrets/"}, "secrets/a/b", answer{true, 0}},
	{"an excluded parent can't be re-included", []string{"build/", "!build/keep"}, "build/keep", answer{true, 0}},
	{"its content can", []string{"build/*", "!build/keep"}, "build/keep", answer{false, 1}},
	{"the last match wins", []string{"*.env", "!example.env"}, "example.env", answer{false, 1}},
	{"the last match wins", []string{"!example.env", "*.env"}, "example.env", answer{true, 1}},
	{"x/** is not x", []string{"x/**"}, "x/", answer{false, -1}},
	{"x/** is what is below", []string{"x/**"}, "x/a/b", answer{true, 0}},
	{"x/** is anchored", []string{"x/**"}, "a/x/b", answer{false, -1}},
	{"**/ stands for no directory too", []string{"a/**/b"}, "a/b", answer{true, 0}},
	{"**/ stands for several", []string{"a/**/b"}, "a/x/y/b", answer{true, 0}},
	{"two stars glued to text are one", []string{"/a**b"}, "axb", answer{true, 0}},
	{"but after fixed text git reads them as a border", []string{"x/a**/b"}, "x/a/q/b", answer{true, 0}},
	{"an escaped slash behind ** is no border for nothing", []string{`**\/b`}, "b", answer{false, -1}},
	{"an escaped slash behind ** is a slash", []string{`**\/b`}, "a/b", answer{true, 0}},
	{"a star stops at a slash", []string{"a/*c"}, "a/b/c", answer{false, -1}},
	{"a class holds no slash", []string{"a[/]b"}, "a/b", answer{false, -1}},
	{"a negated class holds no slash", []string{"a[!x]b"}, "a/b", answer{false, -1}},
	{"a broken class matches nothing", []string{"a[b", "[["}, "a[b", answer{false, -1}},
	{"an unknown class spoils the pattern", []string{"[[:bogus:]a]"}, "a", answer{false, -1}},
	{"a backslash at the end matches nothing", []string{`a\`}, `a\`, answer{false, -1}},
	{"braces are ordinary", []string{"{a,b}.txt"}, "a.txt", answer{false, -1}},
	{"? is one byte", []string{"caf?"}, "caf\u00e9", answer{false, -1}},
	{"? is one byte", []string{"caf??"}, "caf\u00e9", answer{true, 0}},
	{"a comment", []string{"#a"}, "#a", answer{false, -1}},
	{"an escaped comment", []string{`\#a`}, "#a", answer{true, 0}},
	{"an escaped negation", []string{`\!a`}, "!a", answer{true, 0}},
	{"blanks at the end are dropped", []string{"a  "}, "a", answer{true, 0}},
	{"unless quoted", []string{`a\ `}, "a ", answer{true, 0}},
	{"a tab is no blank", []string{"a\t"}, "a", answer{false, -1}},
	{"a carriage return is dropped", []string{"a\r"}, "a", answer{true, 0}},
	{"one of them", []string{"a\r\r"}, "a\r", answer{true, 0}},
	{"a blank in front counts", []string{" a"}, "a", answer{false, -1}},
	{"a byte order mark is dropped", []string{"\xef\xbb\xbfa"}, "a", answer{true, 0}},
	{"on the first line", []string{"", "\xef\xbb\xbfa"}, "a", answer{false, -1}},
	{"letter case counts", []string{"README"}, "readme", answer{false, -1}},
	{"dots hide nothing", []string{"*"}, ".env", answer{true, 0}},
	{"a line of blanks is no pattern", []string{"   "}, "   ", answer{false, -1}},
	{"!/ re-includes nothing", []string{"a", "!/"}, "a", answer{true, 0}},
	{"a long text counts to its end", []string{"*" + long + "x", long + "x*", "/d/" + long + "x/**"}, "d/" + long + "y/z", answer{false, -1}},
	{"a long text counts from its start", []string{"*x" + long, "x" + long + "*", "/d/x" + long + "/**"}, "d/y" + long + "/z", answer{false, -1}},
	{"a long text", []string{"*" + long}, "a" + long, answer{true, 0}},
	{"a long text", []string{"d/" + long + "/**"}, "d/" + long + "/a", answer{true, 0}},
	{"equal patterns: the last line speaks", []string{"a", "b", "a"}, "a", answer{true, 2}},
	{"equal patterns: the last line speaks", []string{"a*c", "!a*c", "x", "a*c"}, "abc", answer{true, 3}},
}

func TestMatch(t *testing.T) {
	for _, test := range table {
		path, dir := strings.CutSuffix(test.path, "/")
		ignored, line := mustCompile(t, test.lines...).Match(path, dir)
		if got := (answer{ignored, line}); got != test.want {
			t.Errorf("%s: %q on %q: got %+v, want %+v", test.why, test.lines, test.path, got, test.want)
		}
	}
}

func TestTableAgainstGit(t *testing.T) {
	for _, test := range table {
		path, dir := strings.CutSuffix(test.path, "/")
		got := newGit(t, []place{{path, dir}}).ask(t, test.lines)[0]
		if got != test.want {
			t.Errorf("%s: %q on %q: git says %+v, the table %+v", test.why, test.lines, test.path, got, test.want)
		}
	}
}

func TestMatchOne(t *testing.T) {
	list := mustCompile(t, "build/", "!keep", "*.o")
	for _, test := range []struct {
		path             string
		dir              bool
		ignored, matched bool
		line             int
	}{
		{"build", true, true, true, 0},
		{"build", false, false, false, -1},
		{"build/x", false, false, false, -1}, // the ancestor is not asked
		{"build/keep", false, false, true, 1},
		{"a/b.o", false, true, true, 2},
		{"", false, false, false, -1},
	} {
		ignored, matched, line := list.MatchOne(test.path, test.dir)
		if ignored != test.ignored || matched != test.matched || line != test.line {
			t.Errorf("MatchOne(%q, %v) = %v, %v, %d", test.path, test.dir, ignored, matched, line)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, test := range []struct{ line, reason string }{
		{strings.Repeat("a", gitignore.MaxLine+1), "longer than 1024 bytes"},
		{"#" + strings.Repeat("a", gitignore.MaxLine), "longer than 1024 bytes"},
		{"a\x00b", "NUL"},
		{"a\nb", "line break"},
	} {
		list, err := gitignore.Compile([]string{"ok", test.line})
		var refused *gitignore.LineError
		if list != nil || !errors.As(err, &refused) || refused.Index != 1 || refused.Line != test.line || !strings.Contains(refused.Reason, test.reason) {
			t.Errorf("Compile(%.20q) = %v, %v; want a refusal that speaks of %q", test.line, list, err, test.reason)
		}
		if err != nil && (!strings.Contains(err.Error(), test.reason) || len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\x00")) {
			t.Errorf("Compile(%.20q): message %.500q", test.line, err)
		}
	}
	mustCompile(t, strings.Repeat("a", gitignore.MaxLine))
}

func TestEmptyAndInert(t *testing.T) {
	if list := new(gitignore.List); !list.Empty() {
		t.Error("the zero list is not empty")
	} else if ignored, line := list.Match("a/b", false); ignored || line != -1 {
		t.Errorf("the zero list ignores: line %d", line)
	}
	if !mustCompile(t).Empty() || !mustCompile(t, "# x", "", "  ", "\r").Empty() {
		t.Error("a list without patterns is not empty")
	}
	list := mustCompile(t, "a[", "b", `c\`, "!", "[[:x:]]", "/", "# d", "", "[]")
	if list.Empty() {
		t.Error("a list with patterns is empty")
	}
	if got, want := list.Inert(), []int{0, 2, 3, 4, 5, 8}; !slices.Equal(got, want) {
		t.Errorf("inert lines %v, want %v", got, want)
	}
}

// TestNoAllocation holds the promise that matching allocates nothing.
func TestNoAllocation(t *testing.T) {
	lines := benchLines(1_000)
	for i := range 100 {
		lines = append(lines, hardLines["classes"](i), hardLines["inner"](i), hardLines["letters"](i))
	}
	list := mustCompile(t, lines...)
	for _, path := range []string{benchPath, "out7/x", "a.x2", "gen0xtmp", "src/q/part1"} {
		if n := testing.AllocsPerRun(100, func() { list.Match(path, false); list.MatchOne(path, true) }); n != 0 {
			t.Errorf("matching %q allocates %v times", path, n)
		}
	}
}

// TestHostileNames ends only if matching does not try all ways to share a name among stars: those would be more than
// 10 to the 30th.
func TestHostileNames(t *testing.T) {
	as := strings.Repeat("a", 250)
	deep := strings.Repeat("a/", 2000) + "a"
	list := mustCompile(t,
		strings.Repeat("*a", 200)+"b",
		strings.Repeat("**/a/", 150)+"b",
		"/"+strings.Repeat("**/*a*a*/", 50)+"b",
		strings.Repeat("a*/", 200)+"b",
		strings.Repeat("**/", 300)+"b",
		strings.Repeat("[a-b]*", 150)+"c",
	)
	for _, path := range []string{as, strings.Repeat(as+"/", 15) + as, deep} {
		if ignored, line := list.Match(path, false); ignored {
			t.Errorf("%.20q... is ignored by line %d", path, line)
		}
	}
}
