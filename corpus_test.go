package paddock_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/internal/corpus"
	"paddock/policy"
)

// TestCorpusOnDisk asks the questions of the corpus once more, through a Guard
// over a real tree.
func TestCorpusOnDisk(t *testing.T) {
	rows, err := corpus.Read("testdata/decisions")
	if err != nil {
		t.Fatal(err)
	}
	asked, unasked := 0, map[string]int{}
	for i := range rows {
		row := &rows[i]
		kind, _ := row.Question()
		switch {
		case row.FakeOnly != "":
			unasked["holds on no disk"]++
			continue
		case pureQuestions[kind] != "":
			unasked[pureQuestions[kind]]++
			continue
		case row.WantError != nil:
			unasked["a policy that does not load"]++
			continue
		}
		asked++
		t.Run(row.ID, func(t *testing.T) {
			r := diskRow{t: t, row: row, want: row.Want}
			if row.OnDisk != nil {
				r.want = row.OnDisk
			}
			r.run()
		})
	}
	t.Logf("%d rows asked; not asked: %v", asked, unasked)
	if asked < 600 {
		t.Errorf("only %d rows were asked", asked)
	}
}

// pureQuestions are about the policy and no tree.
var pureQuestions = map[string]string{
	"load": "about loading", "worker": "about loading", "permission": "without a path", "interrupt_on": "without a path", "argv": "without a path",
	"search_only": "about folders as such", "rights": "about rights as such", "may_deny_below": "about what cannot be listed",
}

type diskRow struct {
	t    *testing.T
	row  *corpus.Row
	want *corpus.Want
	base string
	g    *paddock.Guard
}

func (r *diskRow) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *diskRow) run() {
	base, err := filepath.EvalSymlinks(r.t.TempDir())
	r.check(err)
	r.base = base
	r.makeTree()
	c, err := policy.Parse("policy.yaml", []byte(r.row.PolicyText(base)))
	r.check(err)
	r.makeMounts(c.Paths)
	for name := range c.Workers {
		r.makeMounts(c.Workers[name].Paths)
	}
	r.g = r.guard(c)
	r.t.Cleanup(func() { r.g.Close() })
	if r.row.As != "" {
		r.g, err = r.g.Worker(r.row.As, nil)
		r.check(err)
	}
	kind, arg := r.row.Question()
	text, _ := arg.(string)
	r.ask(kind, corpus.Place(text, base))
}

func (r *diskRow) makeTree() {
	for name, content := range r.row.Tree {
		at := filepath.Join(r.base, strings.TrimSuffix(name, "/"))
		if content == nil {
			r.check(os.MkdirAll(at, 0o755))
			continue
		}
		r.check(os.MkdirAll(filepath.Dir(at), 0o755))
		if target, ok := strings.CutPrefix(*content, "-> "); ok {
			r.check(os.Symlink(corpus.Place(target, r.base), at))
			continue
		}
		r.check(os.WriteFile(at, []byte(*content), 0o644))
	}
}

// place is where an entry lies.
func (r *diskRow) place(e *policy.PathEntry) string {
	if filepath.IsAbs(e.Path) {
		return e.Path
	}
	return filepath.Join(r.base, e.Path)
}

func (r *diskRow) makeMounts(paths []policy.PathEntry) {
	for i := range paths {
		if at := r.place(&paths[i]); strings.HasPrefix(at, r.base) {
			if _, err := os.Lstat(at); errors.Is(err, fs.ErrNotExist) {
				r.check(os.MkdirAll(at, 0o755))
			}
		}
	}
}

func (r *diskRow) guard(c *policy.SecurityContext) *paddock.Guard {
	mounts := map[string]backend.Backend{}
	open := func(slug, at string) {
		b, err := disk.Open(at)
		r.check(err)
		mounts[slug] = b
	}
	for i := range c.Paths {
		open(c.Paths[i].Slug, r.place(&c.Paths[i]))
	}
	if len(c.Paths) == 0 {
		open("", "/")
	}
	o := paddock.Options{Context: c, Mounts: mounts, Dir: r.base}
	for _, f := range r.row.Own.Files {
		o.Own.Files = append(o.Own.Files, corpus.Place(f, r.base))
	}
	for _, f := range r.row.Own.Private {
		o.Own.Private = append(o.Own.Private, corpus.Place(f, r.base))
	}
	g, err := paddock.New(o)
	r.check(err)
	return g
}

