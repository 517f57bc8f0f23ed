package command

import (
	"encoding/json"
	"errors"
	"math/rand"
	"os/exec"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	for _, c := range []struct {
		text string
		kind Kind
		yes  []string
		no   []string
	}{
		{"git *", Glob, []string{"git status", "GIT Status", "git "}, []string{"git", "legitimate", "legitimate_process", "a git b"}},
		{"npm run *", Glob, []string{"npm run x\ny"}, []string{"npm runx"}},
		{"[[]x", Glob, []string{"[x"}, []string{"x"}},
		{"a[", Glob, []string{"a[", "A["}, []string{"a"}},
		{"a[]", Glob, []string{"a[]"}, []string{"a"}},
		{"a[!b]", Glob, []string{"ac", "a!"}, []string{"ab", "aB", "a"}},
		{"a[]b]", Glob, []string{"a]", "ab"}, []string{"a"}},
		{"a[z-a]", Glob, nil, []string{"az", "a-", "aa"}},
		{"[A-C]*", Glob, []string{"b", "Bx"}, []string{"d"}},
		{"a?c", Glob, []string{"abc", "a\nc", "aéc", "a\xffc"}, []string{"ac", "abbc"}},
		{"*é", Glob, []string{"É", "xé"}, []string{"e"}},
		{"rm -rf", Plain, []string{"x RM -RF y", "rm -rf"}, []string{"rm  -rf"}},
		{"straße", Plain, []string{"STRAßE"}, []string{"strasse"}},
		{"a.b", Plain, []string{"xa.by"}, []string{"axb"}},
		{`re:\bsudo\b`, Regexp, []string{"x; SUDO y", "sudo"}, []string{"pseudo", "sudoku"}},
		{"re:^git", Regexp, []string{"git x", "GIT"}, []string{"x git", "x\ngit"}},
		{"re:a*", Regexp, []string{""}, nil},
		{" re:a", Plain, []string{"x re:A"}, []string{"a"}},
	} {
		p, err := Compile(c.text)
		if err != nil || p.Kind != c.kind || p.Text != c.text {
			t.Errorf("Compile(%q) = %v %v, %v; want %v", c.text, p.Text, p.Kind, err, c.kind)
			continue
		}
		for _, s := range c.yes {
			if !p.Match(s) {
				t.Errorf("%v %q does not match %q", p.Kind, c.text, s)
			}
		}
		for _, s := range c.no {
			if p.Match(s) {
				t.Errorf("%v %q matches %q", p.Kind, c.text, s)
			}
		}
	}
	if (Pattern{}).Match("") {
		t.Error("the zero pattern matches")
	}
}

func TestCompileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":            "empty",
		"  ":          "empty",
		"re:":         "empty",
		"a\x00b":      "NUL",
		"re:(":        "RE2",
		"re:(?!x)y":   "lookaround",
		"re:(?<=x)y":  "lookaround",
		`re:x\Z`:      `\z`,
		`re:(a)\1`:    "RE2",
		"re:a**":      "RE2",
		"re:[[:foo:]": "RE2",
	} {
		if _, err := Compile(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Compile(%q): %v, want an error that says %s", text, err, want)
		}
	}
}

func TestListErrors(t *testing.T) {
	for _, c := range []struct {
		lists Lists
		list  string
		index int
	}{
		{Lists{Allowed: []string{"a", ""}}, ListAllowed, 1},
		{Lists{Denied: []string{"default", "re:("}}, ListDenied, 1},
		{Lists{Ask: []string{"re:(?=x)"}}, ListAsk, 0},
		{Lists{Unlisted: 99}, ListUnlisted, -1},
	} {
		_, err := New(c.lists)
		var le *ListError
		if !errors.As(err, &le) || le.List != c.list || le.Index != c.index || !strings.Contains(err.Error(), c.list) {
			t.Errorf("New(%+v): %v, want a ListError for %s %d", c.lists, err, c.list, c.index)
		}
	}
}

