// Package conformance tries paddock's MCP servers with programs that others
// wrote: the protocol's public conformance suite, in its stable and its next
// version, and the command line of the inspector. scripts/conformance installs
// them and runs this; without them only the list of expectations is checked.
package conformance

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// programsVariable names a folder with node_modules, the node to run them
// with, and the paddock to try.
const programsVariable = "PADDOCK_CONFORMANCE"

// programs are what others wrote, and the paddock under test.
type programs struct{ folder, node, paddock string }

func installed(t *testing.T) programs {
	t.Helper()
	folder := os.Getenv(programsVariable)
	if folder == "" {
		t.Skip("it takes programs from npm: run scripts/conformance")
	}
	return programs{folder, filepath.Join(folder, "node"), filepath.Join(folder, "paddock")}
}

// command is a program of node_modules that must end within a minute or two.
func (p programs) command(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, p.node, append([]string{filepath.Join(p.folder, "node_modules", program)}, args...)...)
	cmd.Dir = t.TempDir()
	// No program of theirs shall find, or leave, anything at home.
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir)
	return cmd
}

// run is one go of the suite: a version of it, told which version of the
// protocol to speak if it can be told.
type run struct{ name, suite, version string }

var runs = []run{
	{"stable", "@modelcontextprotocol/conformance", ""},
	{"2025-06-18", "conformance-next", "2025-06-18"},
	{"2025-11-25", "conformance-next", "2025-11-25"},
	{"2026-07-28", "conformance-next", "2026-07-28"},
}

// outcome is what the suite found in one scenario.
type outcome struct {
	passed int // checks of the scenario's own
	failed []string
}

// good tells that something was checked and nothing failed but what may.
func (o outcome) good(except []string) bool {
	for _, id := range o.failed {
		if !contains(except, id) {
			return false
		}
	}
	return o.passed > 0
}

// scenarios runs the whole suite against a server.
func (p programs) scenarios(t *testing.T, r run, url string) map[string]outcome {
	t.Helper()
	results := t.TempDir()
	args := []string{"server", "--url", url, "--suite", "all", "--output-dir", results}
	if r.version != "" {
		args = append(args, "--spec-version", r.version)
	}
	// It ends with 1 when a scenario failed; which did is in its files.
	text, err := p.command(t, r.suite+"/dist/index.js", args...).CombinedOutput()
	folders, _ := filepath.Glob(filepath.Join(results, "server-*", "checks.json"))
	if len(folders) == 0 {
		t.Fatalf("%s: the suite left no results: %v\n%s", r.name, err, text)
	}
	found := map[string]outcome{}
	for _, file := range folders {
		var checks []struct{ ID, Status string }
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &checks)
		}
		if err != nil {
			t.Fatal(err)
		}
		var o outcome
		for _, c := range checks {
			switch {
			case c.Status == "FAILURE":
				o.failed = append(o.failed, c.ID)
			case c.Status == "SUCCESS" && c.ID != "wire-schema-valid": // which each scenario has
				o.passed++
			}
		}
		found[scenarioOf(filepath.Base(filepath.Dir(file)))] = o
	}
	return found
}

// scenarioOf takes the time off the name of a folder of results:
// server-ping-2026-11-30T22-25-38-533Z is of ping.
func scenarioOf(folder string) string {
	name := strings.TrimPrefix(folder, "server-")
	const stamp = len("-2026-11-30T22-25-38-533Z")
	return name[:max(0, len(name)-stamp)]
}

// Each scenario does what expected.txt says, and each is in there.
func TestSuite(t *testing.T) {
	p := installed(t)
	list, err := readExpected("expected.txt")
	if err != nil {
		t.Fatal(err)
	}
	urls := map[string]string{"paddock": p.serve(t).url, "fixture": serveFixture(t)}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			seen := map[string]bool{}
			passed, total := 0, 0
			for server, url := range urls {
				for scenario, o := range p.scenarios(t, r, url) {
					want, known := list.find(r.name, scenario)
					seen[scenario] = true
					good := o.good(want.except)
					switch {
					case !known:
						t.Errorf("the scenario %s is not in expected.txt; %s: %+v", scenario, server, o)
					case want.server == server && !good:
						t.Errorf("%s fails at %s: %+v", scenario, server, o)
					case want.server == "none" && good:
						t.Errorf("%s passes at %s, although %q", scenario, server, want.reason)
					}
					if server == "paddock" {
						total++
					}
					if want.server == server && good {
						passed++
					}
				}
			}
			for _, scenario := range list.of(r.name) {
				if !seen[scenario] {
					t.Errorf("%s is in expected.txt and not in the suite", scenario)
				}
			}
			t.Logf("%d of %d scenarios apply and pass", passed, total)
		})
	}
}
