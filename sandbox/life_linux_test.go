//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"paddock/internal/testenv"
	"paddock/policy"
	"paddock/sandbox"
)

// openWorld has one entry with all rights.
func openWorld(t *testing.T, l policy.Limits) *world {
	t.Helper()
	return newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{{Slug: "root", Path: t.TempDir(), AllowedPermission: perm(policy.All)}}, Limits: l})
}

// start starts a command; the caller waits.
func (w *world) start(ctx context.Context, c sandbox.Command) *sandbox.Process {
	w.t.Helper()
	p, err := w.plan.Start(ctx, c)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// waitFor waits until something is so; the test's own time limit is the bound.
func waitFor(what func() bool) {
	for !what() {
		time.Sleep(5 * time.Millisecond)
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func TestEndings(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector needs more memory than the limits here leave; run it without")
	}
	both(t, func(t *testing.T) {
		w := openWorld(t, policy.Limits{Memory: 150 << 20, Processes: 30})
		for _, c := range []struct {
			name, line string
			want       sandbox.Result
		}{
			{"code", "exit 42", sandbox.Result{ExitCode: 42}},
			{"signal", "kill -TERM $$", sandbox.Result{ExitCode: 143, Signal: 15}},
			{"background", "sleep 100 & exit 3", sandbox.Result{ExitCode: 3}},
			{"memory", "for i in 1 2 3 4; do perl -e '$x = \"a\" x (45<<20); sleep 60' & done; wait", sandbox.Result{ExitCode: 137, Signal: 9, Killed: "memory"}},
		} {
			if _, got := w.run(c.line); got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		}
		if err := copyFile("/proc/self/exe", w.root+"/self"); err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{"hold-shared", "hold-memfd", "hold-segment"} {
			if out, got := w.run("./self attack " + way); got.Killed != "memory" {
				t.Errorf("%s: %+v, %s", way, got, out)
			}
		}
		tight := openWorld(t, policy.Limits{Memory: 8 << 20})
		if out, got := tight.run("echo fits"); out != "fits\n" {
			t.Errorf("with little memory: %+v, %s", got, out)
		}
		most := 30 + 16
		if testenv.IsRoot() {
			most = 30 + 300 // until each number was used once
		}
		out, _ := w.run("i=0; while [ $i -lt 400 ]; do sleep 20 & i=$((i+1)); done 2>/dev/null & sleep 0.3; while [ $(ls -d /proc/[0-9]* | wc -l) -lt 20 ]; do sleep 0.1; done; ls -d /proc/[0-9]* | wc -l")
		if n, err := strconv.Atoi(strings.TrimSpace(out)); err == nil && n > most {
			t.Errorf("%d processes, with a limit of 30", n)
		}
		p := w.start(context.Background(), sandbox.Command{Line: "echo before; trap '' TERM INT; setsid sleep 100 & sleep 100", Timeout: 300 * time.Millisecond})
		if r, err := p.Wait(); err != nil || !r.TimedOut || r.Killed != "timeout" || r.ExitCode != 137 {
			t.Errorf("time up: %+v, %v", r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		p = w.start(ctx, sandbox.Command{Line: "sleep 100; touch MARK"})
		cancel()
		if r, err := p.Wait(); err != nil || r.Killed != "cancelled" || exists(w.root+"/MARK") {
			t.Errorf("cancelled: %+v, %v", r, err)
		}
		p = w.start(context.Background(), sandbox.Command{Line: "trap 'touch got; exit 9' USR1; touch ready; while :; do sleep 0.01; done"})
		waitFor(func() bool { return exists(w.root + "/ready") })
		p.Signal(syscall.SIGUSR1)
		if r, err := p.Wait(); err != nil || r.ExitCode != 9 || !exists(w.root+"/got") {
			t.Errorf("a signal: %+v, %v", r, err)
		}
	})
}

func TestOutput(t *testing.T) {
	w := openWorld(t, policy.Limits{})
	out, _ := w.run("i=0; while [ $i -lt 200 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done")
	lines := strings.Fields(out)
	for i := 0; i+1 < len(lines); i += 2 {
		if lines[i][1:] != lines[i+1][1:] || lines[i][0] != 'o' {
			t.Fatalf("out of order at %d: %v", i, lines[i:i+2])
		}
	}
	if len(lines) != 400 {
		t.Errorf("%d lines of 400", len(lines))
	}
	var small, other bytes.Buffer
	p := w.start(context.Background(), sandbox.Command{Line: "head -c 30000000 /dev/zero; echo done >&2", Stdout: &small, Stderr: &other, MaxOutput: 1000})
	if r, err := p.Wait(); err != nil || !r.Truncated || small.Len() != 1000 || other.String() != "done\n" || r.ExitCode != 0 {
		t.Errorf("bounded: %+v, %v, %d bytes, %q", r, err, small.Len(), &other)
	}
	p = w.start(context.Background(), sandbox.Command{Line: "printf kept; sleep 100", Stdout: &other, Timeout: 3 * time.Second})
	if r, _ := p.Wait(); !r.TimedOut || !strings.HasSuffix(other.String(), "kept") {
		t.Errorf("what came before the time was up is lost: %+v %q", r, &other)
	}
	var echoed bytes.Buffer
	big := strings.Repeat("0123456789", 100_000)
	p = w.start(context.Background(), sandbox.Command{Argv: []string{"cat"}, Stdin: strings.NewReader(big), Stdout: &echoed})
	if _, err := p.Wait(); err != nil || echoed.String() != big {
		t.Errorf("the input came back as %d bytes of %d, %v", echoed.Len(), len(big), err)
	}
	p = w.start(context.Background(), sandbox.Command{Argv: []string{"yes"}, Stdout: brokenWriter{}})
	if r, err := p.Wait(); !errors.Is(err, errBroken) || r.Signal != int(syscall.SIGPIPE) {
		t.Errorf("nobody reads: %+v, %v", r, err)
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestNoCommand(t *testing.T) {
	w := openWorld(t, policy.Limits{})
	if err := os.WriteFile(w.root+"/plain", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"no-such-program": 127, "./missing": 127, "./plain": 126, "/": 126,
		// The stages' own program, which lies outside: to write to it or run it
		// once more would be a way out.
		"/proc/self/exe": 126} {
		var exit *sandbox.ExitError
		_, err := w.plan.Start(context.Background(), sandbox.Command{Argv: []string{name}})
		if !errors.As(err, &exit) || exit.Code != want {
			t.Errorf("%s: %v, want code %d", name, err, want)
		}
	}
	for _, c := range []sandbox.Command{
		{}, {Argv: []string{""}}, {Argv: []string{"true"}, Env: map[string]string{"LD_PRELOAD": "x"}},
		{Argv: []string{"true"}, Env: map[string]string{"BASH_ENV": "x"}}, {Argv: []string{"true"}, Env: map[string]string{"A=B": "x"}},
		{Argv: []string{"true\x00"}}, {Argv: []string{"true"}, Dir: w.root + "/missing"},
	} {
		if p, err := w.plan.Start(context.Background(), c); err == nil {
			p.Wait()
			t.Errorf("%+v started", c)
		}
	}
	bad := planOf(t, "paths:\n  - {slug: root, path: /w, allowed_permission: write}\n", sandbox.Look(), policy.Own{})
	var refused *sandbox.Refused
	if _, err := bad.Start(context.Background(), sandbox.Command{Argv: []string{"true"}}); !errors.As(err, &refused) {
		t.Errorf("a plan that cannot be held: %v", err)
	}
}

func TestReport(t *testing.T) {
	both(t, func(t *testing.T) {
		w := openWorld(t, policy.Limits{})
		p := w.start(context.Background(), sandbox.Command{Argv: []string{"true"}})
		r := p.Report()
		p.Wait()
		if r.Landlock < 1 || !r.NoNewPrivs || !r.Seccomp || strings.Trim(r.Capabilities, "0") != "" || r.UID != os.Getuid() || len(r.Namespaces) != 7 {
			t.Errorf("%+v", r)
		}
		if pr := sandbox.Try(context.Background()); pr.Namespaces != "" {
			t.Errorf("a sandbox can be made, and the probe says %q", pr.Namespaces)
		}
	})
}

// A root that does the work of somebody else leaves that one's files.
func TestRunsAsTheOwner(t *testing.T) {
	if !testenv.IsRoot() {
		t.Skip("only root can become the owner")
	}
	// The folder's parents are closed to the owner: the command gets there
	// because the entry is shown to it, and nothing else.
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, 1234, 1234); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{{Slug: "root", Path: dir, AllowedPermission: perm(policy.All)}}})
	out, r := w.run("id -u; id -G; echo x >made; touch $HOME/x $TMPDIR/y && echo own; kill -9 1; kill -0 1 && echo reached; cat /proc/1/environ && echo reached; ls /proc/1/root && echo reached; cat /proc/1/mem && echo reached; setpriv --reuid 0 true && echo reached; true")
	if !strings.HasPrefix(out, "1234\n1234\nown\n") || strings.Contains(out, "reached") || r.ExitCode != 0 {
		t.Errorf("%s%+v", out, r)
	}
	info, err := os.Stat(dir + "/made")
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != 1234 {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// TestParentKilled kills the program that started a sandbox.
func TestParentKilled(t *testing.T) {
	both(t, func(t *testing.T) {
		dir := t.TempDir()
		for _, after := range []time.Duration{0, 2, 5, 10, 20, 50} {
			parent := exec.Command("/proc/self/exe", "parent", dir)
			mark := "MARK=" + dir
			parent.Env = append(os.Environ(), mark)
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			if after == 50 {
				waitFor(func() bool { return exists(dir + "/running") })
			}
			time.Sleep(after * time.Millisecond)
			parent.Process.Kill()
			parent.Wait()
			waitFor(func() bool { return len(marked(mark)) == 0 })
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("left in the folder: %v, %v", entries, err)
		}
	})
}

// marked finds processes by a variable that they have.
func marked(mark string) []string {
	var found []string
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		if env, err := os.ReadFile(name); err == nil && strings.Contains(string(env), mark+"\x00") {
			found = append(found, name)
		}
	}
	return found
}

// parentMain is the program that TestParentKilled kills.
func parentMain(dir string) int {
	c := &policy.SecurityContext{Paths: []policy.PathEntry{{Slug: "root", Path: dir, AllowedPermission: perm(policy.All)}}}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: dir}}})
	if err != nil {
		return 1
	}
	plan := sandbox.NewPlan(p, sandbox.Look(), policy.Own{})
	run, err := plan.Start(context.Background(), sandbox.Command{Line: "touch running; setsid sleep 200 & sleep 200", Env: map[string]string{"MARK": dir}})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	run.Wait()
	return 0
}

