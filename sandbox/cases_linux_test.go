//go:build amd64 || arm64

package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paddock/policy"
	"paddock/sandbox"
)

// bugCase is a case of testdata/cases that is about processes.
type bugCase struct {
	ID, Kind, Policy string
	Input            struct {
		Setup []struct {
			File, Text, Mode, Dir, Symlink, To string
			GitRepo                            string `json:"git_repo"`
		}
		Calls []struct {
			Tool   string
			Args   struct{ Command, Cwd string }
			Repeat int
		}
	}
}

// stand is where a case happens: P, H, O and R are its folders, as the cases
// name them, and results are of its calls.
type stand struct {
	*world
	p, h, o, r string
	outputs    []string
	results    []sandbox.Result
	port       int
	reached    atomic.Int64
}

const maxCaseOutput = 100 << 10

func TestBugCases(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes: left to the run without -short")
	}
	both(t, func(t *testing.T) {
		os.Setenv("API_KEY", "CANARY-1")
		f, err := os.Open("../testdata/cases/bug-cases.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ran, refused, others := 0, 0, 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var head struct{ ID, Kind string }
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
				t.Fatal(err)
			}
			if head.Kind != "kernel-sandbox" && head.Kind != "process" && head.Kind != "env-secret" {
				continue
			}
			check := checks[head.ID]
			switch {
			case check != nil:
				var c bugCase
				if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
					t.Fatalf("%s: %v", head.ID, err)
				}
				t.Run(c.ID, func(t *testing.T) { check(t, c.run(t)) })
				ran++
			case strings.Contains(strings.Join(refusedCases, " "), head.ID):
				refused++ // TestPlanTiers: patterns, own files
			case elsewhere[head.ID] != "":
				others++
			default:
				t.Errorf("case %s is neither run nor told why not", head.ID)
			}
		}
		t.Logf("%d cases run, %d need what is refused (see TestPlanTiers), %d covered elsewhere", ran, refused, others)
	})
}

func (c *bugCase) run(t *testing.T) *stand {
	t.Helper()
	base := folders(t, "p", "h", "o", "r")
	s := &stand{p: base + "/p", h: base + "/h", o: base + "/o", r: base + "/r"}
	s.listen(t)
	c.prepare(t, s)
	rights := policy.All
	if strings.Contains(c.Policy, "perms: rw}") {
		rights = policy.Read | policy.Write
	}
	l := policy.Limits{}
	if strings.Contains(c.Policy, "pids: 64") {
		l = policy.Limits{Memory: 256 << 20, Processes: 64}
	}
	s.world = newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{entry("root", s.p, rights), entry("ref", s.r, policy.Read)}, Limits: l})
	dirs := map[string]string{"": s.p, "/proj": s.p, "/ref": s.r, "$O": s.o}
	for _, call := range c.Input.Calls {
		dir, known := dirs[call.Args.Cwd]
		if !known {
			dir = call.Args.Cwd
		}
		if call.Tool != "shell" && call.Repeat == 0 {
			continue
		}
		line := call.Args.Command
		if call.Repeat > 0 {
			line = strings.Repeat("(true &) ; (true &)\n", call.Repeat)
		}
		s.call(t, s.vars(line), dir)
	}
	return s
}

func (s *stand) vars(text string) string {
	return strings.NewReplacer("$PORT", strconv.Itoa(s.port), "$P", s.p, "$H", s.h, "$O", s.o, "$R", s.r).Replace(text)
}

func (s *stand) call(t *testing.T, line, dir string) {
	t.Helper()
	// A tenth of the output shows the same: it is far above the bound.
	line = strings.ReplaceAll(line, "300000000", "30000000")
	// The time is for those that would never end; no case is about how long.
	timeout := 20 * time.Second
	if strings.Contains(line, "sleep 300 |") || strings.HasSuffix(line, "; sleep 300") || strings.Contains(line, "; wait") {
		timeout = 300 * time.Millisecond
	}
	var out bytes.Buffer
	p, err := s.plan.Start(context.Background(), sandbox.Command{Line: line, Dir: dir, Stdout: &out, Stderr: &out, Timeout: timeout, MaxOutput: maxCaseOutput,
		Env: map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	s.outputs, s.results = append(s.outputs, out.String()), append(s.results, r)
}

func (c *bugCase) prepare(t *testing.T, s *stand) {
	t.Helper()
	for _, step := range c.Input.Setup {
		var err error
		switch {
		case step.File != "":
			mode := os.FileMode(0o644)
			if step.Mode != "" {
				mode = 0o755
			}
			err = os.WriteFile(s.vars(step.File), []byte(step.Text), mode)
		case step.Dir != "":
			err = os.MkdirAll(s.vars(step.Dir), 0o755)
		case step.Symlink != "":
			err = os.Symlink(step.To, s.vars(step.Symlink))
		case step.GitRepo != "":
			if err = exec.Command("git", "init", "-q", s.vars(step.GitRepo)).Run(); err == nil {
				err = os.WriteFile(filepath.Join(s.vars(step.GitRepo), "dirty.txt"), []byte("x\n"), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (s *stand) listen(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s.port = l.Addr().(*net.TCPAddr).Port
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.reached.Add(1)
			c.Close()
		}
	}()
}
