package command

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestAgainstBash runs generated lines in the real bash and looks whether a
// program named zap ran. Whenever it did, a list that allows other commands must
// not have allowed the line, and a list that denies zap must have denied it if
// the line shows that zap runs. Decoys must pass both.
func TestAgainstBash(t *testing.T) {
	const seed, lines = 20261130, 1500
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("SKIP: this test compares with bash, which is not installed: %v", err)
	}
	allow, err := New(Lists{Allowed: harmless()})
	if err != nil {
		t.Fatal(err)
	}
	deny, err := New(Lists{Denied: []string{"zap*"}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(seed))
	samples := every(r)
	for len(samples) < lines {
		s := generate(r)
		s.line = fill(r, s.line)
		if r.Intn(4) == 0 {
			s = sample{line: soup(r), seen: true}
		}
		samples = append(samples, s)
	}
	results := runAll(t, bash, samples)

	// The control is a judge with a fault: it looks at whole lines only.
	missed := 0
	var ran, seen, hidden, hiddenDenied, decoys, decoysOK, undecided int
	for i, s := range samples {
		a, _ := allow.Line(s.line)
		d, _ := deny.Line(s.line)
		switch results[i] {
		case notRun:
			undecided++
			continue
		case zapRan:
			ran++
			if deny.judge([]part{whole(s.line)}, s.line).Outcome != Deny {
				missed++
			}
			if s.decoy {
				t.Errorf("the generator's decoy runs zap: %v", s)
			}
			if a.Outcome == Allow {
				t.Errorf("bash ran zap, a list of other commands allowed it: %v", s)
			}
			if s.seen {
				seen++
				if d.Outcome != Deny {
					t.Errorf("bash ran zap, a list that denies zap did not: %v", s)
				}
			} else if hidden++; d.Outcome == Deny {
				hiddenDenied++
			}
		}
		if s.decoy {
			decoys++
			if a.Outcome == Allow && d.Outcome == Allow {
				decoysOK++
			} else {
				t.Errorf("a decoy is blocked: %v: allow list %+v, deny list %+v", s, a, d)
			}
		}
	}
	t.Logf("seed %d: %d lines, %d not decided for lack of time; zap ran in %d: %d in the open (all denied), %d hidden (%d denied all the same); %d decoys, %d passed both lists",
		seed, len(samples), undecided, ran, seen, hidden, hiddenDenied, decoys, decoysOK)
	if missed*2 < ran {
		t.Errorf("a judge that looks at whole lines only is wrong in %d of %d lines; this test would not notice much", missed, ran)
	}
	if decided := len(samples) - undecided; decided >= 300 && (ran*100 < decided*50 || decoys*100 < decided*8) {
		t.Errorf("the mix is too thin: zap ran in %d of %d lines, %d decoys", ran, decided, decoys)
	}
}

// every has each production and decoy once by itself, so that none is missed by
// chance.
func every(r *rand.Rand) []sample {
	var out []sample
	for _, list := range [][]production{zapDirect, zapInside, zapText, zapPath} {
		for _, p := range list {
			line := p.text
			if !strings.Contains(line, "ZAP") {
				line = strings.ReplaceAll(line, "Z", "zap")
			}
			out = append(out, sample{line: fill(r, line), seen: p.seen})
		}
	}
	for _, d := range zapDecoys {
		out = append(out, sample{line: fill(r, d), decoy: true})
	}
	return out
}

// harmless lists commands that start no other by themselves, as long as they
// stand for what they seem to.
func harmless() []string {
	return []string{
		"re:^echo( |$)", "re:^true( |$)", "re:^false$", "re:^:( |$)", "re:^cat( |$)", "cat *", "printf *", "test *", "[[] *", "cd *", "read *", "export *", "declare *", "readonly *",
		"set *", "unset *", "mapfile *", "re:^wait( |$)", "find *", "sed *", "awk *", "sort *", "grep *", "let *", "re:^break$", "re:^ls( |$)", "sleep *", "re:^[fg]( |$)",
		"re:^shift$", "compgen *", "type *", "local *", "tr *", "re:^rev$", "base64 *", "cp *", "ln *",
	}
}

type result byte

const (
	notRun result = iota
	zapQuiet
	zapRan
)

// runAll runs the samples, six at a time. A line that hangs is killed and tried
// once more with a longer limit. What is not reached in the time of the test is
// left as notRun and reported, never taken for a pass.
func runAll(t *testing.T, bash string, samples []sample) []result {
	t.Helper()
	root := t.TempDir()
	results := make([]result, len(samples))
	stop := time.Now().Add(7 * time.Second)
	var next atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(samples) || time.Now().After(stop) {
					return
				}
				dir := filepath.Join(root, fmt.Sprint(i))
				for _, limit := range []time.Duration{2 * time.Second, 4 * time.Second} {
					done, err := runLine(bash, dir, samples[i].line, limit)
					if err != nil {
						t.Errorf("%v: %v", samples[i], err)
						return
					}
					if done {
						results[i] = zapQuiet
						break
					}
					t.Logf("killed after %v: %v", limit, samples[i])
				}
			}
		}()
	}
	group.Wait()
	// Late children of the last lines may still be about to run zap.
	time.Sleep(100 * time.Millisecond)
	for i := range results {
		if _, err := os.Stat(filepath.Join(root, fmt.Sprint(i), "mark")); err == nil {
			results[i] = zapRan
		}
	}
	return results
}

// runLine runs one line in a folder of its own, whose bin/zap leaves a mark.
func runLine(bash, dir, line string, limit time.Duration) (done bool, err error) {
	work := filepath.Join(dir, "work")
	if err := os.MkdirAll(filepath.Join(work, "bin"), 0o755); err != nil {
		return false, err
	}
	zap := "#!/bin/sh\n: >'" + dir + "/mark'\n"
	if err := os.WriteFile(filepath.Join(work, "bin", "zap"), []byte(zap), 0o755); err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(work, "f"), []byte("b 9\na 1\n"), 0o644); err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(work, "q"), []byte("-exec zap ;\n"), 0o644); err != nil {
		return false, err
	}
	for _, folder := range []string{"evil", "1"} { // an ls of the agent's own
		if !strings.Contains(line, "evil") && !strings.Contains(line, "PATH") {
			break
		}
		if err := os.MkdirAll(filepath.Join(work, folder), 0o755); err != nil {
			return false, err
		}
		if err := os.WriteFile(filepath.Join(work, folder, "ls"), []byte(zap), 0o755); err != nil {
			return false, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "--noprofile", "--norc", "-c", line)
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + filepath.Join(work, "bin") + ":/usr/bin:/bin", "HOME=" + work, "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err = cmd.Run()
	if ctx.Err() != nil {
		return false, nil
	}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return true, nil
}

// TestGeneratorIsFinite holds that no generated line can run for ever by
// itself, whatever order things are picked in.
func TestGeneratorIsFinite(t *testing.T) {
	for _, context := range zapAround {
		if strings.Contains(context, "while true") && !strings.Contains(context, "break") {
			t.Errorf("%q never ends", context)
		}
	}
	if slices.ContainsFunc(zapText, func(p production) bool { return strings.Contains(p.text, ":()") }) {
		t.Error("a fork bomb is among the productions")
	}
}