// What was open in the program that starts a sandbox, for whatever reason, is
// not open inside.
func TestNothingIsInherited(t *testing.T) {
	both(t, func(t *testing.T) {
		w := openWorld(t, policy.Limits{})
		fd, err := syscall.Open("/etc/hostname", syscall.O_RDONLY, 0) // no O_CLOEXEC
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
		if out, _ := w.run("ls /proc/self/fd"); out != "0\n1\n2\n3\n" {
			t.Errorf("open inside: %s", out)
		}
		control, err := exec.Command("ls", "/proc/self/fd").Output()
		if err != nil || !strings.Contains(string(control), "\n"+strconv.Itoa(fd)+"\n") {
			t.Errorf("an ordinary child does not have it either: %s, %v", control, err)
		}
	})
}

// A sandbox cannot be made where namespaces are refused, as inside another:
// the start fails and says why, and nothing runs.
func TestInsideAnother(t *testing.T) {
	both(t, func(t *testing.T) {
		w := openWorld(t, policy.Limits{})
		if err := copyFile("/proc/self/exe", w.root+"/self"); err != nil {
			t.Fatal(err)
		}
		out, r := w.run("./self parent $PWD; ls running")
		if !strings.Contains(out, "namespaces cannot be made") || !strings.Contains(out, "user.max_user_namespaces") || exists(w.root+"/running") {
			t.Errorf("%+v\n%s", r, out)
		}
	})
}
