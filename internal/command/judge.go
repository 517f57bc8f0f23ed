package command

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Judge holds compiled command lists. It is immutable and safe for concurrent
// use; each call works on its own.
type Judge struct {
	allowed, denied, ask []entry
	unlisted             Outcome
	words                []string
}

// New compiles the lists. The error is a *[ListError] that names the entry.
func New(l Lists) (*Judge, error) {
	j := &Judge{}
	var err error
	if j.allowed, err = compileList(ListAllowed, l.Allowed); err != nil {
		return nil, err
	}
	if j.denied, err = compileList(ListDenied, l.Denied); err != nil {
		return nil, err
	}
	if j.ask, err = compileList(ListAsk, l.Ask); err != nil {
		return nil, err
	}
	switch l.Unlisted {
	case UnlistedDefault:
		if j.unlisted = Allow; len(j.allowed) > 0 {
			j.unlisted = Deny
		}
	case UnlistedAllow:
		j.unlisted = Allow
	case UnlistedAsk:
		j.unlisted = Ask
	case UnlistedDeny:
		j.unlisted = Deny
	default:
		return nil, &ListError{List: ListUnlisted, Index: -1, Reason: fmt.Sprintf("no such value: %d", l.Unlisted)}
	}
	j.words = programNames(j.denied, j.ask)
	return j, nil
}

// programNames are the words in the patterns that may be names of programs. A
// program that is named by a shell pattern is compared with them.
func programNames(lists ...[]entry) []string {
	var names []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, e := range list {
			words := strings.FieldsFunc(strings.TrimPrefix(e.Text, regexpPrefix), func(r rune) bool {
				return !strings.ContainsRune("_-.+", r) && (r < '0' || '9' < r) && (r|0x20 < 'a' || 'z' < r|0x20)
			})
			for _, w := range words {
				// \brm in an expression leaves brm.
				for _, w := range []string{w, strings.TrimPrefix(w, "b")} {
					if w != "" && !seen[w] && len(names) < maxNames {
						seen[w] = true
						names = append(names, w)
					}
				}
			}
		}
	}
	return names
}

// maxNames bounds the work for a program named by a pattern.
const maxNames = 256

// Line judges a line that bash will run, and lists the files that it opens by
// redirection. The caller judges those as path requests; a redirection changes
// nothing in the verdict. The line is denied when it can't be judged in bounds.
func (j *Judge) Line(line string) (verdict Verdict, files []Redirect) {
	// The parser is not ours and reads hostile text: should it fail, the
	// answer is no. An overflow of the stack can't be caught here, which is
	// why depth is counted beforehand.
	defer func() {
		if r := recover(); r != nil {
			verdict, files = refuse("the command can't be judged; this is a fault in the judge"), nil
		}
	}()
	return j.line(line)
}

// line is Line without the net under it, for the tests that look for faults.
func (j *Judge) line(line string) (verdict Verdict, files []Redirect) {
	if why := tooMuch(line); why != "" {
		return refuse(why), nil
	}
	sh := &shared{words: j.words}
	sc := scan(line, sh, 0, nil)
	if sh.over != "" {
		return refuse(sh.over), nil
	}
	parts := append([]part{whole(line)}, sc.parts...)
	if !utf8.ValidString(line) {
		parts = append(parts, part{
			show: "", texts: []string{line},
			marks: []mark{{"", "the command holds bytes that are not UTF-8"}},
		})
	}
	verdict = j.judge(parts, strings.TrimSpace(line))
	if joined := sc.src.joined(); joined != line && verdict.Outcome != Deny {
		// Bash joins a line that ends in a backslash with the next before it
		// looks for words, the parser only between words and in some of them.
		// Both readings must pass.
		sh := &shared{words: j.words}
		other := scan(joined, sh, 0, nil).parts
		if sh.over != "" {
			return refuse(sh.over), nil
		}
		if len(other) > 0 { // else all of it is a comment now
			if v := j.judge(append(other, whole(joined)), strings.TrimSpace(joined)); v.Outcome < verdict.Outcome {
				verdict = v
			}
		}
	}
	return verdict, redirects(sc)
}

// Argv judges a program that is started without a shell, as the line that runs
// it in one. Nothing in argv is special: there are no parts, expansions or
// redirections.
func (j *Judge) Argv(argv []string) Verdict {
	if len(argv) == 0 || argv[0] == "" {
		return refuse("no program is named")
	}
	line := Quote(argv)
	if len(line) > maxLine {
		return refuse(fmt.Sprintf("the command is %d bytes long, at most %d can be judged", len(line), maxLine))
	}
	if strings.ContainsRune(line, 0) {
		return refuse("the command contains a NUL byte, which no command can contain")
	}
	sh := &shared{words: j.words}
	sc := &scanner{expander: &expander{src: &source{}, facts: newFacts(), work: &sh.work}, shared: sh}
	p := part{show: line, texts: []string{line}, name: quoteWord(argv[0])}
	p.spell(line)
	words := make([]arg, len(argv))
	for i, a := range argv {
		words[i] = arg{text: a}
	}
	sc.inspect(&p, words, text{}, 0)
	sc.push(p)
	if sh.over != "" {
		return refuse(sh.over)
	}
	return j.judge(sc.parts, line)
}

// whole is the line itself, which entries that deny or ask see as it is.
func whole(line string) part {
	p := part{free: true, spellings: []string{line}, folded: []string{fold(line)}}
	p.spell(strings.TrimSpace(line))
	return p
}

func refuse(reason string) Verdict {
	return Verdict{Outcome: Deny, Index: -1, Reason: reason}
}
