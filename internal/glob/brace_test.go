package glob

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBracesAgainstBash compares brace expansion with bash's own on random texts.
func TestBracesAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here to compare with")
	}
	const seed, n = 30, 20_000
	rng := rand.New(rand.NewPCG(seed, 1))
	tokens := []string{"{", "{", "{", "}", "}", "}", ",", ",", ",", "..", "a", "b", "1", "3", "09", "-2", "c", "/", `\{`, `\,`, `\}`, `\\`, ".", "+"}
	whole := []string{"{a,b}", "{1..3}", "{c..a}", "{,x}", "{}", "{01..3}", "{1..9..3}", "{-1..1}", "{a}", "{a..}", "{..}", "{1..}", "{a..1}", "{3..1..-2}", "{1..2..0}"}

	var patterns []string
	var script bytes.Buffer
	script.WriteString("set -f\n") // file names are no business of this test
	refused, expanded := 0, 0
	for len(patterns) < n {
		text := "/"
		for range 1 + rng.IntN(12) {
			if rng.IntN(4) == 0 {
				text += whole[rng.IntN(len(whole))]
			} else {
				text += tokens[rng.IntN(len(tokens))]
			}
		}
		got, reason := expandBraces(text)
		if reason != "" {
			refused++
			continue
		}
		if len(got) > 1 {
			expanded++
		}
		patterns = append(patterns, text)
		fmt.Fprintf(&script, "printf '%%s\\n' %s; echo --\n", text)
	}
	name := filepath.Join(t.TempDir(), "braces")
	if err := os.WriteFile(name, script.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "--norc", "--noprofile", name)
	cmd.Env = []string{"LC_ALL=C"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(string(out), "--\n")
	if len(answers) != n+1 {
		t.Fatalf("bash gave %d answers to %d texts", len(answers)-1, n)
	}
	for i, text := range patterns {
		all, _ := expandBraces(text)
		var got strings.Builder
		for _, one := range all {
			got.WriteString(unquote(one) + "\n")
		}
		if got.String() != answers[i] {
			t.Errorf("seed %d, %s: got %q, bash says %q", seed, text, got.String(), answers[i])
		}
	}
	t.Logf("seed %d: %d texts, %d expanded, %d refused", seed, n, expanded, refused)
	if expanded*5 < n {
		t.Errorf("only %d of %d texts expanded to several", expanded, n)
	}
}

// unquote drops backslashes as bash does after it has expanded braces.
func unquote(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		}
		if i < len(s) {
			out.WriteByte(s[i])
		}
	}
	return out.String()
}
