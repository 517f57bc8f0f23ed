package sandbox

import (
	"fmt"
	"strings"
	"time"

	"paddock/policy"
)

// Tier is the means by which the kernel holds an entry.
type Tier string

// The tiers. Bind is a mount with Landlock rights, for an entry whose rights
// are the same on everything in it. Guard is what decides file by file:
// patterns, rules, approvals, holes; it is not there yet, so an entry that
// needs it is refused. Absent entries grant nothing and are not in the sandbox.
const (
	TierBind   Tier = "bind"
	TierGuard  Tier = "guard"
	TierAbsent Tier = "absent"
)

// Entry tells how one entry of the policy is held. Real is a path of this
// machine: for the person, not for the agent.
type Entry struct {
	Slug   string
	Real   string
	File   bool // a single file
	Rights policy.Permission
	Tier   Tier
	Names  []string // "/slug", where the entry has that name inside, too
	Needs  []Need   // why it needs the guard tier

	slugs []string // more than one when entries share a folder
}

// Need is one reason for which an entry cannot be held, and the line of the
// policy that it comes from.
type Need struct {
	policy.Because
	Advice string // what a person can do about it, may be empty
}

func (n Need) String() string {
	text := n.Text
	if n.File != "" && n.Line > 0 {
		text = fmt.Sprintf("%s:%d: %s", n.File, n.Line, text)
	}
	if n.Advice != "" {
		text += "; " + n.Advice
	}
	return text
}

// Limits bound one command and everything that it starts.
type Limits struct {
	Timeout   time.Duration // 0: none
	Memory    int64         // bytes, of all processes together
	Processes int           // processes and threads at one time
	Files     int           // open files of one process
	FileSize  int64         // bytes of one file that is written
	Scratch   int64         // bytes of the private HOME, and as many of /tmp
	MountExec bool          // only programs in mounts and the system may run
}

// The limits where the policy sets none.
const (
	defaultProcesses = 512
	defaultFiles     = 8192
	defaultFileSize  = 64 << 30
	defaultScratch   = 1 << 30
	defaultMemory    = 4 << 30
)

// Plan is how a policy will be held: a value, made without touching the kernel.
// It is safe for concurrent use.
type Plan struct {
	Entries []Entry // outer entries first
	Limits  Limits
	// Notes tell what a command has less than the policy grants.
	Notes []string
	// Lacks tell what this machine does not give that no sandbox can be without.
	Lacks []string

	home, tmp string // the private folders
	tmpPlain  bool   // /tmp is only a way to entries, no place to write
	rootPath  string // of the root entry, where commands start
}

// Refused is the error of a plan that cannot be held. No command was started.
type Refused struct{ Reasons []string }

func (e *Refused) Error() string {
	return "no command can run under this policy here:\n" + strings.Join(e.Reasons, "\n")
}

// NewPlan decides how each entry of a policy is held on a machine that gives
// what the probe found. It opens nothing. A plan that cannot be held is a plan
// all the same, so that it can be shown: Check tells.
func NewPlan(p *policy.Policy, pr Probe, own policy.Own) *Plan {
	pl := &Plan{Lacks: pr.lacks(), Limits: limitsOf(p, pr)}
	pl.Entries = entriesOf(p)
	for i := range pl.Entries {
		pl.place(p, own, i)
	}
	pl.nest(p)
	pl.scratch()
	pl.names()
	for q := p; q != nil; q = q.Parent() {
		if len(q.Context().Network.Allow) > 0 {
			pl.Notes = append(pl.Notes, "network.allow: commands have no network yet, so no host is reached")
		}
		if q.Context().Network.UnixSockets == "inside" {
			pl.Notes = append(pl.Notes, "network.unix_sockets: inside is not there yet, so commands have socket pairs only")
		}
	}
	return pl
}

// Check is nil when commands can run as the plan says; else a *Refused that
// names every line of the policy and every mechanism that stands against it.
func (pl *Plan) Check() error {
	reasons := append([]string(nil), pl.Lacks...)
	held := 0
	for _, e := range pl.Entries {
		if e.Tier == TierBind {
			held++
		}
		for _, n := range e.Needs {
			if text := n.String(); !contains(reasons, text) {
				reasons = append(reasons, text)
			}
		}
	}
	if held == 0 && len(reasons) == 0 {
		reasons = append(reasons, "the policy grants no folder or file on disk, so a command would have nothing to work on")
	}
	if len(reasons) > 0 {
		return &Refused{reasons}
	}
	return nil
}

func contains(list []string, text string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}

// limitsOf are the narrowest limits of the chain.
func limitsOf(p *policy.Policy, pr Probe) Limits {
	l := Limits{Processes: defaultProcesses, Files: defaultFiles, FileSize: defaultFileSize, Scratch: defaultScratch, Memory: defaultMemory}
	if half := pr.Memory / 2; half > 0 {
		l.Memory = min(l.Memory, half)
	}
	set := Limits{}
	for q := p; q != nil; q = q.Parent() {
		c := q.Context().Limits
		set.Timeout = narrower(set.Timeout, c.Timeout)
		set.Memory = narrower(set.Memory, c.Memory)
		set.Processes = narrower(set.Processes, c.Processes)
		l.MountExec = l.MountExec || c.Exec == "mounts-only"
	}
	l.Timeout = set.Timeout
	if set.Memory > 0 {
		l.Memory = set.Memory
	}
	if set.Processes > 0 {
		l.Processes = set.Processes
	}
	l.Scratch = min(l.Scratch, max(l.Memory/2, 1<<20))
	return l
}

// narrower is the smaller of two limits; zero is none.
func narrower[T int | int64 | time.Duration](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
