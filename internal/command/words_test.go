package command

import (
	"bytes"
	"math/rand"
	"os/exec"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// TestWordsAgainstBash holds that words without expansions lose their quotes,
// escapes and braces as they do in bash.
func TestWordsAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("SKIP: this test compares with bash, which is not installed: %v", err)
	}
	const seed, words = 5, 1500
	r := rand.New(rand.NewSource(seed))
	inner := []string{"a", "b", "é", " ", "#", "=", ",", "}", "{", "x", "|", ";", "~", "]", "1", "-"}
	escapes := []string{`\n`, `\t`, `\\`, `\'`, `\"`, `\x41`, `\x4`, `\xg`, `\101`, `\18`, `\7`, `\400`, `\u00e9`, `\u41`, `\U1F600`, `\uz`, `\e`, `\E`, `\a`, `\b`, `\f`, `\r`, `\v`, `\?`, `\q`, `\ca`, `\c?`, `\0x`, `\x0`, `\u0`, `\ud800`, `\U7fffffff`, `\U110000`}
	text := func(from []string, n int) string {
		var b strings.Builder
		for range r.Intn(n) {
			b.WriteString(from[r.Intn(len(from))])
		}
		return b.String()
	}
	word := func() string {
		var b strings.Builder
		for range 1 + r.Intn(4) {
			switch r.Intn(9) {
			case 0:
				b.WriteString("'" + text(inner, 4) + `\` + text(inner, 3) + "'")
			case 1, 2:
				b.WriteString(`"` + text(append([]string{`\$`, `\"`, `\\`, "\\`", `\a`, "\\\n", "'"}, inner...), 5) + `"`)
			case 3, 4:
				b.WriteString("$'" + text(append(escapes, inner...), 5) + "'")
			case 5:
				b.WriteString([]string{`\$`, `\ `, `\\`, `\'`, "\\\n", `\{`, `\,`, `\é`}[r.Intn(8)])
			case 6:
				b.WriteString([]string{"{a,b}", "{1..3}", "{c..a}", "{1..9..4}", "{3..1}", "{a,{b,c}}", "{x}", "{,y}", "{a..}", "{a", ",b}", "{01..3}", "{-01..2}", "{3..-10..6}", "{a,'b,c'}"}[r.Intn(15)])
			default:
				b.WriteString([]string{"ab", "x=", "é", "-", "1"}[r.Intn(5)])
			}
		}
		return b.String()
	}
	var script strings.Builder
	var list []string
	for len(list) < words {
		w := word()
		src := parse("p " + w)
		if src.err != nil || len(src.stmts) != 1 || strings.Contains(w, "{01..3}") && r.Intn(5) > 0 {
			continue
		}
		list = append(list, w)
		script.WriteString("printf '%s\\0' " + w + "; printf '\\3\\2\\0'\n")
	}
	cmd := exec.Command(bash, "--norc", "--noprofile")
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = []string{"LC_ALL=C.UTF-8", "HOME=/"}
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(out, []byte("\x03\x02\x00"))
	if len(answers) != words+1 {
		t.Fatalf("bash answered %d of %d words", len(answers)-1, words)
	}
	several := 0
	for i, w := range list {
		want := strings.Split(strings.TrimSuffix(string(answers[i]), "\x00"), "\x00")
		src := parse("p " + w)
		x := &expander{src: &src, facts: newFacts(), work: new(int)}
		var got []string
		for _, a := range argsOf(x)[1:] {
			got = append(got, a.text)
		}
		if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Errorf("word %q: got %q, bash says %q", w, got, want)
		}
		if len(want) > 1 {
			several++
		}
	}
	t.Logf("seed %d: %d words, %d of them become several", seed, words, several)
	if several < words/10 {
		t.Errorf("only %d words become several", several)
	}
}

// argsOf is the one reading of the first command of a text.
func argsOf(x *expander) []arg {
	return x.args(x.src.stmts[0].Cmd.(*syntax.CallExpr).Args)[0]
}
