package policy

import "time"

func (k *checker) limits(l Limits) {
	k.duration("limits.timeout", l.Timeout)
	k.count("limits.memory", l.Memory)
	k.count("limits.processes", int64(l.Processes))
	k.count("limits.output", l.Output)
	k.word("limits.exec", l.Exec, "anywhere", "mounts-only")
}

func (k *checker) interpreter(n Interpreter) {
	k.duration("interpreter.timeout", n.Timeout)
	k.count("interpreter.memory", n.Memory)
	k.word("interpreter.clock", n.Clock, "none", "coarse")
	first := map[string]bool{}
	for i, tool := range n.PTC {
		at := index("interpreter.ptc", i)
		switch {
		case !isName(tool, true):
			k.add(at, "%s is no name of a tool", quoted(tool))
		case first[tool]:
			k.add(at, "%s is listed twice", quoted(tool))
		}
		first[tool] = true
	}
}

func (k *checker) duration(address string, d time.Duration) {
	if d < 0 {
		k.add(address, "%s is negative", d)
	}
}

func (k *checker) count(address string, n int64) {
	if n < 0 {
		k.add(address, "%d is negative", n)
	}
}
