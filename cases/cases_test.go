package cases

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paddock/internal/testenv"
)

// TestCases runs bug cases of other systems on real files.
func TestCases(t *testing.T) {
	dir, own := casesFolder()
	tally := newTally()
	seen := map[string]bool{}
	var all []*bugCase
	for _, c := range readCases(t, dir) {
		if seen[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		seen[c.ID] = true
		if slices.Contains(laterKinds, c.Kind) {
			tally.skip(c.Kind, skipLater)
			continue
		}
		all = append(all, &c)
	}
	t.Run("case", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.ID, func(t *testing.T) {
				if !c.alone() {
					t.Parallel()
				}
				var got result
				defer func() { tally.add(c.Kind, got, !t.Failed()) }()
				got = runCase(t, c, own)
			})
		}
	})
	tally.report(t)
}

// alone tells whether a case is about the whole process: its memory, or a
// limit that all of it has.
func (c *bugCase) alone() bool {
	return strings.Contains(fmt.Sprint(c.Input.Calls, c.Expected.Must, c.Expected.MustNot), "memory") || strings.Contains(fmt.Sprint(c.Input.Calls), "limit ")
}

// add counts what became of a case.
func (t *tally) add(kind string, r result, passed bool) {
	if r.skipped != "" && passed {
		t.skip(kind, r.skipped)
		return
	}
	t.ran(kind, passed)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.of(kind).unread += r.unread
	if r.shells > 0 {
		t.of(kind).shells++
	}
}

type result struct {
	skipped string
	unread  int
	shells  int
}

func runCase(t *testing.T, c *bugCase, own bool) result {
	if strings.Contains(c.Input.Note, "normal user") && !testenv.AsNobody(t) {
		return result{}
	}
	r := &run{world: newWorld(t), c: c}
	if c.Kind == "mcp" {
		return r.mcpCase(own)
	}
	if tool := r.missingTool(); tool != "" {
		return result{skipped: skipNoTool + ": " + tool}
	}
	r.policy = r.mapPolicy(c)
	if r.policy.noKey != "" {
		return result{skipped: skipNoKey + ": " + r.policy.noKey}
	}
	r.setup(c.Input.Setup)
	ctx, cancel := context.WithTimeout(context.Background(), caseTime)
	defer cancel()
	r.ctx = ctx
	r.load()
	r.before = r.snapshot(r.top)
	for i, call := range c.Input.Calls {
		a := r.do(call)
		r.answers = append(r.answers, a)
		if !r.accepts(c.verdicts(i), a) {
			t.Errorf("call %d %v: %s; want %s: %.300s", i+1, call, a.verdict, strings.Join(c.verdicts(i), "|"), a.text)
		}
	}
	if r.restore != nil {
		r.restore()
	}
	if ctx.Err() != nil {
		t.Error("the case hangs")
	}
	return result{unread: r.statements(own), shells: r.shells}
}

// optionalTools are tools that some products have; a case about one says so.
var optionalTools = []string{"edit_lines", "tree", "apply_patch", "chmod", "diff"}

// missingTool names a tool that the case needs to work and the product does
// not have. Where a refusal is right, an unknown tool is one.
func (r *run) missingTool() string {
	for i, call := range r.c.Input.Calls {
		name := text(call, "tool")
		if slices.Contains(optionalTools, name) && !slices.ContainsFunc(r.c.verdicts(i), func(v string) bool { return v == "error" || v == "deny" }) {
			return name
		}
	}
	return ""
}

// accepts tells whether an answer is among the right ones. A denial counts
// where an error is right, and so does a policy that does not load: nothing
// happened in both.
func (r *run) accepts(want []string, a answer) bool {
	for _, got := range strings.Split(a.verdict, "+") {
		good := slices.Contains(want, got) ||
			got == "deny" && slices.Contains(want, "error") ||
			got == "load-error" && (slices.Contains(want, "error") || slices.Contains(want, "deny")) ||
			got == "allow" && slices.Contains(want, "contained") || // the kernel's part comes later
			r.policy.empty && got == "load-error" // we differ: a file without entries has to say that it means it
		if !good {
			return false
		}
	}
	return true
}

// statements checks what must and must not be after the last call. It returns
// how many were not understood, which fails for the project's own copies.
func (r *run) statements(own bool) (unread int) {
	verdicts := make([]string, len(r.answers))
	for i, a := range r.answers {
		verdicts[i] = a.verdict
	}
	r.t.Logf("verdicts: %q", verdicts)
	check := func(statement string, want bool) {
		so, known := r.holds(statement)
		switch {
		case !known && own:
			r.t.Errorf("nobody understands %q", statement)
		case !known:
			unread++
			r.t.Logf("not understood: %q", statement)
		case so != want && !(r.policy.empty && r.loadErr != nil):
			r.t.Errorf("%q is %v; want %v: %.1000s", statement, so, want, r.said())
		}
	}
	for _, s := range r.c.Expected.Must {
		check(s, true)
	}
	for _, s := range r.c.Expected.MustNot {
		check(s, false)
	}
	r.noHostPaths()
	return unread
}

// noHostPaths: an agent that does not name a real path is told none.
func (r *run) noHostPaths() {
	if r.loadErr != nil || strings.Contains(fmt.Sprint(r.c.Input.Calls), "$") {
		return
	}
	if said := r.said(); strings.Contains(said, r.top) {
		r.t.Errorf("the agent is told a real path: %.600s", said)
	}
}

// memory tells whether the process has stayed below a bound, in MB.
func (r *run) memory(limit string) bool {
	n, err := strconv.Atoi(limit)
	r.check(err)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse < uint64(n)<<20
}

// TestCopiesAreWhole: the project has a copy of every case, by its id.
func TestCopiesAreWhole(t *testing.T) {
	ids, err := os.ReadFile("../testdata/cases/ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, c := range readCases(t, filepath.Dir("../testdata/cases/x")) {
		have[c.ID] = true
		if c.Source == "" || c.Kind == "" || len(c.Input.Calls) == 0 || c.Expected.Verdict == nil {
			t.Errorf("%s: a case has a source, a kind, calls and verdicts", c.ID)
		}
	}
	want := strings.Fields(string(ids))
	for _, id := range want {
		if !have[id] {
			t.Errorf("there is no copy of %s", id)
		}
	}
	if len(want) < 295 {
		t.Errorf("the list has %d ids", len(want))
	}
}
