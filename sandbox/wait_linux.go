//go:build amd64 || arm64

package sandbox

import (
	"os"
	"syscall"
)

// Report tells what this command's sandbox has.
func (p *Process) Report() Report { return p.report }

// Terminal is the other end of the command's terminal, nil when it has none.
// It must be read until that fails, which it does when the sandbox has ended;
// then the caller closes it.
func (p *Process) Terminal() *os.File { return p.terminal }

// Signal passes a signal on to the command and the processes of its group.
// There is no error: a command that has ended needs no signal.
func (p *Process) Signal(s syscall.Signal) {
	if s > 0 && s < 65 {
		p.control.Write([]byte{byte(s)})
	}
}

// Kill ends everything in the sandbox.
func (p *Process) Kill() { p.kill("cancelled") }

func (p *Process) kill(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed == "" {
		p.killed = why
	}
	if p.init != nil && p.init.Process != nil {
		p.init.Process.Kill() // with it the kernel kills all in its namespace
	}
}

// Wait waits until the command has ended and everything it had started is
// gone, and all output was handed on. Only one call may be made.
func (p *Process) Wait() (Result, error) {
	o := <-p.result
	return o.result, o.err
}

// finish follows the sandbox to its end.
func (p *Process) finish() {
	var m, last message
	told := false
	for p.messages.Decode(&m) == nil {
		last, told = m, told || m.Done
		m = message{}
	}
	// The kernel has ended every process of the namespace before this returns.
	p.init.Wait()
	p.release()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.copying.Wait()
	p.control.Close()
	if p.stdin != nil {
		p.stdin.Close()
	}
	r := Result{ExitCode: last.Exit, Signal: last.Signal, Killed: last.Killed}
	if !told {
		p.mu.Lock()
		r = Result{ExitCode: 137, Signal: int(syscall.SIGKILL), Killed: p.killed, TimedOut: p.killed == "timeout"}
		p.mu.Unlock()
		if r.Killed == "" {
			r.Killed = "the sandbox was ended from outside"
		}
	}
	var err error
	for _, b := range p.outputs {
		r.Truncated = r.Truncated || b.truncated
		if err == nil && b.err != nil {
			err = b.err
		}
	}
	p.result <- outcome{r, err}
}
