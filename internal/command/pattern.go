package command

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// A Kind is one of the three ways in which a pattern is matched.
type Kind int

const (
	Regexp Kind = iota // "re:" and an RE2 expression, found anywhere
	Glob               // contains * ? [ ], must match the whole command
	Plain              // anything else, found anywhere
)

// String returns regexp, glob or plain.
func (k Kind) String() string {
	switch k {
	case Regexp:
		return "regexp"
	case Glob:
		return "glob"
	}
	return "plain"
}

const regexpPrefix = "re:"

// A Pattern is one entry of a command list. Make it with [Compile]; the zero
// Pattern matches nothing.
type Pattern struct {
	// Text is the entry as written, with its re: prefix.
	Text string
	// Kind is decided once from Text and never guessed again. A glob such as
	// "git *" is a valid expression too, one that finds "git" in
	// "legitimate": guessing would turn a permission for git into one for
	// everything that contains its letters.
	Kind Kind
	// Steps is the size of a Regexp when it is compiled: each step takes about
	// a hundred bytes, and (a|b){1,900} has thousands. Who takes entries from
	// a file that nobody vouched for bounds their sum.
	Steps int

	re     func() *regexp.Regexp
	glob   glob
	folded string // Plain: the text; Regexp: a text that every match holds
}

// Compile reads an entry of a command list. Matching ignores letter case in all
// three kinds. The error says what is wrong with text and does not repeat it.
func Compile(text string) (Pattern, error) {
	p := classify(text)
	switch {
	case strings.TrimSpace(text) == "":
		return Pattern{}, errors.New("the pattern is empty; an empty text would be found in every command")
	case strings.ContainsRune(text, 0):
		return Pattern{}, errors.New("the pattern contains a NUL byte, which no command can contain")
	case p.Kind == Regexp && text == regexpPrefix:
		return Pattern{}, errors.New("nothing follows re:; an empty expression is found in every command")
	}
	if p.Kind == Regexp {
		steps, err := stepsOf(expression(text))
		if err != nil {
			return Pattern{}, regexpError(text, err)
		}
		if steps > maxSteps {
			return Pattern{}, fmt.Errorf("the expression comes to %d steps, and at most %d are taken; use smaller counts", steps, maxSteps)
		}
		re, err := regexp.Compile(expression(text))
		if err != nil {
			return Pattern{}, regexpError(text, err)
		}
		p.Steps = steps
		p.re = func() *regexp.Regexp { return re }
		p.folded = required(expression(text))
	}
	return p, nil
}

// classify prepares a pattern. An expression is compiled when first needed,
// which suits only texts that are known to compile.
func classify(text string) Pattern {
	p := Pattern{Text: text}
	switch {
	case strings.HasPrefix(text, regexpPrefix):
		p.Kind = Regexp
		p.re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression(text)) })
		p.folded = required(expression(text))
	case strings.ContainsAny(text, "*?[]"):
		p.Kind = Glob
		p.glob = parseGlob(text)
	default:
		p.Kind = Plain
		p.folded = fold(text)
	}
	return p
}

// maxSteps bounds one expression.
const maxSteps = 10_000

// stepsOf is the size of an expression, told before it takes the memory.
func stepsOf(expression string) (int, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0, err
	}
	return len(program.Inst), nil
}

func expression(text string) string {
	return "(?i)" + strings.TrimPrefix(text, regexpPrefix)
}

// regexpError names the constructs that people bring from Python and that RE2
// leaves out to stay linear.
func regexpError(text string, err error) error {
	for _, lookaround := range []string{"(?=", "(?!", "(?<=", "(?<!"} {
		if strings.Contains(text, lookaround) {
			return fmt.Errorf("lookaround %s…) is not supported (the syntax is RE2); write the exception as an entry of its own or as a glob", lookaround)
		}
	}
	if strings.Contains(text, `\Z`) {
		return errors.New(`\Z is not supported (the syntax is RE2); write \z`)
	}
	cause := err.Error()
	cause = strings.TrimPrefix(cause, "error parsing regexp: ")
	return fmt.Errorf("not a valid RE2 expression: %s", cause)
}

// Match reports whether the pattern matches the command text: the whole of it
// for a glob, anywhere in it for the other kinds.
func (p Pattern) Match(command string) bool {
	if p.Kind == Glob {
		return p.match(command, "")
	}
	return p.match(command, fold(command))
}

// match is Match for a caller that has folded the command before.
func (p Pattern) match(command, folded string) bool {
	switch {
	case p.Text == "":
		return false
	case p.Kind == Glob:
		return p.glob.match(command)
	case !strings.Contains(folded, p.folded):
		return false
	case p.Kind == Regexp:
		return p.re().MatchString(command)
	}
	return true
}
