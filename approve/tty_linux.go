package approve

import (
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A tty is the open terminal of one question.
type tty struct{ f *os.File }

// openTTY opens a terminal, or says why nobody can be asked there.
func openTTY(device string) (*tty, error) {
	cannot := func(why string, err error) error { return &CannotAsk{Way: "terminal", Why: why, Err: err} }
	// A descriptor of our own: that it does not block concerns nobody else.
	f, err := os.OpenFile(device, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, cannot("this process has no terminal", err)
	}
	t := &tty{f}
	why, err := t.unfit()
	if why == "" {
		// A read that no deadline can end would outlive its question.
		if err = f.SetDeadline(time.Time{}); err != nil {
			why = "the terminal cannot be waited for"
		}
	}
	if why != "" {
		f.Close()
		return nil, cannot(why, err)
	}
	return t, nil
}

// unfit tells why a terminal must not be asked, "" if it may be.
func (t *tty) unfit() (why string, err error) {
	inner := t.control(func(fd int) {
		settings, e := unix.IoctlGetTermios(fd, unix.TCGETS)
		if e != nil {
			why, err = "it is not a terminal", e
			return
		}
		if settings.Lflag&unix.ICANON == 0 {
			why = "another program has taken over the terminal"
			return
		}
		// Reading in the background would stop the whole process. A terminal
		// that is not ours has no foreground group to tell.
		front, e := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		if e == nil && front != unix.Getpgrp() {
			why = "paddock runs in the background of the terminal"
		}
	})
	if inner != nil {
		return "the terminal is closed", inner
	}
	return why, err
}

func (t *tty) control(do func(fd int)) error {
	raw, err := t.f.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { do(int(fd)) })
}

// say prints text that show has made safe.
func (t *tty) say(text string) {
	// A terminal that is gone shows up at the next read.
	_, _ = io.WriteString(t.f, text)
}

// flush throws away what was typed so far, unfinished lines too.
func (t *tty) flush() error {
	var err error
	if inner := t.control(func(fd int) { err = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }); inner != nil {
		return inner
	}
	return err
}

// maxAnswer is above what a terminal hands out as one line.
const maxAnswer = 8192

// read waits for one line. complete is false when the input ended before a
// newline did; such a line is no answer.
func (t *tty) read() (text string, complete bool, err error) {
	// The terminal hands out whole lines, so one read is one line.
	buf := make([]byte, maxAnswer)
	n, err := t.f.Read(buf)
	if errors.Is(err, io.EOF) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	text, complete = strings.CutSuffix(string(buf[:n]), "\n")
	return text, complete && !strings.Contains(text, "\n"), nil
}

// last says something after interrupt. A terminal that is stopped must not hold
// the call back for long.
func (t *tty) last(text string) {
	_ = t.f.SetWriteDeadline(time.Now().Add(lastWords))
	t.say(text)
}

const lastWords = 200 * time.Millisecond

// interrupt ends a read or write that is under way.
func (t *tty) interrupt() { _ = t.f.SetDeadline(time.Unix(1, 0)) }

func (t *tty) close() { t.f.Close() }
