package sandbox

import (
	"io"
	"time"
)

// Command is what to run. Argv is a program and its arguments; Line, in its
// place, is a line for /bin/sh.
type Command struct {
	Argv []string
	Line string
	// Dir is where it starts, by its real path; see Plan.StartDir.
	Dir string
	// Env is set on top of the few variables that every command has. Names by
	// which programs load code are refused.
	Env map[string]string
	// Stdin is copied to the command; nil is an empty input. Start reads from
	// it until the command ends, and perhaps one read longer.
	Stdin io.Reader
	// Stdout and Stderr receive output; nil throws it away. When both are the
	// same writer, the command has one stream for both, in order.
	Stdout, Stderr io.Writer
	// MaxOutput bounds each stream in bytes; the rest is read and thrown away.
	// 0: no bound.
	MaxOutput int64
	// Timeout is the wall time, on top of the policy's own. 0: none.
	Timeout time.Duration
	// TTY gives the command a terminal of its own in place of the three
	// streams: Process.Terminal is its other end.
	TTY bool
}

// bounded writes to another writer until a bound is reached.
type bounded struct {
	w         io.Writer
	left      int64
	endless   bool
	truncated bool
	err       error // of w
}

// Write fails only when the other writer does: then the pipe is closed, and the
// command is told as it would be by any pipe that nobody reads.
func (b *bounded) Write(p []byte) (int, error) {
	part := p
	if !b.endless && int64(len(part)) > b.left {
		part, b.truncated = part[:b.left], true
	}
	b.left -= int64(len(part))
	if len(part) > 0 {
		if _, b.err = b.w.Write(part); b.err != nil {
			return 0, b.err
		}
	}
	return len(p), nil
}
