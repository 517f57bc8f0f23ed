//go:build amd64 || arm64

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// newRunBox has a policy whose one entry is a folder beside it.
func newRunBox(t *testing.T) *box {
	b := newBox(t)
	must(t, os.Mkdir(filepath.Join(b.dir, "work"), 0o755))
	b.file("paddock.yaml", "version: 1\npaths:\n  - {slug: root, path: ./work, allowed_permission: all}\n")
	return b
}

func (b *box) confined(args ...string) result {
	b.t.Helper()
	return b.run(append([]string{"--policy", "paddock.yaml", "run"}, args...)...)
}

func TestRun(t *testing.T) {
	b := newRunBox(t)
	b.file("secret", "CANARY")
	b.env = append(b.env, "API_TOKEN=CANARY")
	b.want(b.confined("--", "sh", "-c", "echo out; echo err >&2; exit 42"), 42, "out\n", "err\n")
	b.want(b.confined("--", "sh", "-c", "kill -9 $$"), 137, "", "")
	b.want(b.confined("--", "sh", "-c", "touch made; pwd"), 0, "/work\n", "")
	if _, err := os.Stat(filepath.Join(b.dir, "work", "made")); err != nil {
		t.Error(err)
	}
	r := b.confined("--", "sh", "-c", "env; cat ../secret "+b.dir+"/secret; ls "+b.dir)
	if strings.Contains(r.out+r.err, "CANARY") || strings.Contains(r.out, "paddock.yaml") {
		t.Errorf("it saw %s%s", r.out, r.err)
	}
	b.want(b.runWith("in\n", "--policy", "paddock.yaml", "run", "--", "cat"), 0, "in\n", "")
	b.want(b.confined("--env", "A=1", "--env", "HOME", "--", "sh", "-c", "echo $A; echo $HOME"), 0, "1\n"+filepath.Dir(b.dir)+"\n", "")
	b.want(b.confined("--timeout", "200ms", "--", "sleep", "60"), 124, "", "the time was up")
	b.want(b.confined("--dry-run"), 0, "root", "")
	b.want(b.confined("--", "sh", "-c", "exit 0", "--policy", "x"), 0, "", "")
}

// What Paddock itself fails at is 125, and the message says what to do.
func TestRunRefuses(t *testing.T) {
	b := newRunBox(t)
	b.want(b.confined("--", "no-such-program"), 127, "", "no program")
	b.want(b.confined("--", "/etc/passwd"), 126, "", "cannot be run")
	b.want(b.confined(), exitUsage, "", "run needs a command")
	b.want(b.confined("--env", "NO_SUCH_VARIABLE", "--", "true"), exitUsage, "", "NO_SUCH_VARIABLE")
	b.want(b.confined("--env", "LD_PRELOAD=x", "--", "true"), exitRun, "", "LD_PRELOAD")
	b.want(b.run("--policy", "missing.yaml", "run", "--", "true"), exitRun, "", "missing.yaml")
	b.file("patterns.yaml", "version: 1\npaths:\n  - {slug: root, path: ./work, allowed_permission: all}\ndenied_path_regex: ['*.env']\n")
	b.want(b.run("--policy", "patterns.yaml", "run", "--", "touch", "made"), exitRun, "", "patterns.yaml:4: denied_path_regex")
	b.want(b.run("--policy", "patterns.yaml", "run", "--dry-run"), exitUnhealthy, "guard", "patterns.yaml:4")
	b.file("here.yaml", "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: all}\n")
	b.want(b.run("--policy", "here.yaml", "run", "--", "touch", "made"), exitRun, "", "name the policy with --policy")
	for _, dir := range []string{"work", "."} {
		if _, err := os.Stat(filepath.Join(b.dir, dir, "made")); err == nil {
			t.Errorf("a command ran in %s all the same", dir)
		}
	}
	// A folder as input is a mistake that would give the command a handle.
	folder, err := os.Open(b.dir)
	must(t, err)
	defer folder.Close()
	cmd := b.command("--policy", "paddock.yaml", "run", "--", "true")
	cmd.Stdin = folder
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != exitRun || !strings.Contains(string(out), "standard input is a folder") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A host may start a server with sockets as its streams: they are copied, and
// no socket is inside.
func TestRunOnSockets(t *testing.T) {
	b := newRunBox(t)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(t, err)
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	cmd := b.command("--policy", "paddock.yaml", "run", "--", "sh", "-c", "read x; echo got:$x; readlink /proc/self/fd/0 /proc/self/fd/1")
	cmd.Stdin, cmd.Stdout = theirs, theirs
	must(t, cmd.Start())
	theirs.Close()
	_, err = ours.WriteString("word\n")
	must(t, err)
	out, err := io.ReadAll(ours)
	cmd.Wait()
	if err != nil || !strings.HasPrefix(string(out), "got:word\n") || strings.Contains(string(out), "socket") {
		t.Errorf("%q, %v", out, err)
	}
}

// A signal for paddock is the command's to answer; a kill ends both.
func TestRunSignals(t *testing.T) {
	b := newRunBox(t)
	cmd := b.command("--policy", "paddock.yaml", "run", "--", "sh", "-c", "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, 6))
	must(t, err)
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 7 {
		t.Errorf("exit %d", code)
	}
}

// On a terminal the command has one of its own, of the same size, and ours is
// as it was afterwards.
func TestRunOnATerminal(t *testing.T) {
	b := newRunBox(t)
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	defer master.Close()
	name, err := terminalOf(master)
	must(t, err)
	tty, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	defer tty.Close()
	must(t, unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 33, Col: 77}))
	before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	must(t, err)
	cmd := b.command("--policy", "paddock.yaml", "run", "--", "sh", "-c",
		"stty -echo; test -t 0 && test -t 1 && test -t 2 && tty; stty size; echo ask; read x; echo got:$x; trap 'stty size; exit 5' WINCH; echo size; while :; do sleep 0.01; done")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	must(t, cmd.Start())
	var seen strings.Builder
	until := func(word string) {
		t.Helper()
		buf := make([]byte, 512)
		must(t, master.SetReadDeadline(time.Now().Add(30*time.Second)))
		for !strings.Contains(seen.String(), word) {
			n, err := master.Read(buf)
			if seen.Write(buf[:n]); err != nil {
				t.Fatalf("%v, waiting for %q after %q", err, word, &seen)
			}
		}
	}
	until("ask")
	_, err = master.WriteString("word\r")
	must(t, err)
	until("got:word")
	until("size")
	must(t, unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 44, Col: 88}))
	until("44 88")
	cmd.Wait()
	for _, want := range []string{"/dev/pts/0", "33 77"} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("no %q in %q", want, &seen)
		}
	}
	if code := cmd.ProcessState.ExitCode(); code != 5 {
		t.Errorf("exit %d", code)
	}
	if after, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS); err != nil || *after != *before {
		t.Errorf("the terminal was not given back as it was: %v", err)
	}
}
