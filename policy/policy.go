package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"paddock/internal/command"
)

// Policy is a compiled SecurityContext, and the contexts that it narrows. It
// never changes and is safe for concurrent use.
type Policy struct {
	ctx    *SecurityContext
	prefix string  // of addresses in ctx: "" or "workers.NAME."
	parent *Policy // judged as well; the strictest verdict holds
	// liftRules is the rules model to the letter, "a subagent's rules replace its
	// parent's": the parent's rules are not asked for this child.
	liftRules bool
	// borrowed says that the mount table is the parent's: it grants nothing by
	// itself, and a worker's permissions and require_approval_for hold for
	// all of it.
	borrowed bool
	// notice is said with each denial of this context; a cap says what lifts
	// it.
	notice string

	dir        string // where relative paths begin when paths are unrestricted
	places     []Place
	mounts     map[string]*mount // by real path
	slugs      map[string]*mount
	root       *mount
	above      map[string]bool // the proper ancestors of every mount
	deepest    int             // the length of the longest real path of a mount
	lists      *patternList    // the context's own denied_path_regex
	rules      rules
	permission Permission
	approval   Permission
	commands   *command.Judge
	own        Own
}

// Place is what the caller found where a PathEntry points.
type Place struct {
	// Real is the absolute path with every link resolved. An entry that is
	// not on disk has none.
	Real string
	File bool // a single file, not a directory
}

// Own names what Paddock itself lives on, by real path.
type Own struct {
	// Files may be read, where the policy grants it, and never written,
	// removed or replaced: policy files, every name from which the next start
	// would load one, our binary, hook programs. They need not exist.
	Files []string
	// Private folders are closed whole: store, audit, keys, tokens, caches.
	Private []string
	// Temp begins the names that a write makes for a moment; they are closed
	// wherever they are, because who may read or change such a file holds the
	// file that it is about to become. Empty: there are none. Uniform does not
	// count them.
	Temp string
}

// Facts are what Compile must know of the world.
type Facts struct {
	Places []Place // one for each of the context's paths, in order
	Own    Own
	Dir    string // the working directory, absolute; used when paths are empty
}

// Compile makes a Policy of a context. It validates the context first.
func Compile(c *SecurityContext, f Facts) (*Policy, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return compile(&Policy{}, c, f)
}

// compile fills a Policy that knows its place in a chain.
func compile(p *Policy, c *SecurityContext, f Facts) (*Policy, error) {
	if len(f.Places) != len(c.Paths) {
		return nil, fmt.Errorf("the policy has %d paths and %d places were given for them", len(c.Paths), len(f.Places))
	}
	c = c.clean()
	p.ctx, p.dir, p.places, p.own, p.permission = c, f.Dir, f.Places, f.Own, Read
	if c.Permissions != nil {
		p.permission = *c.Permissions
	}
	if c.RequireApprovalFor != nil {
		p.approval = *c.RequireApprovalFor
	}
	if err := p.mountAll(f.Places); err != nil {
		return nil, err
	}
	lists, err := newPatternList(p.contextBase(), c.DeniedPathRegex, "denied_path_regex")
	if err != nil {
		return nil, err
	}
	p.lists = lists
	if p.rules, err = p.compileRules(c.Rules); err != nil {
		return nil, err
	}
	p.commands, err = command.New(command.Lists{
		Allowed: c.AllowedCommands, Denied: c.deniedCommands(), Ask: c.AskCommands, Unlisted: unlistedOf[c.UnlistedCommands],
	})
	if err != nil {
		return nil, fmt.Errorf("commands: %w", err)
	}
	return p, nil
}

// clean is the context with slugs as they are addressed. What a program wrote
// is not changed under its hands.
func (c *SecurityContext) clean() *SecurityContext {
	same := *c
	same.Paths = slices.Clone(c.Paths)
	for i := range same.Paths {
		same.Paths[i].Slug = cleanSlug(same.Paths[i].Slug)
	}
	return &same
}

var unlistedOf = map[Unlisted]command.Unlisted{
	"": command.UnlistedDefault, UnlistedAllow: command.UnlistedAllow, UnlistedAsk: command.UnlistedAsk, UnlistedDeny: command.UnlistedDeny,
}

// deniedCommands is the baseline unless the context has its own list.
func (c *SecurityContext) deniedCommands() []string {
	if c.DeniedCommands != nil {
		return *c.DeniedCommands
	}
	return command.DefaultDenied()
}

// Name is the label of the context, "default" if it has none.
func (p *Policy) Name() string {
	if p.ctx.Name == "" {
		return "default"
	}
	return p.ctx.Name
}

