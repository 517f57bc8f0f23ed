package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// holding is what a process holds.
type holding struct{ memory, descriptors int } // memory in KiB

func (u holding) String() string {
	return fmt.Sprintf("%d KiB, %d descriptors", u.memory, u.descriptors)
}

func holdingOf(t *testing.T, pid int) (u holding) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	must(t, err)
	for _, line := range strings.Split(string(status), "\n") {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			if _, err := fmt.Sscan(value, &u.memory); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	}
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	must(t, err)
	u.descriptors = len(open)
	return u
}

// settled is what a process holds when connections that were closed are closed
// at its end too: when it has no more sockets than the one it listens on, or
// after a while, which compare then sees.
func settled(t *testing.T, pid int) holding {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		links := 0
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		must(t, err)
		for _, fd := range open {
			target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, fd.Name()))
			if err == nil && strings.HasPrefix(target, "socket:") {
				links++
			}
		}
		if links <= 1 || time.Now().After(end) {
			quiet(t, pid)
			return holdingOf(t, pid)
		}
	}
}

// compare is what a soak is about: a tenth of it and the whole leave the same.
func compare(t *testing.T, size soak, tenth, whole holding) {
	t.Helper()
	// The record may be between two files at either moment.
	if whole.descriptors > tenth.descriptors+2 {
		t.Errorf("%d descriptors are open after a tenth of it, %d at the end", tenth.descriptors, whole.descriptors)
	}
	if whole.memory > tenth.memory+size.growth {
		t.Errorf("memory grew from %d KiB to %d KiB", tenth.memory, whole.memory)
	}
}

// chance is how many goroutines more are not taken for a leak: records are
// written after the answer, some at a time. One left by each session or each
// call would be many times that.
const chance = 8

// quiet waits until a process does nothing, for a while at most.
func quiet(t *testing.T, pid int) {
	t.Helper()
	before, since := "", time.Now()
	for end := time.Now().Add(20 * time.Second); time.Since(since) < 300*time.Millisecond && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		must(t, err)
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')'):]))
		if used := strings.Join(fields[12:14], " "); used != before { // user and system time
			before, since = used, time.Now()
		}
	}
}

// goroutinesOf ends a server as SIGQUIT does, and counts in its last words what
// was running.
func goroutinesOf(t *testing.T, server *exec.Cmd, messages *lockedBuffer) int {
	t.Helper()
	quiet(t, server.Process.Pid)
	must(t, server.Process.Signal(syscall.SIGQUIT))
	err := server.Wait()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		t.Fatalf("the server ended with %v", err)
	}
	n := strings.Count("\n"+messages.String(), "\ngoroutine ")
	if n < 2 {
		t.Fatalf("the server does not tell what it was doing:\n%s", messages)
	}
	return n
}