// TestDefaultDenied holds the ten entries letter by letter.
func TestDefaultDenied(t *testing.T) {
	want := []string{
		`re:\brm\s+-rf\s+/(\s|$|\*|/)`, `re:\bmkfs(\.\w+)?\b`, `re:\bdd\s+if=`, `re::\(\)\{.*\};:`, `re:\bshutdown\b`, `re:\breboot\b`, `re:\bsudo\b`,
		`re:>\s*/dev/sd`, `re:\b(bash|sh|zsh|dash)\s+-c\b`, `re:\b(curl|wget)\b[^\n]*\|\s*(sudo\s+)?(bash|sh|zsh|dash)\b`,
	}
	got := DefaultDenied()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
	got[0] = "changed"
	if DefaultDenied()[0] == "changed" {
		t.Error("the list is shared with callers")
	}
	for _, text := range DefaultDenied() {
		if _, err := Compile(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestGlobAgainstPython compares with the original: fnmatch of Python.
func TestGlobAgainstPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("SKIP: this test compares with python3, which is not installed: %v", err)
	}
	const seed, pairs = 7, 6000
	r := rand.New(rand.NewSource(seed))
	alphabet := []string{"a", "b", "B", "*", "?", "[", "]", "!", "-", "^", "\\", " ", "\n", "é", "É", "k", "1"}
	text := func(n int) string {
		var b strings.Builder
		for range r.Intn(n) {
			b.WriteString(alphabet[r.Intn(len(alphabet))])
		}
		return b.String()
	}
	var in [][2]string
	for len(in) < pairs {
		p := text(8)
		if strings.ContainsAny(p, "*?[]") {
			s := text(6)
			if r.Intn(3) > 0 { // a text that has a chance
				s = strings.NewReplacer("*", text(3), "?", text(2), "[", "", "]", "").Replace(p)
			}
			in = append(in, [2]string{p, s})
		}
	}
	script := `import sys,json,fnmatch,re
print(json.dumps([bool(re.compile(fnmatch.translate(p),re.I).match(s)) for p,s in json.load(sys.stdin)]))`
	body, _ := json.Marshal(in)
	cmd := exec.Command(python, "-W", "ignore", "-c", script)
	cmd.Stdin = strings.NewReader(string(body))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []bool
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	hits := 0
	for i, pair := range in {
		if got := parseGlob(pair[0]).match(pair[1]); got != want[i] {
			t.Errorf("glob %q on %q: got %v, Python says %v", pair[0], pair[1], got, want[i])
		}
		if want[i] {
			hits++
		}
	}
	t.Logf("seed %d: %d pairs, %d matches", seed, pairs, hits)
	if hits < pairs/10 {
		t.Errorf("only %d of %d pairs match, the comparison is too thin", hits, pairs)
	}
}

// TestRequired holds that the text an expression needs is in each of its matches.
func TestRequired(t *testing.T) {
	for expression, want := range map[string]string{
		`re:\brm\s+-rf\s+/(\s|$|\*|/)`: "-RF", `re:\bsudo\b`: "SUDO", `re:a|b`: "", `re:(foo)+x`: "FOO", `re:(foo)?x`: "X", `re:(?:ab){2}`: "AB", `re:(?:ab){0,2}`: "",
		`re:.*`: "", `re:[kK]x`: "X", `re:straße`: "STRAßE", `re:ſ`: "S", `re:(?-i:git)x`: "GIT",
	} {
		if _, err := Compile(expression); err != nil {
			t.Fatal(err)
		}
		if got := fold(required("(?i)" + expression[3:])); got != fold(want) {
			t.Errorf("%s needs %q, want %q", expression, got, want)
		}
	}
	for text, commands := range map[string][]string{
		"re:straße": {"STRAßE", "straße"}, "re:k": {"\u212a", "K"}, "re:s+": {"ſ", "S"}, `re:(?-i:git) x`: {"git X"}, `re:é`: {"É"}, "re:[k]ing": {"KING"},
	} {
		p, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range commands {
			if !p.Match(c) {
				t.Errorf("%s does not match %q", text, c)
			}
		}
	}
}
