package command

import "fmt"

// Caps on one line. Each ends in a denial that no list can lift: a limit with a
// softer answer is a way around the lists (put sixty harmless parts in front).
const (
	// maxLine is the longest line in bytes.
	maxLine = 64 << 10
	// maxDepth is how deep brackets of any kind, and later the nodes of the
	// parsed line, may lie in each other. The parser recurses without a limit
	// and a Go stack that overflows can't be recovered.
	maxDepth = 256
	// maxNodes is how deep the tree of a line may be. Lists such as a && b
	// lean to one side and make deep trees of flat lines.
	maxNodes = 100_000
	// maxParts is how many simple commands a line may hold.
	maxParts = 4096
	// maxText is how many bytes of command text are matched for one line,
	// all spellings of all parts together.
	maxText = 8 << 20
	// maxWork is how many bytes may be put together while the words of a line
	// are read: a=$b$b; b=$c$c; … doubles with each step.
	maxWork = 16 << 20
	// maxTexts is how many texts within texts are read for one line.
	maxTexts = 512
	// maxNested is how deep text that is run as a line by a line is read:
	// bash -c "bash -c '…'".
	maxNested = 8
)

// Reasons for a refusal that more than one place gives.
const (
	overText = "the line unfolds into more text than can be judged"
	overDeep = "the line is nested too deeply"
)

// tooMuch says why a line is refused before it is parsed, or "".
func tooMuch(line string) string {
	if len(line) > maxLine {
		return fmt.Sprintf("the command is %d bytes long, at most %d can be judged", len(line), maxLine)
	}
	// Quotes are not looked at, so a closing bracket in quotes can hide depth
	// from this count. Each such pair takes three bytes or more, which bounds
	// the parser's stack to a few tens of megabytes at maxLine: slow, not fatal.
	depth := 0
	for i := range len(line) {
		switch line[i] {
		case 0:
			return "the command contains a NUL byte, which no command can contain"
		case '(', '{', '[':
			if depth++; depth > maxDepth {
				return fmt.Sprintf("brackets lie more than %d deep in each other", maxDepth)
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return ""
}
