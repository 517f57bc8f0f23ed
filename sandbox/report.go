package sandbox

// Report tells what a running sandbox has, as the kernel answered from inside.
type Report struct {
	Namespaces []string // those that are its own
	Landlock   int      // the version in force
	// Capabilities are the five sets of the command, in hexadecimal; all zero.
	Capabilities string
	NoNewPrivs   bool
	Seccomp      bool // the list of refused system calls is in force
	UID, GID     int
	// Processes tells how the number of processes is bounded: "exact" by the
	// kernel, or "watched": counted ten times a second, and everything ended
	// when there are too many.
	Processes string
	// Memory is "watched": each process is bounded by the kernel, the sum is
	// counted ten times a second, and everything ended when it is too much.
	Memory string
}

// Result tells how a command ended. Everything that it had started is gone.
type Result struct {
	ExitCode int    // 128 and the signal's number when a signal ended it
	Signal   int    // 0: none
	TimedOut bool   // the wall time was up
	Killed   string // why everything was ended before its time: timeout, cancelled, memory, processes; else ""
	// Truncated tells that there was more output than MaxOutput.
	Truncated bool
}
