package command

import (
	"strings"
	"testing"
)

// TestRedirects holds which files a line opens, spelled as showRedirect does.
func TestRedirects(t *testing.T) {
	j, err := New(Lists{})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"echo a > f":       "f:w",
		"echo a >> f 2> g": "f:w g:w",
		"cat < f > g":      "f:r g:w",
		"echo >| f; echo &> g; echo &>> h; : <> i": "f:w g:w h:w i:rw",
		"echo a >& f": "f:w",
		"echo a >&2; echo 2>&1; echo >&-; cat <&3": "",
		"ls >/dev/null 2>/dev/stderr </dev/fd/3":   "",
		"echo > /dev/sda":                          "/dev/sda:w",
		"echo 'a > b' \"c > d\" # > e":             "",
		"[[ a > b ]] && (( 1 > 2 ))":               "",
		"awk '$1 > 5' f":                           "",
		"echo > 'a b'":                             "a b:w",
		"echo > a\\ b\"c\"$'\\x64'":                "a bcd:w",
		"echo > $x":                                "$x:w?",
		"echo > \"$x/f\"":                          "\"$x/f\":w?",
		"echo > ~/f":                               "~/f:w?",
		"echo > *.txt":                             "*.txt:w?",
		"echo > '*.txt'":                           "*.txt:w",
		"echo > {a,b}":                             "{a,b}:w?",
		"x=f; echo > $x":                           "$x:w?",
		"ls > >(cat > f)":                          "f:w",
		"cat <(cat < f)":                           "f:r",
		"exec 3> f; exec {fd}< g":                  "f:w g:r",
		"> f":                                      "f:w",
		"{ echo; echo; } > f":                      "f:w",
		"while read l; do echo > g; done < f":      "f:r g:w",
		"if a; then b > f; fi > g":                 "g:w f:w",
		"echo $(cat < f) > g":                      "g:w f:r",
		"echo \"`cat < f`\"":                       "f:r",
		"cat <<E > f\n$(cat < g)\nE":               "g:r f:w",
		"cat <<'E' > f\n$(cat < g)\nE":             "f:w",
		"f() { echo > a; }; f":                     "a:w?",
		"cd a && echo > f":                         "a//f:w",
		"cd a; cd b/..; echo > f; echo > /g":       "a//f:w /g:w",
		"cd ..; echo > f":                          "..//f:w",
		"cd /a/b; cd ../c; cat < f":                "/a/c//f:r",
		"(cd a); echo > f":                         "f:w",
		"(cd a; echo > f)":                         "a//f:w",
		"cd a | echo > f; echo > g":                "f:w g:w",
		"cd a & echo > f":                          "f:w",
		"echo $(cd a; cat < f) > g":                "g:w a//f:r",
		"cd $x; echo > f; echo > /g":               "f:w? /g:w",
		"cd; echo > f":                             "f:w?",
		"cd -; echo > f":                           "f:w?",
		"cd ~; echo > f":                           "f:w?",
		"cd a*; echo > f":                          "f:w?",
		"cd -P a; echo > f":                        "a//f:w",
		"pushd a; echo > f":                        "f:w?",
		"builtin cd a; echo > f":                   "a//f:w",
		"eval 'cd a'; echo > f":                    "f:w?",
		"cd a || cd b; echo > f":                   "f:w?",
		"cd a || exit 1; echo > f":                 "a//f:w",
		"if x; then cd a; fi; echo > f":            "f:w?",
		"for i in 1 2; do echo > f; cd a; done":    "f:w?",
		"for i in 1 2; do echo > f; done":          "f:w",
		"g() { cd a; }; g; echo > f":               "f:w?",
		"case x in x) cd a;; esac; echo > f":       "f:w?",
		"{ cd a; }; echo > f":                      "a//f:w",
		"$x; echo > f":                             "f:w?",
		"cd '' && echo > f":                        "f:w",
		"bash -c 'echo > f; cd a; cat < g'; > h":   "f:w a//g:r h:w",
		"eval 'echo >' f":                          "f:w",
		"cd a && sh -ec \"sh -c 'cat < f'\"":       "a//f:r",
		"bash -c \"$x > f\"":                       "",
		"if":                                       "",
		"echo > f; if":                             "f:w",
		"echo > 'a\rb'":                            "a\rb:w",
		"coproc echo > f":                          "f:w",
		"time echo > f":                            "f:w",
		"echo > f\\\ng":                            "fg:w",
	} {
		_, files := j.Line(line)
		var got []string
		for _, f := range files {
			got = append(got, showRedirect(f))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: got %q, want %q", line, s, want)
		}
	}
}
