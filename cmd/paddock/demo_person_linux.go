package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"paddock/internal/show"
)

// pretended is a person for the demo: the far end of a pseudo terminal that
// the server has for its own. The server's question goes the usual way, to a
// terminal; only who sits there is not real.
type pretended struct {
	master *os.File
	ours   *os.File // the terminal itself, held open

	mu     sync.Mutex
	screen bytes.Buffer
	moved  chan struct{}
	ended  chan struct{}
}

// pretend gives a command that is not started yet a terminal of its own.
func pretend(server *exec.Cmd) (*pretended, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("a pseudo terminal for the person is needed: %w", err)
	}
	name, err := terminalOf(master)
	if err != nil {
		master.Close()
		return nil, err
	}
	tty, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		master.Close()
		return nil, fmt.Errorf("the pseudo terminal: %w", err)
	}
	server.ExtraFiles = []*os.File{tty}
	server.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	p := &pretended{master: master, ours: tty, moved: make(chan struct{}, 1), ended: make(chan struct{}, 1)}
	go p.watch()
	return p, nil
}

// terminalOf unlocks a pseudo terminal and tells its name.
func terminalOf(master *os.File) (string, error) {
	raw, err := master.SyscallConn()
	if err != nil {
		return "", fmt.Errorf("the pseudo terminal: %w", err)
	}
	var number int
	inner := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	})
	if inner != nil || err != nil {
		return "", fmt.Errorf("the pseudo terminal: %w", errors.Join(inner, err))
	}
	return fmt.Sprintf("/dev/pts/%d", number), nil
}

func (p *pretended) watch() {
	buf := make([]byte, 4096)
	for {
		n, err := p.master.Read(buf)
		p.mu.Lock()
		p.screen.Write(buf[:n])
		p.mu.Unlock()
		select {
		case p.moved <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// agree waits for a question, reads it as a person would, and types y. It
// returns what was on the screen.
func (p *pretended) agree(ctx context.Context) string {
	for !strings.HasSuffix(p.text(), "[N] ") {
		select {
		case <-p.moved:
		case <-p.ended:
			return p.text()
		case <-ctx.Done():
			return p.text()
		}
	}
	if _, err := p.master.WriteString("y\n"); err != nil {
		return p.text()
	}
	select {
	case <-p.ended:
	case <-ctx.Done():
	}
	p.settle()
	return p.text()
}

// settle lets the last words of the question arrive.
func (p *pretended) settle() {
	late := time.After(time.Second)
	for !strings.Contains(p.text(), "this once.") {
		select {
		case <-p.moved:
		case <-late:
			return
		}
	}
}

// done says that the call which asked has its answer.
func (p *pretended) done() {
	select {
	case p.ended <- struct{}{}:
	default:
	}
}

func (p *pretended) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return show.Text(strings.ReplaceAll(p.screen.String(), "\r\n", "\n"))
}

func (p *pretended) close() {
	p.ours.Close()
	p.master.Close()
}
