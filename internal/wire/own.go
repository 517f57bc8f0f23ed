package wire

import (
	"slices"

	"paddock/policy"
)

// own names what Paddock itself lives on: the policy file and the links that
// lead to it, every name from which the next start here would load one, this
// program, and the state folder. An agent that could change one of them would
// write its own policy for the next start.
func (e Environment) own(s *Source, state string) policy.Own {
	var files []string
	add := func(path string) {
		links, end := trail(path)
		files = append(append(files, links...), end)
	}
	if s != nil {
		add(e.absolute(s.Path))
		add(s.Real)
	}
	if named := e.Getenv("PADDOCK_POLICY"); named != "" {
		add(e.absolute(named))
	}
	for _, candidate := range e.candidates() {
		add(candidate)
	}
	for _, program := range e.Programs {
		add(program)
	}
	// A link inside the state folder's path leads to the state folder too.
	if dir, err := e.namedState(); err == nil {
		links, _ := trail(dir)
		files = append(files, links...)
	}
	slices.Sort(files)
	o := policy.Own{Files: slices.Compact(files)}
	if state != "" {
		o.Private = []string{state}
	}
	return o
}
