//go:build amd64 || arm64

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// runCommand is the second stage: it locks itself in and becomes the command.
// It runs on one thread, since most of what it gives up belongs to a thread,
// and what that thread executes keeps its state and no other.
func runCommand() int {
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // it lives for a millisecond
	unix.CloseOnExec(instructions)
	unix.CloseOnExec(answers)
	answer := json.NewEncoder(os.NewFile(answers, "answer"))
	var c commandSpec
	if err := readFrame(os.NewFile(instructions, "spec"), &c); err != nil {
		return 1
	}
	report, err := c.lock()
	if err != nil {
		answer.Encode(message{Error: err.Error(), Code: 125})
		return 125
	}
	if err := answer.Encode(message{Report: report}); err != nil {
		return 125
	}
	// Last, since it is meant for the command: this stage may need more.
	if err := bound("memory", unix.RLIMIT_DATA, uint64(c.Memory)); err != nil {
		answer.Encode(message{Error: err.Error(), Code: 125})
		return 125
	}
	code, err := c.become()
	answer.Encode(message{Error: err.Error(), Code: code})
	return code
}

// lock gives up everything, and reads back that it is gone.
func (c *commandSpec) lock() (*Report, error) {
	if err := c.bounds(); err != nil {
		return nil, err
	}
	if err := c.dropUser(); err != nil {
		return nil, err
	}
	unix.Umask(0o022)
	if err := unix.Chdir(c.Dir); err != nil {
		return nil, fmt.Errorf("the working directory: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no new privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return nil, err
	}
	if err := restrict(c.Landlock, c.Rules); err != nil {
		return nil, err
	}
	// Nothing but the three streams; the two descriptors of this stage close
	// when it becomes the command.
	if err := unix.CloseRange(instructions, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return nil, fmt.Errorf("closing descriptors: %w", err)
	}
	status, err := unix.Open("/proc/thread-self/status", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("reading back: %w", err)
	}
	if err := installFilter(c.MountExec); err != nil {
		return nil, err
	}
	return c.achieved(status)
}

// bounds sets what one process may have.
func (c *commandSpec) bounds() error {
	limits := []struct {
		what  string
		which int
		n     uint64
	}{
		// One byte and not none: with none the kernel would still start the
		// machine's own program for crashes, outside and as root.
		{"core files", unix.RLIMIT_CORE, 1},
		{"open files", unix.RLIMIT_NOFILE, uint64(c.Files)},
		{"file size", unix.RLIMIT_FSIZE, uint64(c.FileSize)},
		{"processes", unix.RLIMIT_NPROC, uint64(c.Processes)},
		{"locked memory", unix.RLIMIT_MEMLOCK, 8 << 20},
		{"messages", unix.RLIMIT_MSGQUEUE, 1 << 20},
		{"pending signals", unix.RLIMIT_SIGPENDING, 8192},
	}
	for _, l := range limits {
		if err := bound(l.what, l.which, l.n); err != nil {
			return err
		}
	}
	return nil
}

// bound lowers a limit; what is narrower already stays. 0 is no limit.
func bound(what string, which int, n uint64) error {
	var now syscall.Rlimit
	if n == 0 {
		return nil
	}
	if err := syscall.Getrlimit(which, &now); err != nil {
		return fmt.Errorf("limit of %s: %w", what, err)
	}
	n = min(n, now.Max)
	if err := syscall.Setrlimit(which, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		return fmt.Errorf("limit of %s: %w", what, err)
	}
	return nil
}

// dropUser makes this thread the user that the command runs as.
func (c *commandSpec) dropUser() error {
	if !c.Switch {
		return nil
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("giving up groups: %w", errno)
	}
	// Else the capabilities that are still needed would go with the user id.
	if err := unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("keeping capabilities for a moment: %w", err)
	}
	gid, uid := uintptr(c.GID), uintptr(c.UID)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, gid, gid, gid); errno != 0 {
		return fmt.Errorf("becoming group %d: %w", c.GID, errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uid, uid, uid); errno != 0 {
		return fmt.Errorf("becoming user %d: %w", c.UID, errno)
	}
	// SETPCAP is permitted still; make it effective to empty the bounding set.
	return setCaps(1<<unix.CAP_SETPCAP, 1<<unix.CAP_SETPCAP)
}

