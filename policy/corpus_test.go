package policy_test

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"paddock/internal/corpus"
	"paddock/policy"
)

// corpusBase is where the imagined trees of the corpus stand.
const corpusBase = "/w"

// TestCorpus holds the pure decision to the corpus, on imagined trees: once
// with the short cut for paths that hold no link, and once walking each path.
func TestCorpus(t *testing.T) {
	rows, err := corpus.Read("../testdata/decisions")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 600 {
		t.Errorf("the corpus has %d rows", len(rows))
	}
	seen := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		if seen[row.ID] || row.Source == "" || len(row.Ask) != 1 {
			t.Fatalf("%s: the id is taken, or there is no source, or not one question", row.ID)
		}
		seen[row.ID] = true
		t.Run(row.ID, func(t *testing.T) {
			for _, slow := range []bool{false, true} {
				r := corpusRun{t: t, row: row, tree: newTree(t)}
				r.tree.slow = slow
				r.run()
			}
		})
	}
}

type corpusRun struct {
	t      *testing.T
	row    *corpus.Row
	tree   *tree
	policy *policy.Policy
}

func (r *corpusRun) run() {
	defer func() {
		if r.t.Failed() {
			r.t.Logf("%s: %s\npolicy:\n%s\ntree: %s\nas %q ask %v", r.row.ID, r.row.Why, r.row.PolicyText(corpusBase), r.showTree(), r.row.As, r.row.Ask)
		}
	}()
	for name, content := range r.row.Tree {
		r.tree.add(corpusBase+"/"+strings.TrimSuffix(name, "/"), node(content))
	}
	err := r.compile()
	kind, arg := r.row.Question()
	if r.row.WantError != nil {
		r.refused(err)
		return
	}
	if err != nil {
		r.t.Fatalf("refused: %v", err)
	}
	if kind == "load" || kind == "worker" {
		if r.row.Want.Verdict != "ok" {
			r.t.Fatalf("want %+v", *r.row.Want)
		}
		return
	}
	r.answer(kind, arg)
}

