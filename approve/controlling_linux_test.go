package approve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"paddock/approve"
)

// role makes the test binary act as a program that asks.
const role = "APPROVE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "ask":
		d, err := approve.NewTerminal().Request(context.Background(), request)
		var cannot *approve.CannotAsk
		fmt.Printf("answer=%q cannot=%t\n", d.Answer, errors.As(err, &cannot))
	case "ask in the background":
		again := exec.Command("/proc/self/exe")
		again.Env = append(os.Environ(), role+"=ask")
		again.Stdout, again.Stderr = os.Stdout, os.Stderr
		again.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := again.Run(); err != nil {
			fmt.Println(err)
		}
	}
}

// child starts the test binary as the leader of a session of its own, with a
// terminal if one is given. Its standard input always says yes.
func child(t *testing.T, as string, p *pty) *bufio.Reader {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stdin = strings.NewReader(strings.Repeat("y\n", 100))
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if p != nil {
		tty := p.open()
		defer tty.Close()
		cmd.ExtraFiles = []*os.File{tty}
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 3
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return bufio.NewReader(out)
}

func says(t *testing.T, out *bufio.Reader, want string) {
	t.Helper()
	got, err := out.ReadString('\n')
	if err != nil || strings.TrimSpace(got) != want {
		t.Errorf("the child says %q, %v; want %q", got, err, want)
	}
}

// Standard input is the agent's: a yes there is nothing.
func TestTerminalIsTheControllingOne(t *testing.T) {
	p := newPTY(t)
	out := child(t, "ask", p)
	p.wait(question, 1)
	p.typed("\n")
	says(t, out, `answer="reject" cannot=false`)
}

func TestTerminalRefusesWithoutControllingTerminal(t *testing.T) {
	says(t, child(t, "ask", nil), `answer="" cannot=true`)
}

// A read in the background would stop the whole server until somebody types fg.
func TestTerminalRefusesInTheBackground(t *testing.T) {
	says(t, child(t, "ask in the background", newPTY(t)), `answer="" cannot=true`)
}