func (r *diskRow) ask(kind, text string) {
	ctx := context.Background()
	switch kind {
	case "command":
		e, err := r.g.ExplainCommand(ctx, text)
		if e.Verdict == policy.Allow {
			e.Because = nil // several lines let it run; the corpus names the list's
		}
		r.explained(e, err)
	case "list":
		r.list(ctx, text, true)
	case "visible":
		r.list(ctx, text, false)
	case "use", "look":
		r.stat(ctx, kind, text)
	case "mkdir":
		c := r.g.Begin("mkdir", nil)
		_, err := c.Mkdir(ctx, text, false)
		c.End(err)
		r.outcome(err)
	case "asks_below":
		r.walk(ctx, text)
	case "remove", "delete_tree":
		e, err := r.g.Explain(ctx, policy.Delete, text)
		r.explained(e, err)
	default:
		perm, err := policy.ParsePermission(kind)
		r.check(err)
		e, err := r.g.Explain(ctx, perm, text)
		r.explained(e, err)
	}
}

// explained compares what a person is told.
func (r *diskRow) explained(e paddock.Explanation, err error) {
	want := r.want
	if err != nil {
		if want.Verdict != "error" || !strings.Contains(err.Error(), want.Error) {
			r.t.Errorf("the error is %q; want %+v", err, *want)
		}
		return
	}
	if !slices.Contains(strings.Split(want.Verdict, "|"), e.Verdict.String()) || want.Kind != "" && string(e.Kind) != want.Kind {
		r.t.Errorf("the answer is %s %s; want %s %s: %v", e.Verdict, e.Kind, want.Verdict, want.Kind, e.Because)
	}
	if want.Virtual != nil && e.Virtual != corpus.Place(*want.Virtual, r.base) {
		r.t.Errorf("the virtual path is %q; want %q", e.Virtual, *want.Virtual)
	}
	if want.Entry != nil && e.Entry != *want.Entry {
		r.t.Errorf("the entry is %q; want %q", e.Entry, *want.Entry)
	}
	if len(e.Because) == 0 && e.Verdict != policy.Allow {
		r.t.Error("no line is named")
	}
	var lines []int
	for _, b := range e.Because {
		lines = append(lines, b.Line)
	}
	if want.Line != nil && e.Because != nil && lines[0] != *want.Line {
		r.t.Errorf("the lines %v spoke; want %d: %v", lines, *want.Line, e.Because)
	}
}

// stat looks at a name, for which any right will do. The policy answers for
// names that are not there as well; a tool finds out that they are not.
func (r *diskRow) stat(ctx context.Context, kind, text string) {
	c := r.g.Begin("stat", nil)
	look := c.Stat
	if kind == "look" {
		look = c.Lstat
	}
	_, err := look(ctx, text)
	c.End(err)
	if errors.Is(err, fs.ErrNotExist) && r.want.Verdict == "allow" {
		return
	}
	r.outcome(err)
}

// outcome compares how a call ended.
func (r *diskRow) outcome(err error) {
	var denial *policy.Denial
	got, kind := "allow", ""
	switch {
	case errors.As(err, &denial):
		got, kind = "deny", string(denial.Kind)
		if denial.Kind == policy.ApprovalDenied {
			got, kind = "ask", ""
		}
		if _, typed := r.row.Question(); strings.Contains(err.Error(), r.base) && !strings.Contains(typed.(string), "$W") {
			r.t.Errorf("the agent is told a real path: %q", err)
		}
	case err != nil:
		got = "error"
	}
	if got != r.want.Verdict || r.want.Kind != "" && kind != r.want.Kind {
		r.t.Errorf("the answer is %s %s; want %s %s: %v", got, kind, r.want.Verdict, r.want.Kind, err)
	}
}
