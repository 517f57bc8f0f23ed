package command

import (
	"fmt"
	"math/rand"
	"strings"
)

// zapAround are places to put a line in. % is the line, which ends in a line
// break so that here-documents and comments end.
var zapAround = []string{
	"%", "%", "%", "( %)", "{ %}", "if true; then %fi", "true && { %}", "for k in 1; do %done", "while true; do %break; done", "case x in x) %;; esac",
	"g() { %}; g", "{ %} >out", "echo N; %", "%echo N", "{ %} 2>&1 | cat -", "echo \"$( %)\"", "! { %}", "cat <<X\n$( %)\nX", "until { %true; }; do :; done",
	"cat <( %)", "if { %}; then :; fi", "x=$( %)", "[[ -n \"$( %)\" ]]", "echo N || true; %", "{ { %}; }", "(( 1 )) && { %}",
}

var zapNoise = []string{"N", "x", "-v", "--long=1", "'a b'", `"$HOME"`, "*.txt", "a\\ b", "1", "$((2+3))"}

// generate makes one line. Of ten lines about one is a decoy.
func generate(r *rand.Rand) sample {
	var s sample
	switch n := r.Intn(20); {
	case n < 3:
		s = sample{line: pick(r, zapDecoys), decoy: true}
	case n < 8:
		s = fromProduction(r, zapDirect)
	case n < 12:
		s = fromProduction(r, zapInside)
	case n < 14:
		s = fromProduction(r, zapPath)
	default:
		s = fromProduction(r, zapText)
	}
	for range r.Intn(3) {
		s.line = around(pick(r, zapAround), s.line)
	}
	return s
}

func pick(r *rand.Rand, list []string) string { return list[r.Intn(len(list))] }

func around(context, line string) string {
	if context == "%" {
		return line
	}
	return strings.Replace(context, "%", line+"\n", 1)
}

func fromProduction(r *rand.Rand, list []production) sample {
	p := list[r.Intn(len(list))]
	line := p.text
	for strings.Contains(line, "Z") {
		spelled := pick(r, zapSpellings)
		if strings.Contains(line, "`") && strings.ContainsAny(spelled, "\\") {
			spelled = "zap" // backquotes take backslashes away
		}
		if !strings.Contains(line, "ZAP") {
			line = strings.Replace(line, "Z", spelled, 1)
			continue
		}
		break
	}
	return sample{line: line, seen: p.seen}
}

// fill puts words in the place of N.
func fill(r *rand.Rand, line string) string {
	if r.Intn(2) == 0 || strings.ContainsAny(line, "`'\"<") {
		return strings.ReplaceAll(line, "N", "n")
	}
	return strings.ReplaceAll(line, "N", pick(r, zapNoise))
}

func (s sample) String() string {
	return fmt.Sprintf("%q (seen %v, decoy %v)", s.line, s.seen, s.decoy)
}
