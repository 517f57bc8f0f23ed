package command

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestCaps holds that each cap ends in a denial, whatever the lists say.
func TestCaps(t *testing.T) {
	j, err := New(Lists{Allowed: []string{"*"}, Unlisted: UnlistedAllow})
	if err != nil {
		t.Fatal(err)
	}
	repeat := strings.Repeat
	var doubling strings.Builder
	doubling.WriteString("a0=xxxxxxxx")
	for i := range 40 {
		fmt.Fprintf(&doubling, "; a%d=\"$a%d$a%d$a%d\"", i+1, i, i, i)
	}
	// Deeper than maxNested, each text in the quotes of the next.
	onion := "x"
	for range maxNested + 2 {
		onion = "sh -c " + quoteWord(onion)
	}
	for name, c := range map[string]struct {
		line, why string
	}{
		"long":             {"echo " + repeat("a", maxLine), "bytes long"},
		"substitutions":    {repeat("$(", 20000), "deep"},
		"substitutions-ok": {repeat("$(", maxDepth+1) + "x" + repeat(")", maxDepth+1), "deep"},
		"brackets":         {"echo $((" + repeat("(", 60000), "deep"},
		"braces":           {repeat("{ ", 30000), "deep"},
		"hidden-depth":     {repeat("$(a ')' ", 8000), "more commands"},
		"commands":         {repeat("a;", maxParts+1), "more commands"},
		"nul":              {"echo a\x00b", "NUL"},
		"wrappers":         {repeat("xargs ", maxWrappers+2) + "a", "wrappers"},
		"onion":            {onion, ""},
	} {
		v, files := j.Line(c.line)
		if v.Outcome != Deny || v.List != "" || !strings.Contains(v.Reason, c.why) || files != nil {
			t.Errorf("%s: got %.200v, want a refusal that says %q", name, v, c.why)
		}
	}
	if v, _ := j.Line(doubling.String() + "; echo $a40"); v.Outcome == Ask {
		t.Errorf("a doubling value: %v", v)
	}
	// Within the caps nothing is refused.
	for name, line := range map[string]string{
		"long":          "echo " + repeat("a", maxLine-5),
		"substitutions": repeat("$(", 100) + "x" + repeat(")", 100),
		"commands":      repeat("a;", maxParts-1),
		"file":          "cat > f <<'E'\n" + repeat("func f(a []int) { g(a[0]) }\n", 2000) + "E",
	} {
		if v, _ := j.Line(line); v.Outcome != Allow {
			t.Errorf("%s within the caps: %.200v", name, v)
		}
	}
}

// TestHostileLines holds that lines made to cost much are answered, and never
// with a permission that lists would not give.
func TestHostileLines(t *testing.T) {
	j, err := New(Lists{Allowed: []string{"echo *"}, Denied: []string{"default", "zap*"}})
	if err != nil {
		t.Fatal(err)
	}
	repeat := strings.Repeat
	for _, line := range []string{
		repeat("echo a|", 3000) + "b", repeat("echo a&&", 4000) + "zap", "set -- " + repeat("a ", 8000) + ";" + repeat("\"$@\";", 600),
		"x='eval $x';" + repeat("y='eval $x$y';", 100) + "eval $x$y", repeat("while cd x;do ", 500) + "a" + repeat(";done", 500),
		repeat("while read x;do ", 400) + "a" + repeat(";done<<<a", 400), repeat("echo $((x));", 2000) + repeat("x='a[$(zap)]';", 500),
		repeat("''\"\"", 10000), "echo " + repeat("{a,b}", 8000) + ";zap", "x=a;x=b;x=c;x=d;" + repeat("echo $x$x$x$x$x$x;", 600) + "zap",
		"if " + repeat("a;", 2000) + "zap", repeat("a # b\\\n", 3000) + "zap", repeat("`", 50001), repeat("\\", 50001), "*" + repeat("a*", 20000) + " x",
		"echo " + repeat(">a ", 5000) + ";zap", repeat("if ", 8000), "echo $((" + repeat("- ", 30000), "[[ " + repeat("! ", 20000) + "a",
	} {
		if v, _ := j.Line(line); v.Outcome == Allow {
			t.Errorf("%.60q… is allowed: %.200v", line, v)
		}
	}
}

// TestBytes holds odd bytes.
func TestBytes(t *testing.T) {
	list := Lists{Allowed: []string{"echo *"}, Denied: []string{"zap*"}}
	check(t, list, Deny, "echo \xff", "echo a\rzap\x80", "echo a\r\nzap", "zap\r", "echo \xc3(; zap", "\xffzap; zap", "echo 'a\xff'")
	check(t, list, Allow, "echo a\rzap", "echo 'a\r\nb'", "echo \u202e x", "echo é", "echo \x01\x02 x", "cat=1; echo \"a\\\nb\"")
	check(t, Lists{Denied: []string{"zap*"}}, Allow, "echo \xff", "echo 'zap\r\n'")
	var all strings.Builder // no control character is left to stand for \r
	for c := byte(1); c < ' '; c++ {
		all.WriteByte(c)
	}
	check(t, list, Deny, "echo '"+all.String()+"'")
	check(t, Lists{Denied: []string{"zap*"}}, Deny, "echo '"+all.String()+"'; zap")
}

// TestConcurrentUse holds that one Judge serves many callers. It is of use under
// the race detector.
func TestConcurrentUse(t *testing.T) {
	j, err := New(Lists{Allowed: []string{"echo *"}, Denied: []string{"default"}})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if v, _ := j.Line("echo $(echo sudo ls)"); v.Outcome != Deny {
					t.Errorf("got %+v", v)
				}
				if v := j.Argv([]string{"echo", "a"}); v.Outcome != Allow {
					t.Errorf("got %+v", v)
				}
			}
		})
	}
	group.Wait()
	if v, _ := j.Line("nc " + strings.Repeat("é", 500)); len(v.Part) > 250 || !strings.HasSuffix(v.Part, "é…") {
		t.Errorf("a long part is shown as %q", v.Part)
	}
}
