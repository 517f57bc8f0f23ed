package cases

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Reasons for which a case or a vector is not run. There are no others: what a
// runner does not understand fails.
const (
	skipLater  = "a later part of the product" // sandbox, processes, approval flows, workers' calls, interpreter
	skipShell  = "starts a shell; its command verdict is checked"
	skipNoKey  = "the policy has a key that the product does not have"
	skipNoTool = "calls a tool that the product does not have"
)

// laterKinds are the kinds of case that wait for what they are about.
var laterKinds = []string{"kernel-sandbox", "process", "env-secret", "rsync", "approval", "subagent", "js"}

// laterAreas are the areas of vectors that do, each with what it waits for.
var laterAreas = map[string]string{
	"execute.":           "commands",
	"sandbox.":           "backends that run commands",
	"permission.sandbox": "backends that run commands",
	"quickjs.":           "the interpreter",
	"hitl.":              "approval flows",
	"upload.":            "backends that run commands",
	"download.":          "backends that run commands",
	"eviction.":          "offloading of results",
}

// tally counts what became of the cases of each kind.
type tally struct {
	mu    sync.Mutex
	kinds map[string]*count
}

type count struct {
	run, passed, failed int
	skipped             map[string]int
	unread              int
	shells              int // cases that start a shell
}

func newTally() *tally { return &tally{kinds: map[string]*count{}} }

func (t *tally) of(kind string) *count {
	if t.kinds[kind] == nil {
		t.kinds[kind] = &count{skipped: map[string]int{}}
	}
	return t.kinds[kind]
}

func (t *tally) skip(kind, reason string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(kind).skipped[reason]++
}

func (t *tally) ran(kind string, passed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.of(kind)
	c.run++
	if passed {
		c.passed++
	} else {
		c.failed++
	}
}

// report prints one line for each kind, and one for all.
func (t *tally) report(tb testing.TB) {
	var names []string
	all := &count{skipped: map[string]int{}}
	for name, c := range t.kinds {
		names = append(names, name)
		all.run, all.passed, all.failed, all.unread, all.shells = all.run+c.run, all.passed+c.passed, all.failed+c.failed, all.unread+c.unread, all.shells+c.shells
		for reason, n := range c.skipped {
			all.skipped[reason] += n
		}
	}
	slices.Sort(names)
	lines := []string{}
	for _, name := range names {
		lines = append(lines, t.kinds[name].line(name))
	}
	lines = append(lines, all.line("all"))
	fmt.Printf("%s\n%s\n", tb.Name(), strings.Join(lines, "\n"))
}

func (c *count) line(name string) string {
	var reasons []string
	skipped := 0
	for reason, n := range c.skipped {
		skipped += n
		reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
	}
	slices.Sort(reasons)
	text := fmt.Sprintf("  %-26s run %3d, passed %3d, failed %3d, skipped %3d", name, c.run, c.passed, c.failed, skipped)
	if len(reasons) > 0 {
		text += ": " + strings.Join(reasons, "; ")
	}
	if c.shells > 0 {
		text += fmt.Sprintf(" (%d start a shell: of those the command verdict)", c.shells)
	}
	if c.unread > 0 {
		text += fmt.Sprintf(" (%d statements not understood)", c.unread)
	}
	return text
}