// Context is the written form of the policy. It must not be changed.
func (p *Policy) Context() *SecurityContext { return p.ctx }

// Parent is the context that this one narrows, nil for the outermost.
func (p *Policy) Parent() *Policy { return p.parent }

// Under returns p with one more context that must agree with every request:
// the outermost of the chain. notice is added to each denial it causes. It is
// how a policy that nobody vouched for is kept within a cap.
func (p *Policy) Under(outer *Policy, notice string) *Policy {
	top := *p
	if p.parent != nil {
		top.parent = p.parent.Under(outer, notice)
		return &top
	}
	last := *outer
	last.notice = notice
	top.parent = &last
	return &top
}

// capped tells whether a cap is in the chain.
func (p *Policy) capped() bool {
	for q := p; q != nil; q = q.parent {
		if q.notice != "" {
			return true
		}
	}
	return false
}

// chain yields p and every context that it narrows, innermost first, and
// whether that context's rules are asked.
func (p *Policy) chain(yield func(*Policy, bool) bool) {
	lifted := false
	for q := p; q != nil; q = q.parent {
		if !yield(q, !lifted) {
			return
		}
		lifted = q.liftRules
	}
}

// DeniedNames tells how names without any right are shown: hidden, unless a
// context of the chain says locked and none says hidden.
func (p *Policy) DeniedNames() DeniedNames {
	answer := Hidden
	for q := range p.chain {
		switch q.ctx.DeniedNames {
		case Hidden:
			return Hidden
		case Locked:
			answer = Locked
		}
	}
	return answer
}

// InterruptOn tells what the innermost context that speaks of a tool says of
// it. A parent's gate holds whatever a child says.
func (p *Policy) InterruptOn(tool string) (InterruptOn, Because, bool) {
	var found InterruptOn
	var line Because
	ok := false
	for q := range p.chain {
		on, here := q.ctx.InterruptOn[tool]
		if !here {
			continue
		}
		if !ok || on.Ask && !found.Ask {
			line = q.because("interrupt_on."+tool, "interrupt_on: "+tool)
		}
		found.Ask, ok = found.Ask || on.Ask, true
		found.AllowedDecisions = bothAllow(found.AllowedDecisions, on.AllowedDecisions)
	}
	return found, line, ok
}

// bothAllow are the decisions that two settings allow; an empty one allows
// all. Where they have none in common nothing is left but a no.
func bothAllow(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return append(a[:len(a):len(a)], b...)
	}
	var both []string
	for _, word := range a {
		if slices.Contains(b, word) {
			both = append(both, word)
		}
	}
	if len(both) == 0 {
		return []string{"reject"}
	}
	return both
}

// AtLeast is the highest floor of assurance that any context of the chain
// sets for one of the rights.
func (p *Policy) AtLeast(rights Permission) Assurance {
	floor := ByProgram
	for q := range p.chain {
		for word, a := range q.ctx.Approval.AtLeast {
			right, err := ParsePermission(word)
			if err == nil && right&rights != 0 && rank(a) > rank(floor) {
				floor = a
			}
		}
	}
	return floor
}

func rank(a Assurance) int { return slices.Index([]Assurance{ByProgram, ByHost, ByPerson}, a) }

// Enough tells whether an answer of assurance a meets a floor.
func (a Assurance) Enough(floor Assurance) bool { return rank(a) >= rank(floor) }

// DefaultApprovalTimeout is how long a question stands when no policy says.
const DefaultApprovalTimeout = 10 * time.Minute

// ApprovalTimeout is the shortest that any context of the chain sets.
func (p *Policy) ApprovalTimeout() time.Duration {
	var shortest time.Duration
	for q := range p.chain {
		if t := q.ctx.Approval.Timeout; t > 0 && (shortest == 0 || t < shortest) {
			shortest = t
		}
	}
	if shortest == 0 {
		return DefaultApprovalTimeout
	}
	return shortest
}

// because makes the line that stands at an address of the written policy.
func (p *Policy) because(address, text string) Because {
	at := p.ctx.Where(p.prefix + address)
	return Because{File: at.File, Line: at.Line, Text: text}
}

// index writes an address such as paths[3].
func index(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// within tells whether path is dir or lies below it.
func within(path, dir string) bool {
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/' || dir == "/")
}

// up is the path of the folder that holds path; false at the top.
func up(path string) (string, bool) {
	switch i := strings.LastIndexByte(path, '/'); {
	case i < 0 || path == "/":
		return "", false
	case i == 0:
		return "/", true
	default:
		return path[:i], true
	}
}

// below joins a folder's path and a name.
func below(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}