func (r *corpusRun) showTree() string {
	var all []string
	for name, content := range r.row.Tree {
		text := "folder"
		if content != nil {
			text = *content
		}
		all = append(all, fmt.Sprintf("%s: %q", name, text))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func node(content *string) policy.Node {
	if content == nil {
		return policy.Node{Kind: policy.Dir}
	}
	if target, ok := strings.CutPrefix(*content, "-> "); ok {
		return policy.Node{Kind: policy.Link, Target: corpus.Place(target, corpusBase)}
	}
	return policy.Node{Kind: policy.File}
}

// compile loads the row's policy, and the worker that asks.
func (r *corpusRun) compile() error {
	c, err := policy.Parse("policy.yaml", []byte(r.row.PolicyText(corpusBase)))
	if err != nil {
		return err
	}
	own := policy.Own{}
	for _, f := range r.row.Own.Files {
		own.Files = append(own.Files, corpus.Place(f, corpusBase))
	}
	for _, f := range r.row.Own.Private {
		own.Private = append(own.Private, corpus.Place(f, corpusBase))
	}
	if r.policy, err = policy.Compile(c, policy.Facts{Places: r.places(c.Paths), Dir: corpusBase, Own: own}); err != nil {
		return err
	}
	name := r.row.As
	if kind, arg := r.row.Question(); kind == "worker" {
		name = arg.(string)
	}
	if name != "" {
		r.policy, err = r.policy.Worker(name, policy.Facts{Places: r.places(c.Workers[name].Paths)})
	}
	return err
}

// places finds where entries lie: a relative path begins in the folder of the
// policy file.
func (r *corpusRun) places(paths []policy.PathEntry) []policy.Place {
	places := make([]policy.Place, len(paths))
	for i := range paths {
		name := paths[i].Path
		if !paths[i].OnDisk() {
			continue
		}
		if !path.IsAbs(name) {
			name = path.Join(corpusBase, name)
		}
		places[i].Real, places[i].File = r.tree.resolve(name)
	}
	return places
}

// refused compares why a policy or a worker does not load.
func (r *corpusRun) refused(err error) {
	want := r.row.WantError
	if err == nil {
		r.t.Fatalf("it loads; want an error with %q", want.Text)
	}
	if !strings.Contains(err.Error(), want.Text) {
		r.t.Errorf("the error is %q; want %q in it", err, want.Text)
	}
	var load *policy.LoadError
	if want.Line == 0 {
		return
	}
	if !errors.As(err, &load) {
		r.t.Fatalf("the error %T %q has no position", err, err)
	}
	if at := load.Problems[0].Position; at.Line != want.Line || want.Column != 0 && at.Column != want.Column || at.File != "policy.yaml" {
		r.t.Errorf("the error is at %s; want line %d column %d: %q", at, want.Line, want.Column, err)
	}
}

// answer asks the row's question.
func (r *corpusRun) answer(kind string, arg any) {
	text, _ := arg.(string)
	text = corpus.Place(text, corpusBase)
	p := r.policy
	switch kind {
	case "command":
		d := p.Command(text)
		r.command(&d)
	case "argv":
		var argv []string
		for _, word := range arg.([]any) {
			argv = append(argv, word.(string))
		}
		d := p.CommandArgv(argv)
		r.command(&d)
	case "permission":
		d := p.Pathless(r.perm(text))
		r.decision(&d, nil)
	case "interrupt_on":
		on, line, _ := p.InterruptOn(text)
		r.yes(on.Ask)
		if want := r.row.Want.Line; want != nil && line.Line != *want {
			r.t.Errorf("line %d spoke; want %d", line.Line, *want)
		}
	case "use":
		r.decide(policy.Request{Path: text})
	case "look":
		r.decide(policy.Request{Path: text, KeepLink: true})
	case "remove":
		r.decide(policy.Request{Path: text, Perm: policy.Delete, KeepLink: true})
	case "mkdir":
		r.decide(policy.Request{Path: text, Perm: policy.Write, Folder: true})
	case "list", "visible", "search_only", "rights", "may_deny_below", "asks_below", "delete_tree":
		r.about(kind, text)
	default:
		r.decide(policy.Request{Path: text, Perm: r.perm(kind)})
	}
}

func (r *corpusRun) perm(text string) policy.Permission {
	perm, err := policy.ParsePermission(text)
	if err != nil {
		r.t.Fatal(err)
	}
	return perm
}

func (r *corpusRun) decide(req policy.Request) {
	d, err := r.policy.Decide(req, r.tree)
	r.decision(&d, err)
}

// about asks what holds of an object without asking to use it.
func (r *corpusRun) about(kind, text string) {
	d, err := r.policy.Decide(policy.Request{Path: text, KeepLink: kind == "visible"}, r.tree)
	if err != nil {
		r.t.Fatal(err)
	}
	real := d.Real
	switch kind {
	case "list":
		names := []string{}
		for _, child := range r.tree.children(real) {
			if r.policy.Visible(child, r.tree.nodes[child]) {
				names = append(names, path.Base(child))
			}
		}
		if !slices.Equal(names, r.row.Want.Names) {
			r.t.Errorf("%q are shown; want %q", names, r.row.Want.Names)
		}
	case "visible":
		r.yes(r.policy.Visible(real, d.Node))
	case "search_only":
		r.yes(r.policy.SearchOnly(real))
	case "rights":
		if got := r.policy.Rights(real, d.Node).String(); got != r.row.Want.Rights {
			r.t.Errorf("the rights are %s; want %s", got, r.row.Want.Rights)
		}
	case "may_deny_below":
		r.yes(r.policy.MayDenyBelow(real))
	case "asks_below":
		r.yes(r.asks(real))
	case "delete_tree":
		d := r.deleteTree(real)
		r.decision(&d, nil)
	}
}

// asks tells whether reading a folder or something in it needs approval.
func (r *corpusRun) asks(real string) bool {
	d := r.policy.Object(real, r.tree.nodes[real], policy.Read)
	if d.Verdict == policy.Ask {
		return true
	}
	return slices.ContainsFunc(r.tree.children(real), r.asks)
}

// deleteTree judges a folder and everything in it, as a delete does: the first
// refusal holds.
func (r *corpusRun) deleteTree(real string) policy.Decision {
	d := r.policy.Object(real, r.tree.nodes[real], policy.Delete)
	for _, child := range r.tree.children(real) {
		if d.Verdict != policy.Deny {
			if below := r.deleteTree(child); below.Verdict < d.Verdict {
				d = below
			}
		}
	}
	return d
}
