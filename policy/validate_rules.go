package policy

import (
	"errors"

	"paddock/internal/glob"
)

func (k *checker) rules(rules []Rule) {
	for i := range rules {
		k.rule(index("rules", i), &rules[i])
	}
}

func (k *checker) rule(at string, r *Rule) {
	k.word(at+".mode", string(r.Mode), string(ModeAllow), string(ModeDeny), string(ModeInterrupt))
	if len(r.Operations) == 0 {
		k.add(at+".operations", "the rule names no operation and would never speak; write [read], [write] or [read, write]")
	}
	for i, op := range r.Operations {
		k.operation(index(at+".operations", i), op)
	}
	if len(r.Paths) == 0 {
		k.add(at+".paths", `the rule names no path and would never speak; write for example ["/secret/**"]`)
	}
	for i, path := range r.Paths {
		k.rulePath(index(at+".paths", i), path)
	}
}

func (k *checker) operation(at string, op Operation) {
	switch op {
	case OpRead, OpWrite:
	case "":
		k.add(at, "the operation is empty; write read or write")
	case "delete":
		k.add(at, "rules know read and write, and write covers delete; write write")
	case "execute":
		k.add(at, "rules know read and write only; use the command lists or an entry's rights for execute")
	default:
		k.word(at, string(op), string(OpRead), string(OpWrite))
	}
}

// alternativeSteps is what one alternative of a glob counts of maxSteps: braces
// make 256 of a line.
const alternativeSteps = 4

// rulePath checks a glob of a rule.
func (k *checker) rulePath(at, path string) {
	if k.steps > maxSteps {
		return // said already
	}
	g, err := glob.Compile(path)
	if err != nil {
		k.add(at, "the path %s can't be used: %s", quoted(path), globReason(err))
		return
	}
	if k.steps += alternativeSteps * g.Alternatives(); k.steps > maxSteps {
		k.add(at, "the braces of the rules expand to more than %d alternatives together; use fewer, or shorter lists", maxSteps/alternativeSteps)
	}
}

// globReason is why a glob was refused, without the glob.
func globReason(err error) string {
	var pattern *glob.PatternError
	if errors.As(err, &pattern) {
		return pattern.Reason
	}
	return err.Error()
}
