//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// reservedPids are the numbers that are not used again once all were used.
const reservedPids = 300

// initThreads is how many threads of the first process may count against the
// command's bound.
const initThreads = 16

// Process is a command that runs in a sandbox of its own.
type Process struct {
	init     *exec.Cmd
	control  *os.File
	messages *json.Decoder
	report   Report
	terminal *os.File
	outputs  []*bounded
	copying  sync.WaitGroup
	stdin    *os.File // our end
	timeout  time.Duration
	result   chan outcome
	mu       sync.Mutex
	killed   string // why we ended it
	timer    *time.Timer
	release  func() bool // of the caller's context
}

type outcome struct {
	result Result
	err    error
}

// ExitError is a command that could not be started inside: Code is what a
// shell would exit with, 127 for a program that is not there, 126 for one that
// cannot be run, 125 when the sandbox itself could not be made.
type ExitError struct {
	Code int
	Text string
}

func (e *ExitError) Error() string { return e.Text }

// Start runs a command in a new sandbox. It returns when the command itself is
// running, locked in as Report tells; else with an error, and nothing runs: a
// *Refused when the plan cannot be held, an *ExitError when the sandbox or the
// command could not be started. When the context ends, or this process does,
// everything in the sandbox is killed.
func (pl *Plan) Start(ctx context.Context, c Command) (*Process, error) {
	if err := pl.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !initCalled.Load() {
		return nil, errNoInit
	}
	s, id, err := pl.specOf(c)
	if err != nil {
		return nil, err
	}
	p := &Process{result: make(chan outcome, 1), timeout: narrower(pl.Limits.Timeout, c.Timeout)}
	if err := p.launch(ctx, c, s, id); err != nil {
		p.giveUp()
		return nil, err
	}
	if p.timeout > 0 {
		p.timer = time.AfterFunc(p.timeout, func() { p.kill("timeout") })
	}
	go p.finish()
	return p, nil
}

// specOf is the whole description of one command's sandbox.
func (pl *Plan) specOf(c Command) (*spec, identity, error) {
	id, err := pl.identityOf()
	if err != nil {
		return nil, id, err
	}
	argv := c.Argv
	if c.Line != "" {
		argv = []string{"/bin/sh", "-c", c.Line}
	}
	if len(argv) == 0 || argv[0] == "" {
		return nil, id, errors.New("there is no command to run")
	}
	env, err := pl.environment(os.Getenv, c.Env)
	if err != nil {
		return nil, id, err
	}
	s := pl.layout(id)
	s.TTY = c.TTY
	cmd := &s.Command
	cmd.Argv, cmd.Env, cmd.Dir = argv, env, pl.StartDir(c.Dir)
	cmd.UID, cmd.GID, cmd.Switch = id.uid, id.gid, id.become
	cmd.Memory, cmd.Files, cmd.FileSize, cmd.MountExec = pl.Limits.Memory, pl.Limits.Files, pl.Limits.FileSize, pl.Limits.MountExec
	cmd.Landlock = min(landlockVersion(), newestLandlock)
	if id.uid == 0 {
		// The kernel exempts the machine's root from the usual bound.
		s.PidMax = reservedPids + pl.Limits.Processes
	} else {
		cmd.Processes = pl.Limits.Processes + initThreads
	}
	return s, id, nil
}

// newestLandlock is the newest version whose accesses are known here.
const newestLandlock = 7

// launch starts the first stage and waits until the command runs.
func (p *Process) launch(ctx context.Context, c Command, s *spec, id identity) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("a line to the sandbox: %w", err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "sandbox")
	defer theirs.Close()
	if err := unix.SetNonblock(pair[0], true); err != nil {
		unix.Close(pair[0])
		return err
	}
	p.control = os.NewFile(uintptr(pair[0]), "sandbox")
	p.init = initCommand(theirs, id)
	closeTheirs, err := p.streams(c)
	defer closeTheirs()
	if err != nil {
		return err
	}
	if err := p.init.Start(); err != nil {
		p.init = nil
		return &ExitError{125, fmt.Sprintf("the sandbox's namespaces cannot be made: %v; %s", err, namespaceAdvice)}
	}
	closeTheirs()
	theirs.Close()
	p.release = context.AfterFunc(ctx, func() { p.kill("cancelled") })
	if err := sendFrame(p.control, s); err != nil {
		return &ExitError{125, fmt.Sprintf("the sandbox did not start: %v", err)}
	}
	return p.greet(c.TTY)
}

// initCommand is the first stage, not started yet.
func initCommand(theirs *os.File, id identity) *exec.Cmd {
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{initName}, Env: []string{"PATH=" + searchPath}, Dir: "/", ExtraFiles: []*os.File{theirs}}
	uids, gids := id.maps()
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS |
			unix.CLONE_NEWNET | unix.CLONE_NEWCGROUP,
		UidMappings: uids, GidMappings: gids,
		GidMappingsEnableSetgroups: id.become,
		Setsid:                     true,
	}
	if os.Geteuid() != 0 {
		// Who is not root inside loses its capabilities by executing a file,
		// but for these.
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_NET_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SYS_RESOURCE}
	}
	return cmd
}

// greet takes the terminal, if there is to be one, and the first message.
func (p *Process) greet(tty bool) error {
	first, err := p.firstByte()
	if err != nil || tty && first != 't' && first != '-' {
		return &ExitError{125, fmt.Sprintf("the sandbox ended before it was ready: %v", err)}
	}
	messages := json.NewDecoder(p.control)
	var m message
	if err := messages.Decode(&m); err != nil {
		return &ExitError{125, fmt.Sprintf("the sandbox ended before the command ran%s", p.because())}
	}
	if m.Error != "" || m.Report == nil {
		return &ExitError{m.Code, m.Error}
	}
	p.report, p.messages = *m.Report, messages
	return nil
}

// firstByte reads the byte before all messages, and the terminal with it.
func (p *Process) firstByte() (byte, error) {
	raw, err := p.control.SyscallConn()
	if err != nil {
		return 0, err
	}
	data, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	var n, oob int
	if e := raw.Read(func(fd uintptr) bool {
		n, oob, _, _, err = unix.Recvmsg(int(fd), data, rights, unix.MSG_CMSG_CLOEXEC)
		return !errors.Is(err, unix.EAGAIN)
	}); e != nil {
		return 0, e
	}
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	if oob > 0 {
		all, err := unix.ParseSocketControlMessage(rights[:oob])
		if err != nil || len(all) == 0 {
			return 0, fmt.Errorf("the terminal did not arrive: %w", err)
		}
		fds, err := unix.ParseUnixRights(&all[0])
		if err != nil || len(fds) != 1 {
			return 0, fmt.Errorf("the terminal did not arrive: %w", err)
		}
		unix.SetNonblock(fds[0], true)
		p.terminal = os.NewFile(uintptr(fds[0]), "terminal")
	}
	return data[0], nil
}

func (p *Process) because() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed == "" {
		return ""
	}
	return " (" + p.killed + ")"
}

// giveUp ends what a failed start left.
func (p *Process) giveUp() {
	if p.release != nil {
		p.release()
	}
	if p.init != nil && p.init.Process != nil {
		p.init.Process.Kill()
		p.init.Wait()
	}
	for _, f := range []*os.File{p.control, p.stdin, p.terminal} {
		if f != nil {
			f.Close()
		}
	}
	p.copying.Wait()
}
