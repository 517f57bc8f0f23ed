// Package command judges shell command lines and argument vectors against
// lists of command patterns.
//
// Call [New] once with the lists of a policy, then [Judge.Line] for text that
// bash will run and [Judge.Argv] for a program that is started directly. A
// Judge is immutable and safe for concurrent use. Nothing here reads a file, an
// environment variable or the clock, so one line has one verdict everywhere.
//
// A line is parsed as bash and every simple command in it is judged, as well as
// the line as a whole. Denials look at each command in several spellings (raw,
// without quotes, by base name, behind wrappers such as env and timeout);
// permission is only given to a command as it is written. What the parser can't
// see through, such as eval or a variable in the place of a program, is never
// allowed by an entry that was written for something else.
//
// This is a convenience, not a boundary: a program that is allowed may start
// any other by itself. What a command can reach is decided by the kernel.
package command

// An Outcome is what becomes of a command. The zero value denies.
type Outcome int

// The outcomes, from strict to lenient.
const (
	Deny  Outcome = iota // refused
	Ask                  // needs approval
	Allow                // may run
)

// String returns deny, ask or allow.
func (o Outcome) String() string {
	switch o {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}

// Names of the lists, spelled as in a policy file.
const (
	ListAllowed  = "allowed_commands"
	ListDenied   = "denied_commands"
	ListAsk      = "ask_commands"
	ListUnlisted = "unlisted_commands"
)

// A Verdict says what becomes of a command and which line of a list said so.
type Verdict struct {
	Outcome Outcome
	// List is the list that spoke: one of the List constants, or empty when
	// no list can lift the refusal (a line that is too long).
	List string
	// Index is the position of the entry in its list as it was given to New
	// (the bare word default counts as one), or -1 when no entry spoke.
	Index int
	// Pattern is the text of that pattern. For an entry behind the bare word
	// default it is the pattern that the word stands for.
	Pattern string
	// Part is the simple command the verdict is about, as it is written and
	// cut at 240 bytes, or empty when it is about the whole line.
	Part string
	// Reason is a short sentence when no pattern spoke.
	Reason string
}

// A Redirect is a file that a line opens by a redirection.
type Redirect struct {
	// Path is the target without its quotes when Literal, else as written.
	Path string
	// Read and Write say what the file is opened for. Write covers creating,
	// truncating and appending.
	Read, Write bool
	// Literal is false when the target, or the folder a relative target
	// starts from, is known to bash alone: an expansion, a pattern, `cd $x`.
	Literal bool
	// Dir is the folder that a cd before it in the same line led to, relative
	// to the folder the line starts in unless absolute. Empty means none.
	Dir string
}
