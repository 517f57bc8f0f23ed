package paddock

import "sync/atomic"

// maxHeld bounds, in bytes, the content that the calls of a Guard, its workers
// and its sessions hold in memory at the same time. A call holds it while a
// person thinks: an agent that changes large files in hundreds of calls at once
// would fill the machine's memory.
const maxHeld = 256 << 20

var errBusy = &toldError{text: "too much content is being changed at the same time; wait until other calls are done"}

// room counts what is held. It is safe for concurrent use.
type room struct{ used atomic.Int64 }

// take makes room for n bytes until release, or fails at once: waiting could
// take as long as a person does.
func (r *room) take(n int64) (release func(), err error) {
	if r.used.Add(n) > maxHeld {
		r.used.Add(-n)
		return nil, errBusy
	}
	return func() { r.used.Add(-n) }, nil
}
