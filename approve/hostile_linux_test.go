package approve_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock"
	"paddock/approve"
	"paddock/policy"
)

func TestTerminalCannotAskWithoutOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	raw := newPTY(t)
	f := raw.open()
	settings, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	settings.Lflag &^= unix.ICANON
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, settings); err != nil {
		t.Fatal(err)
	}
	for name, device := range map[string]string{
		"missing": filepath.Join(t.TempDir(), "nothing"), "a file": file, "/dev/null": os.DevNull, "taken over": raw.name,
	} {
		d, err := approve.TerminalAt(device).Request(t.Context(), request)
		var cannot *approve.CannotAsk
		if !errors.As(err, &cannot) || d.Answer != "" {
			t.Errorf("%s: got %+v, %v; want a CannotAsk", name, d, err)
		}
		if err != nil && strings.Contains(cannot.ForAgent(), "/") {
			t.Errorf("%s: the agent is told a host path: %s", name, cannot.ForAgent())
		}
	}
}

// AP-25, AP-26: nothing the agent wrote may paint the screen or push a command
// out of view.
func TestTerminalShowsHostileTextAsWhatItIs(t *testing.T) {
	for _, target := range []string{
		"echo ok \u202emoc.live\u202c", "rm /tmp/\u200bcache", "\x1b[2J\x1b[Hls", "a\rb", "x\u009b2J", "\xff\xfe",
		"ls" + strings.Repeat(" ", 4000) + "; touch MARK", "ls" + strings.Repeat(" \n", 200) + "touch MARK",
		"echo " + strings.Repeat("a", 20000) + "; touch MARK",
	} {
		p := newPTY(t)
		r := request
		r.Target, r.Asked, r.Tool, r.Agent = target, "execute "+target, target, target
		r.Detail = target + "\n" + strings.Repeat("line\n", 500) + "last line: " + target
		r.Because = []policy.Because{{File: target, Line: 1, Text: target}}
		got := put(t.Context(), approve.TerminalAt(p.name), r)
		p.wait(question, 1)
		p.typed("\n")
		<-got
		screen := p.text()
		for _, c := range []string{"\x1b", "\u202e", "\u202c", "\u200b", "\u009b", "\xff"} {
			if strings.Contains(screen, c) {
				t.Errorf("%q reaches the terminal for the target %.40q", c, target)
			}
		}
		if strings.Contains(strings.ReplaceAll(screen, "\r\n", ""), "\r") {
			t.Errorf("a carriage return reaches the terminal for the target %.40q", target)
		}
		if strings.HasSuffix(target, "touch MARK") && strings.Count(screen, "touch MARK") < 3 {
			t.Errorf("the end of the command is out of view:\n%s", screen)
		}
		if strings.Contains(screen, strings.Repeat(" ", 100)) {
			t.Errorf("a long run of blanks reaches the screen for %.40q", target)
		}
		if !strings.Contains(screen, "are not shown here") || !strings.Contains(screen, "v = show all of it") || !strings.Contains(screen, "last line") {
			t.Errorf("the question does not say how much is hidden, or hides its end:\n%s", screen)
		}
	}
}

func TestTerminalShowsAllWhenAsked(t *testing.T) {
	p := newPTY(t)
	r := request
	r.Detail = strings.Repeat("line\n", 100) + "MIDDLE\n" + strings.Repeat("line\n", 100)
	got := put(t.Context(), approve.TerminalAt(p.name), r)
	p.wait(question, 1)
	if strings.Contains(p.text(), "MIDDLE") {
		t.Fatal("the test shows too little to hide anything")
	}
	p.typed("v\n")
	p.wait(question, 2)
	if !strings.Contains(p.text(), "MIDDLE") {
		t.Errorf("v does not show the hidden lines:\n%s", p.text())
	}
	p.typed("y\n")
	if a := <-got; a.d.Answer != paddock.Approve {
		t.Errorf("after v and y: %+v, %v", a.d, a.err)
	}
}
