package approve

import "fmt"

// CannotAsk says that a way has no means of asking now, so that the question
// was put to nobody. A Chain passes such a way over.
type CannotAsk struct {
	Way string // "terminal"
	Why string // a sentence for the person who runs Paddock
	Err error  // what the system said; may be nil
}

func (e *CannotAsk) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("cannot ask by %s: %s: %v", e.Way, e.Why, e.Err)
	}
	return fmt.Sprintf("cannot ask by %s: %s", e.Way, e.Why)
}

// Unwrap gives what the system said.
func (e *CannotAsk) Unwrap() error { return e.Err }

// ForAgent is what the agent may be told: it names no device and no path.
func (e *CannotAsk) ForAgent() string { return "nobody can be asked by " + e.Way + ": " + e.Why }
