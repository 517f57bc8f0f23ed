package policy

import "time"

// SecurityContext is one policy as it is written: the fields of a
// paddock.yaml, or what a program fills in (the context model: "Fields"). It is data;
// Compile makes the Policy that decides. Pointers tell "not set" from "set to
// nothing" where the two mean different things.
type SecurityContext struct {
	Version int    `yaml:"version"`
	Name    string `yaml:"name"` // "default" when empty

	Paths             []PathEntry `yaml:"paths"`
	UnrestrictedPaths bool        `yaml:"unrestricted_paths"`
	DeniedPathRegex   []string    `yaml:"denied_path_regex"`
	DeniedNames       DeniedNames `yaml:"denied_names"`
	Permissions       *Permission `yaml:"permissions"` // nil: Read
	Rules             []Rule      `yaml:"rules"`

	AllowedCommands  []string  `yaml:"allowed_commands"`
	DeniedCommands   *[]string `yaml:"denied_commands"` // nil: the baseline of ten
	AskCommands      []string  `yaml:"ask_commands"`
	UnlistedCommands Unlisted  `yaml:"unlisted_commands"`

	RequireApprovalFor *Permission            `yaml:"require_approval_for"` // nil: None
	InterruptOn        map[string]InterruptOn `yaml:"interrupt_on"`
	Approval           Approval               `yaml:"approval"`

	Network     Network           `yaml:"network"`
	Limits      Limits            `yaml:"limits"`
	Interpreter Interpreter       `yaml:"interpreter"`
	Workers     map[string]Worker `yaml:"workers"`

	// where remembers the place of each value that came from a file.
	where *positions
}

// PathEntry is one mount (the context model: "PathEntry").
type PathEntry struct {
	Path               string      `yaml:"path"`
	Slug               string      `yaml:"slug"`
	Backend            string      `yaml:"backend"`            // disk (when empty), memory, store, sandbox, or an embedder's own
	AllowedPermission  *Permission `yaml:"allowed_permission"` // nil: None when nested, else Permissions
	RequiredPermission *Permission `yaml:"required_permission"`
	DeniedPermission   *Permission `yaml:"denied_permission"`
	DeniedPathRegex    []string    `yaml:"denied_path_regex"`
}

// RootSlug is the slug of the entry that needs none in a path.
const RootSlug = "root"

// IsRoot tells whether this is the root entry.
func (e *PathEntry) IsRoot() bool { return cleanSlug(e.Slug) == RootSlug }

// OnDisk tells whether the entry is a real directory or file.
func (e *PathEntry) OnDisk() bool { return e.Backend == "" || e.Backend == "disk" }

// Rule is one line of the rules model; the first that matches decides.
type Rule struct {
	Operations []Operation `yaml:"operations"` // read, write
	Paths      []string    `yaml:"paths"`
	Mode       Mode        `yaml:"mode"` // allow when empty
}

// Operation is what a Rule covers.
type Operation string

// The operations of rules: read is READ, write is WRITE and DELETE.
const (
	OpRead  Operation = "read"
	OpWrite Operation = "write"
)

// Mode is what a Rule says of a match.
type Mode string

// The modes of rules.
const (
	ModeAllow     Mode = "allow"
	ModeDeny      Mode = "deny"
	ModeInterrupt Mode = "interrupt"
)

// DeniedNames says how a name without any right left is shown.
type DeniedNames string

// Hidden names are absent everywhere; locked ones are listed and closed.
const (
	Hidden DeniedNames = "hidden"
	Locked DeniedNames = "locked"
)

// Unlisted says what becomes of a command that no list names.
type Unlisted string

// The empty Unlisted means: deny if there are allowed commands, else
// allow.
const (
	UnlistedAllow Unlisted = "allow"
	UnlistedAsk   Unlisted = "ask"
	UnlistedDeny  Unlisted = "deny"
)

// InterruptOn is the human-in-the-loop setting of one tool: in a file true,
// false, or {allowed_decisions: [...]}.
type InterruptOn struct {
	Ask              bool
	AllowedDecisions []string // approve, edit, reject, respond; empty: all
}

// Approval says who is asked and how long the question stands.
type Approval struct {
	Chain   []string             `yaml:"chain"` // terminal, inbox, elicit, delegate, webhook, hook, interrupt, auto, auto_deny
	Timeout time.Duration        `yaml:"timeout"`
	AtLeast map[string]Assurance `yaml:"at_least"` // right -> floor
}

// Assurance is how sure we are that a person said yes.
type Assurance string

// The assurances, weakest first.
const (
	ByProgram Assurance = "program"
	ByHost    Assurance = "host"
	ByPerson  Assurance = "person"
)

// Network says which hosts may be reached. Nothing is allowed when empty.
type Network struct {
	Allow       []string     `yaml:"allow"` // host[:port], *.domain[:port]
	Deny        []string     `yaml:"deny"`
	Credentials []Credential `yaml:"credentials"`
	UnixSockets string       `yaml:"unix_sockets"` // pairs (when empty), inside
}

// Credential is a secret that the proxy adds outside the sandbox.
type Credential struct {
	Host   string `yaml:"host"`
	Header string `yaml:"header"`
	Env    string `yaml:"env"`  // the variable of Paddock's own environment that holds it
	File   string `yaml:"file"` // or the file
	Format string `yaml:"format"`
}

// Limits bound a command. Zero means the default.
type Limits struct {
	Timeout   time.Duration `yaml:"timeout"`
	Memory    int64         `yaml:"memory"` // bytes; in a file 2GiB
	Processes int           `yaml:"processes"`
	Output    int64         `yaml:"output"` // bytes
	Exec      string        `yaml:"exec"`   // anywhere (when empty), mounts-only
}

// Interpreter configures eval.
type Interpreter struct {
	PTC     []string      `yaml:"ptc"`
	Timeout time.Duration `yaml:"timeout"`
	Memory  int64         `yaml:"memory"`
	Clock   string        `yaml:"clock"` // none (when empty), coarse
}

// Worker is a narrower context for a subagent. A field left unset adds
// nothing of its own; the parent's still holds.
type Worker struct {
	Description        string                 `yaml:"description"`
	Paths              []PathEntry            `yaml:"paths"`
	DeniedPathRegex    []string               `yaml:"denied_path_regex"`
	Permissions        *Permission            `yaml:"permissions"`
	Rules              *[]Rule                `yaml:"rules"`
	RulesMayWiden      bool                   `yaml:"rules_may_widen"`
	AllowedCommands    []string               `yaml:"allowed_commands"`
	DeniedCommands     *[]string              `yaml:"denied_commands"`
	AskCommands        []string               `yaml:"ask_commands"`
	UnlistedCommands   Unlisted               `yaml:"unlisted_commands"`
	RequireApprovalFor *Permission            `yaml:"require_approval_for"`
	InterruptOn        map[string]InterruptOn `yaml:"interrupt_on"`
	Approval           *Approval              `yaml:"approval"`
	Network            *Network               `yaml:"network"`
	Limits             *Limits                `yaml:"limits"`
	Interpreter        *Interpreter           `yaml:"interpreter"`
	UnrestrictedPaths  bool                   `yaml:"unrestricted_paths"`
}
