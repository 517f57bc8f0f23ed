//go:build amd64 || arm64

package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paddock/internal/testenv"
	"paddock/policy"
	"paddock/sandbox"
)

// escape is one line of testdata/escapes; its README tells the keys.
type escape struct {
	Name, About, Script, Control, Harmless, Only, Works string
	Test                                                int
}

func readEscapes(t *testing.T) []escape {
	t.Helper()
	files, err := filepath.Glob("../testdata/escapes/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no escapes: %v", err)
	}
	var all []escape
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var e escape
			in := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			in.DisallowUnknownFields()
			if err := in.Decode(&e); err != nil {
				t.Fatalf("%s: %v: %s", name, err, lines.Text())
			}
			all = append(all, e)
		}
	}
	return all
}

// TestEscapes runs every attempt in a sandbox, where nothing may come of it,
// and outside, where it must work: a refusal means something only then.
func TestEscapes(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("many processes with tight limits: left to the run without -short and the race detector")
	}
	all := readEscapes(t)
	both(t, func(t *testing.T) {
		who := "user"
		if testenv.IsRoot() {
			who = "root"
		}
		self := filepath.Join(t.TempDir(), "self")
		if err := copyFile("/proc/self/exe", self); err != nil {
			t.Fatal(err)
		}
		controls, ran := 0, 0
		for _, e := range all {
			if e.Only != "" && e.Only != who {
				continue
			}
			t.Run(e.Name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, self)
				out := s.confined(e.Script)
				if found := s.breach(out); found != "" {
					t.Errorf("%s: %s\noutput:\n%s", e.About, found, out)
				}
				if n := strings.Count(e.Script, "$SELF attack"); strings.Count(out, "refused: ") < n {
					t.Errorf("of %d attacks not all said that they were refused:\n%s", n, out)
				}
				if !strings.Contains(out, e.Works) {
					t.Errorf("%q did not come out, so the script did not do its work:\n%s", e.Works, out)
				}
			})
			ran++
			// What works for an ordinary user works for root.
			if e.Harmless != "" || who == "root" && e.Only != "root" {
				continue
			}
			controls++
			t.Run(e.Name+"/control", func(t *testing.T) {
				t.Parallel()
				s := newScene(t, self)
				script := e.Control
				if script == "" {
					script = e.Script
				}
				out := s.outside(script)
				// A signal may take a moment to be seen.
				for range 200 {
					if s.breach(out) != "" {
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
				t.Errorf("nothing came of it outside either, so the attempt shows nothing:\n%s", out)
			})
		}
		t.Logf("%d attempts as %s, %d of them with a control", ran, who, controls)
	})
}

// confined runs a script in a sandbox.
func (s *scene) confined(script string) string {
	s.t.Helper()
	e := func(slug, dir string, rights policy.Permission) policy.PathEntry {
		return policy.PathEntry{Slug: slug, Path: dir, AllowedPermission: perm(rights)}
	}
	w := newWorld(s.t, &policy.SecurityContext{
		Paths: []policy.PathEntry{
			e("root", s.dir("ws"), policy.All), e("ref", s.dir("ref"), policy.Read), e("rw", s.dir("rw"), policy.Read|policy.Write),
		},
		Limits: policy.Limits{Memory: 200 << 20, Processes: 40},
	})
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p, err := w.plan.Start(ctx, sandbox.Command{Line: script, Env: s.vars(), Stdout: &out, Stderr: &out, MaxOutput: 1 << 20})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := p.Wait(); err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

// outside runs a script without a sandbox, and ends what it leaves.
func (s *scene) outside(script string) string {
	s.t.Helper()
	file, err := os.Create(s.dir("output"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", script)
	// A file and not a pipe: a process left behind must not hold the test.
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir("ws"), file, file
	cmd.Env = append(os.Environ(), "HOME="+s.dir("outside/home"), "TMPDIR="+s.dir("temp"), "API_TOKEN=CANARY")
	for name, value := range s.vars() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Run()
	out, err := os.ReadFile(s.dir("output"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(out)
}