// dropCapabilities empties all five sets, and keeps uid 0 from being given
// any by executing a file.
func dropCapabilities() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient capabilities: %w", err)
	}
	for capability := uintptr(0); ; capability++ {
		if _, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, capability, 0, 0, 0); err != nil {
			break // past the last one
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil {
			return fmt.Errorf("bounding set: %w", err)
		}
	}
	const noRoot, noRootLocked, noFixup, noFixupLocked, keepLocked, noAmbient, noAmbientLocked = 1, 2, 4, 8, 32, 64, 128
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|noRootLocked|noFixup|noFixupLocked|keepLocked|noAmbient|noAmbientLocked, 0, 0, 0); err != nil {
		return fmt.Errorf("secure bits: %w", err)
	}
	return setCaps(0, 0)
}

func setCaps(permitted, effective uint64) error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := [2]unix.CapUserData{
		{Permitted: uint32(permitted), Effective: uint32(effective)},
		{Permitted: uint32(permitted >> 32), Effective: uint32(effective >> 32)},
	}
	if err := unix.Capset(&head, &data[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	return nil
}

// achieved reads back from the kernel what this thread has. Anything more than
// was meant is an error: the command does not start.
func (c *commandSpec) achieved(status int) (*Report, error) {
	var text [8192]byte
	n, err := unix.Read(status, text[:])
	unix.Close(status)
	if err != nil {
		return nil, fmt.Errorf("reading back: %w", err)
	}
	have := map[string]string{}
	for line := range strings.SplitSeq(string(text[:n]), "\n") {
		key, value, _ := strings.Cut(line, ":")
		have[key] = strings.TrimSpace(value)
	}
	const none = "0000000000000000"
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if have[set] != none {
			return nil, fmt.Errorf("the kernel left capabilities: %s is %q", set, have[set])
		}
	}
	if have["NoNewPrivs"] != "1" || have["Seccomp"] != "2" {
		return nil, fmt.Errorf("the kernel did not lock the command in: NoNewPrivs %q, Seccomp %q", have["NoNewPrivs"], have["Seccomp"])
	}
	return &Report{Landlock: c.Landlock, Capabilities: none, NoNewPrivs: true, Seccomp: true, UID: unix.Getuid(), GID: unix.Getgid()}, nil
}

// become executes the command; it returns only when that fails, with the exit
// code that a shell has for it.
func (c *commandSpec) become() (int, error) {
	name := c.Argv[0]
	if strings.Contains(name, "/") {
		return c.exec(name)
	}
	code, err := 127, fmt.Errorf("there is no program %q inside; commands find programs in %s", name, pathOf(c.Env))
	for dir := range strings.SplitSeq(pathOf(c.Env), ":") {
		if dir == "" {
			continue // the working directory belongs to the agent
		}
		if n, e := c.exec(dir + "/" + name); n != 127 {
			code, err = n, e
		}
	}
	return code, err
}

func (c *commandSpec) exec(file string) (int, error) {
	err := syscall.Exec(file, c.Argv, c.Env)
	if errors.Is(err, unix.ENOEXEC) {
		err = syscall.Exec("/bin/sh", append([]string{"sh", file}, c.Argv[1:]...), c.Env)
	}
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return 127, fmt.Errorf("there is no program %q inside", file)
	}
	return 126, fmt.Errorf("%q cannot be run: %w", file, err)
}

func pathOf(env []string) string {
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "PATH="); ok {
			return value
		}
	}
	return ""
}
