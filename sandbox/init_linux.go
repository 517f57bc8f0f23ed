//go:build amd64 || arm64

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// The names under which the program is started again for a stage of its own.
const (
	initName    = "paddock-sandbox-init"
	commandName = "paddock-sandbox-command"
)

// The descriptor of both stages' instructions, and of the second one's answer.
const (
	instructions = 3
	answers      = 4
)

// initCalled is set once, by MaybeInit.
var initCalled atomic.Bool

// errNoInit is what Start says without it.
var errNoInit = errors.New("this program cannot start sandboxes: sandbox.MaybeInit must be the first call in its main")

// MaybeInit is the first thing in main of every program that starts sandboxes.
// It returns at once, but in a process that Start made of this program: that
// becomes a stage of the sandbox and never returns. Start refuses in a program
// that did not call it: a second copy of such a program would run from its
// beginning in place of the stage.
func MaybeInit() {
	initCalled.Store(true)
	if len(os.Args) != 1 {
		return
	}
	switch os.Args[0] {
	case initName:
		os.Exit(runInit())
	case commandName:
		os.Exit(runCommand())
	}
}

// runInit is the first process of a sandbox: it builds the file system, starts
// the command, waits for it and for every orphan, and takes all that is left
// with it when it ends.
func runInit() int {
	unix.CloseOnExec(instructions)
	unix.Umask(0)
	// Signals from inside are caught and dropped; the kernel keeps the two
	// that cannot be caught from the first process of a namespace. Catching,
	// not ignoring: what is ignored stays so in the command.
	signal.Notify(make(chan os.Signal, 1))
	parent := os.NewFile(instructions, "parent")
	var s spec
	if err := readFrame(parent, &s); err != nil {
		return 1
	}
	i := &firstStage{parent: parent, spec: &s, out: json.NewEncoder(parent)}
	if err := i.prepare(); err != nil {
		i.out.Encode(message{Error: err.Error(), Code: 125})
		return 1
	}
	if s.Probe {
		i.out.Encode(message{Report: &Report{}})
		return 0
	}
	return i.run()
}

type firstStage struct {
	parent   *os.File
	spec     *spec
	out      *json.Encoder
	terminal *os.File // the command's end
	pidMax   bool     // the kernel bounds the number of processes
}

// prepare makes everything but the command. It sends the byte that comes
// before all messages.
func (i *firstStage) prepare() error {
	err := build(i.spec)
	if err == nil {
		err = loopback()
	}
	if err == nil {
		err = unix.Sethostname([]byte("paddock"))
	}
	if err == nil && i.spec.PidMax > 0 {
		i.pidMax = boundPids(i.spec.PidMax)
	}
	if err == nil {
		err = seal()
	}
	// Nobody inside may look into this process: it came from outside.
	if err == nil {
		err = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
	if err == nil && i.spec.TTY {
		var master *os.File
		if master, i.terminal, err = terminal(i.spec.Command.UID); err == nil {
			defer master.Close()
			return unix.Sendmsg(instructions, []byte{'t'}, unix.UnixRights(int(master.Fd())), nil, 0)
		}
	}
	if _, e := i.parent.Write([]byte{'-'}); err == nil {
		err = e
	}
	return err
}

func (i *firstStage) run() int {
	pid, err := i.start()
	if err != nil {
		return 1
	}
	go i.obey(pid)
	go i.watch()
	for {
		var status unix.WaitStatus
		got, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 1
		case got == pid && status.Exited():
			i.out.Encode(message{Done: true, Exit: status.ExitStatus()})
			return 0
		case got == pid && status.Signaled():
			i.out.Encode(message{Done: true, Exit: 128 + int(status.Signal()), Signal: int(status.Signal())})
			return 0
		}
	}
}

// start starts the second stage and waits until it is the command.
func (i *firstStage) start() (int, error) {
	fail := func(err error) (int, error) {
		i.out.Encode(message{Error: err.Error(), Code: 125})
		return 0, err
	}
	var toCommand, fromCommand [2]int
	if err := unix.Pipe2(toCommand[:], unix.O_CLOEXEC); err != nil {
		return fail(err)
	}
	if err := unix.Pipe2(fromCommand[:], unix.O_CLOEXEC); err != nil {
		return fail(err)
	}
	streams := []uintptr{0, 1, 2}
	if i.terminal != nil {
		streams = []uintptr{i.terminal.Fd(), i.terminal.Fd(), i.terminal.Fd()}
	}
	// A session of its own: there is no terminal but the one it is given.
	attr := &syscall.ProcAttr{
		Files: append(streams, uintptr(toCommand[0]), uintptr(fromCommand[1])),
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: i.terminal != nil},
	}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{commandName}, attr)
	unix.Close(toCommand[0])
	unix.Close(fromCommand[1])
	if err != nil {
		return fail(fmt.Errorf("starting the second stage: %w", err))
	}
	if err := letGo(i.terminal); err != nil {
		return fail(err)
	}
	spec := os.NewFile(uintptr(toCommand[1]), "spec")
	err = sendFrame(spec, i.spec.Command)
	spec.Close()
	if err != nil {
		return fail(fmt.Errorf("instructing the second stage: %w", err))
	}
	answer := os.NewFile(uintptr(fromCommand[0]), "answer")
	defer answer.Close()
	return pid, i.settle(answer)
}

// settle reads what the second stage says until it has become the command.
func (i *firstStage) settle(answer io.Reader) error {
	var report *Report
	in := json.NewDecoder(answer)
	for {
		var m message
		err := in.Decode(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && m.Error != "" {
			err = errors.New(m.Error)
		}
		if err != nil {
			i.out.Encode(message{Error: err.Error(), Code: max(m.Code, 1)})
			return err
		}
		report = m.Report
	}
	if report == nil {
		err := errors.New("the second stage ended without a word")
		i.out.Encode(message{Error: err.Error(), Code: 125})
		return err
	}
	report.Namespaces = []string{"user", "mount", "pid", "ipc", "uts", "net", "cgroup"}
	report.Memory, report.Processes = "watched", "watched"
	if i.pidMax || i.spec.Command.Processes > 0 {
		report.Processes = "exact"
	}
	return i.out.Encode(message{Report: report})
}

// letGo gives up the command's streams: a reader must see their end when the
// command closes them.
func letGo(terminal *os.File) error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening /dev/null: %w", err)
	}
	defer unix.Close(null)
	for fd := range 3 {
		if err := unix.Dup3(null, fd, 0); err != nil {
			return err
		}
	}
	if terminal != nil {
		return terminal.Close()
	}
	return nil
}

// obey passes the parent's signals on, and ends everything with the parent.
func (i *firstStage) obey(pid int) {
	var b [1]byte
	for {
		if _, err := io.ReadFull(i.parent, b[:]); err != nil {
			os.Exit(1)
		}
		unix.Kill(-pid, unix.Signal(b[0]))
	}
}
