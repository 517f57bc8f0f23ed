package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

const dryPolicy = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}
  - {slug: ask, path: ws/ask, allowed_permission: all, required_permission: all}
  - {slug: ref, path: ref, allowed_permission: read|execute}
`

func dryTree(t *testing.T, base string) {
	for _, name := range []string{"ws/a.txt", "ws/movable", "ws/x.env", "ws/d/one", "ws/d/e/two", "ws/h/f", "ws/h/x.env", "ws/ask/q", "ws/ask/d/r", "ref/r.txt"} {
		put(t, base+"/"+name, "text of "+name)
	}
	link(t, "a.txt", base+"/ws/to-a")
	link(t, "x.env", base+"/ws/to-env")
}

// listing writes a tree with contents and times as one text.
func listing(t *testing.T, base string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%q\n", text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestDryRunTellsTheTruth makes each call as a dry run and then in earnest: the
// first changes nothing, asks nobody, and says what the second one meets.
func TestDryRunTellsTheTruth(t *testing.T) {
	mix := map[string]int{}
	paths := []string{"/a.txt", "/x.env", "/none", "/none/deep", "/d", "/d/e", "/h", "/to-a", "/to-env", "/ask/q", "/ask/d", "/ask/new", "/ask", "/ref/r.txt", "/ref/new", "/", "/../out", "~/x"}
	for _, path := range paths {
		base := tempDir(t)
		dryTree(t, base)
		nobody := always(paddock.Decision{}, errors.New("nobody here"))
		g := guardAt(t, base, dryPolicy, paddock.Options{Approver: nobody})
		for i, one := range acts(g) {
			if strings.HasPrefix(one.name, "authorize") {
				continue // these are no calls of a Call
			}
			before := listing(t, base)
			c := g.Begin("tool", nil)
			var out string
			plan, dryErr := c.DryRun(func() (err error) { out, err = one.do(c, path); return err })
			c.End(dryErr)
			if after := listing(t, base); after != before {
				t.Fatalf("dry run of %s %s: the tree was\n%s\nand is\n%s", one.name, path, before, after)
			}
			if len(nobody.requests) > 0 {
				t.Fatalf("dry run of %s %s: somebody was asked", one.name, path)
			}
			// In earnest, on a tree of its own: calls of before would count.
			fresh := tempDir(t)
			dryTree(t, fresh)
			asked := always(paddock.Decision{Answer: paddock.Reject, Assurance: policy.ByPerson}, nil)
			real := guardAt(t, fresh, dryPolicy, paddock.Options{Approver: asked})
			realOut, realErr := acts(real)[i].run(real, path)
			what := fmt.Sprintf("%s %s: dry %v %+v, in earnest %v", one.name, path, dryErr, plan, realErr)
			switch {
			case len(asked.requests) > 0:
				mix["asks"]++
				if dryErr != nil || !plan.Ask || len(plan.Steps) == 0 || plan.Because[0].Line != 5 {
					t.Error(what)
				}
			case kind(realErr) != "":
				mix["denied"]++
				if said(dryErr) != said(realErr) || kind(dryErr) != kind(realErr) {
					t.Error(what)
				}
			case realErr != nil:
				mix["fails"]++
				if said(dryErr) != said(realErr) {
					t.Error(what)
				}
			default:
				mix["works"]++
				if dryErr != nil || plan.Ask {
					t.Error(what)
				}
				if strings.HasPrefix(one.name, "delete") && fmt.Sprint(plan.Objects) != realOut {
					t.Errorf("%s: %d objects planned, %s removed", what, plan.Objects, realOut)
				}
				_ = out
			}
		}
	}
	t.Logf("mix: %v", mix)
	for _, word := range []string{"asks", "denied", "fails", "works"} {
		if mix[word] < 20 {
			t.Errorf("only %d calls of which it %s", mix[word], word)
		}
	}
}

// A call whose tool is gated by interrupt_on would ask, too; and a call that is
// made after a dry run is made in earnest.
func TestDryRunOfAGatedTool(t *testing.T) {
	asks := always(yes, nil)
	g, base := guard(t, "version: 1\npaths: [{slug: root, path: ws, allowed_permission: all}]\ninterrupt_on: {delete: true}\n", paddock.Options{Approver: asks})
	put(t, base+"/ws/a", "text")
	c := g.Begin("delete", nil)
	remove := func() error {
		_, err := c.Delete(context.Background(), "/a", paddock.DeleteOptions{})
		return err
	}
	plan, err := c.DryRun(remove)
	if err != nil || !plan.Ask || plan.Because[0].Line != 3 || plan.Objects != 1 || len(asks.requests) != 0 {
		t.Errorf("%+v, %v, asked %d times", plan, err, len(asks.requests))
	}
	if err := remove(); err != nil || len(asks.requests) != 1 {
		t.Errorf("in earnest: %v, asked %d times", err, len(asks.requests))
	}
	c.End(nil)
	if _, err := os.Stat(base + "/ws/a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
