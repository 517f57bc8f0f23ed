package command

import (
	"math/rand"
	"strings"
)

// Lines without much grammar find the places where the parser and bash read a
// text differently, which the tidy productions never do.

var soupTokens = []string{
	"'", "\"", "'\"'", "`", "\\", "\\\\", "}", "{", ")", "(", "$(", "${x}", "#", " #", "\n", " ", "x", "$'", "\\'", "\\\"", "\\\n", "''", "\"\"",
	"]", "[", "$((1))", "~", "*", "E", "\nE\n", "<<E", "\r", "!", ";", ";;", "esac", "|",
}

// In a frame every % is filled with a few tokens, and O with an operator of
// parameter expansion.
var soupFrames = []string{
	"echo \"${xO%}\"%", "echo ${xO%}%", "echo $(%)%", "echo \"$(%)\"%", "echo `%`%", "echo \"`%`\"%", "cat <<E\n%\nE\n%", "cat <<'E'\n%\nE\n%",
	"cat <<\"E\n%\nE\n%", "echo $((%))%", "echo '%'%", "echo $'%'%", "echo \"%\"%", "case x in %) echo;; esac%", "[[ x == % ]] %", "[[ x =~ % ]] %",
	"x=(%)%", "x[%]=1%", "echo <(%)%", "echo $[%]%", "echo {a,%}%", "((%))%", "for i in %; do echo; done%", "echo a%\n%", "cat <<<%%", "echo a >%%",
	"f() { %; }; f%", "echo \"${xO\"${y%}\"}\"%", "echo ${x[%]}%", "echo $(case x in x) %;; esac)%", "cat <<E1 <<E\n%\nE1\n%\nE\n%", "echo a &&% echo b%",
	"if true;% then% echo;% else% echo; fi%", "for i in 1;% do% echo; done%", "{% echo;% }%", "(% echo% )%", "x=(% a% b% )%", "echo $(% echo% )%", "time% echo%",
}

var (
	soupOperators = []string{"#", "##", "%", ":-", "-", ":=", "+", "?", "/", "//", "/x/", "^", ",,", ":", "@Q", ""}
	soupZaps      = []string{"; zap ", "zap", "\nzap\n", "$(zap)", "`zap`", "zap #", ";zap #", " # c\\\nzap\n", ";#\\\nzap\n"}
)

// soup makes one line that mentions zap.
func soup(r *rand.Rand) string {
	for {
		var b strings.Builder
		for _, c := range pick(r, soupFrames) {
			switch c {
			case 'O':
				b.WriteString(pick(r, soupOperators))
			case '%':
				for range r.Intn(3) {
					b.WriteString(pick(r, soupTokens))
				}
				if r.Intn(3) == 0 {
					b.WriteString(pick(r, soupZaps))
				}
			default:
				b.WriteRune(c)
			}
		}
		if line := b.String(); strings.Contains(line, "zap") {
			return line
		}
	}
}
