//go:build amd64 || arm64

package sandbox_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// checks tell what the words of each case mean here. A case that needs patterns
// is a plan that must not start, see refusedCases.
var checks = map[string]func(t *testing.T, s *stand){
	"KS-08": func(t *testing.T, s *stand) { s.all(t, 0) },
	"KS-10": func(t *testing.T, s *stand) {
		s.all(t, 0)
		if out, err := exec.Command("git", "-c", "safe.directory=*", "-C", s.p, "log", "--oneline").Output(); err != nil || !strings.Contains(string(out), " x") {
			t.Errorf("the commit, seen from outside: %s, %v", out, err)
		}
	},
	"KS-15": func(t *testing.T, s *stand) {
		if strings.Contains(s.outputs[0], "shadow") || strings.Count(s.outputs[0], " -> ") != 4 {
			t.Errorf("%s", s.outputs[0])
		}
	},
	"KS-18": func(t *testing.T, s *stand) {
		for _, path := range []string{"/pwn.txt", s.o + "/pwn.txt"} {
			if exists(path) {
				t.Errorf("%s was made", path)
			}
		}
	},
	"KS-20": func(t *testing.T, s *stand) {
		info, err := os.Stat(s.r + "/a.txt")
		if b, _ := os.ReadFile(s.r + "/a.txt"); err != nil || string(b) != "keep\n" || info.Mode().Perm() == 0o777 || info.ModTime().Unix() == 0 {
			t.Errorf("%q %v", b, info)
		}
	},
	"KS-21": func(t *testing.T, s *stand) {
		if s.results[0].ExitCode != 126 {
			t.Errorf("%+v %s", s.results[0], s.outputs[0])
		}
	},
	// A move is a delete of the old name: without that right it is refused, in
	// the tools as well.
	"KS-23": func(t *testing.T, s *stand) {
		if b, _ := os.ReadFile(s.p + "/a.txt"); string(b) != "old\n" || s.results[0].ExitCode == 0 {
			t.Errorf("%q %+v", b, s.results[0])
		}
	},
	"KS-30": func(t *testing.T, s *stand) {
		if n := s.reached.Load(); n > 0 || s.results[0].ExitCode == 0 || s.results[1].ExitCode == 0 || s.results[2].ExitCode == 0 {
			t.Errorf("%d connections, %+v", n, s.results)
		}
	},
	"KS-31": func(t *testing.T, s *stand) {
		if exists(s.o + "/new.txt") {
			t.Error("it was made")
		}
	},
	"PR-01": func(t *testing.T, s *stand) {
		if s.outputs[0] != "ok\n" || s.results[0].ExitCode != 0 || s.results[0].TimedOut {
			t.Errorf("%q %+v", s.outputs[0], s.results[0])
		}
	},
	"PR-03": timedOut, "PR-05": timedOut,
	"PR-06": func(t *testing.T, s *stand) {
		if s.outputs[1] != "got:\n" || s.results[0].ExitCode != 0 || s.results[2].ExitCode != 1 {
			t.Errorf("%q %+v", s.outputs, s.results)
		}
	},
	"PR-08": func(t *testing.T, s *stand) {
		for i, r := range s.results {
			if !r.Truncated || len(s.outputs[i]) != maxCaseOutput {
				t.Errorf("%d bytes, %+v", len(s.outputs[i]), r)
			}
		}
	},
	"PR-10": func(t *testing.T, s *stand) { s.all(t, 0) },
	"PR-13": func(t *testing.T, s *stand) {
		if s.outputs[0] != "\377\376ok" || s.outputs[1] != "\033]0;title\007\033[2Jx" {
			t.Errorf("%q", s.outputs)
		}
	},
	"PR-15": func(t *testing.T, s *stand) {
		if s.results[0].ExitCode == 0 {
			t.Errorf("%+v", s.results[0])
		}
	},
	"PR-18": func(t *testing.T, s *stand) {
		if s.outputs[1] != s.p+"\n[]\n" {
			t.Errorf("%q", s.outputs[1])
		}
	},
	"ES-01": noCanary, "ES-06": noCanary,
	"ES-05": func(t *testing.T, s *stand) {
		if exists(s.p+"/MARK") || s.outputs[0] != "ls\n" {
			t.Errorf("%q", s.outputs[0])
		}
	},
}

// elsewhere are cases that tests of their own cover.
var elsewhere = map[string]string{
	"KS-11": "about what Paddock itself runs outside: it runs nothing there",
	"KS-13": "escapes kill-outside and unix-abstract", "KS-16": "TestPlanLacks", "PR-11": "about the arguments of a tool",
	"PR-16": "TestEndings", "ES-03": "a secret that is set is in the environment only; arguments are the caller's", "ES-08": "about approvals and the audit",
}

// refusedCases need what the kernel cannot hold file by file yet: the plan must
// say so and start nothing.
var refusedCases = []string{"KS-01", "KS-03", "KS-05", "KS-06", "KS-25", "KS-26", "KS-28"}

func timedOut(t *testing.T, s *stand) {
	if r := s.results[0]; !r.TimedOut {
		t.Errorf("%+v", r)
	}
}

func noCanary(t *testing.T, s *stand) {
	if strings.Contains(strings.Join(s.outputs, ""), "CANARY") {
		t.Errorf("%q", s.outputs)
	}
}

func (s *stand) all(t *testing.T, code int) {
	t.Helper()
	for i, r := range s.results {
		if r.ExitCode != code {
			t.Fatalf("%+v: %s", r, s.outputs[i])
		}
	}
}
