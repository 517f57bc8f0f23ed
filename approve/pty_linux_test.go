package approve_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pty is a pseudo terminal whose far end a test types on and reads.
type pty struct {
	t      *testing.T
	master *os.File
	name   string // of the terminal

	mu     sync.Mutex
	screen bytes.Buffer
	moved  chan struct{}
}

func newPTY(t *testing.T) *pty {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatalf("a pseudo terminal is needed here: %v", err)
	}
	raw, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var number int
	if err := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &pty{t: t, master: master, name: fmt.Sprintf("/dev/pts/%d", number), moved: make(chan struct{}, 1)}
	// Held open, so that the terminal keeps its state between questions.
	hold := p.open()
	t.Cleanup(func() { hold.Close(); master.Close() })
	go p.watch()
	return p
}

func (p *pty) open() *os.File {
	p.t.Helper()
	f, err := os.OpenFile(p.name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		p.t.Fatal(err)
	}
	return f
}

func (p *pty) watch() {
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

func (p *pty) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// wait waits until the screen holds want for the n-th time.
func (p *pty) wait(want string, n int) {
	p.t.Helper()
	deadline := time.After(30 * time.Second)
	for strings.Count(p.text(), want) < n {
		select {
		case <-p.moved:
		case <-deadline:
			p.t.Fatalf("the screen never showed %q %d times:\n%s", want, n, p.text())
		}
	}
}

func (p *pty) typed(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.master, s); err != nil {
		p.t.Fatal(err)
	}
}
