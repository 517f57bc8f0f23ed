//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"paddock/internal/testenv"
	"paddock/policy"
	"paddock/sandbox"
)

// world is a policy on real folders, ready to run commands.
type world struct {
	t    *testing.T
	p    *policy.Policy
	plan *sandbox.Plan
	root string
}

func perm(p policy.Permission) *policy.Permission { return &p }

// newWorld makes a plan for entries at real folders; the first is the root.
func newWorld(t *testing.T, c *policy.SecurityContext) *world {
	t.Helper()
	var places []policy.Place
	for _, e := range c.Paths {
		info, err := os.Stat(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, policy.Place{Real: e.Path, File: !info.IsDir()})
	}
	p, err := policy.Compile(c, policy.Facts{Places: places})
	if err != nil {
		t.Fatal(err)
	}
	return &world{t, p, sandbox.NewPlan(p, sandbox.Look(), policy.Own{}), c.Paths[0].Path}
}

// run runs a line and gives its output, both streams together.
func (w *world) run(line string) (string, sandbox.Result) {
	w.t.Helper()
	var out bytes.Buffer
	p, err := w.plan.Start(context.Background(), sandbox.Command{Line: line, Stdout: &out, Stderr: &out})
	if err != nil {
		w.t.Fatalf("start: %v", err)
	}
	r, err := p.Wait()
	if err != nil {
		w.t.Fatalf("wait: %v", err)
	}
	return out.String(), r
}

// both runs a test as root, if we are root, and as an ordinary user.
func both(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if testenv.IsRoot() {
		t.Run("root", test)
	}
	t.Run("user", func(t *testing.T) {
		if testenv.AsNobody(t) {
			test(t)
		}
	})
}

func TestCommandRunsLockedIn(t *testing.T) {
	both(t, func(t *testing.T) {
		w := newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{{Slug: "root", Path: t.TempDir(), AllowedPermission: perm(policy.All)}}})
		out, r := w.run("echo in > made && cat made; pwd; cat <&0; echo err >&2; exit 3")
		if want := "in\n" + w.root + "\nerr\n"; out != want || r.ExitCode != 3 {
			t.Errorf("got %q, exit %d; want %q, exit 3", out, r.ExitCode, want)
		}
		if b, err := os.ReadFile(w.root + "/made"); err != nil || string(b) != "in\n" {
			t.Errorf("the file outside: %q, %v", b, err)
		}
	})
}
