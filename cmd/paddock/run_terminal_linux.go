package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"

	"paddock/sandbox"
)

// isTTY tells whether a stream is a terminal, and not only a device.
func isTTY(f *os.File) bool {
	if f == nil {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// passedSignals are those that a command gets in our place.
func passedSignals() []os.Signal {
	return []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2}
}

// relay joins our terminal with the command's: every key goes there, the ones
// that make signals too, and every change of size. restore waits for the last
// output and gives our terminal back as it was.
func (a *app) relay(p *sandbox.Process) (restore func(), err error) {
	ours, theirs := int(a.io.in.Fd()), p.Terminal()
	before, err := unix.IoctlGetTermios(ours, unix.TCGETS)
	if err != nil {
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	if err := a.resize(theirs); err != nil {
		return nil, err
	}
	raw := *before
	raw.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	raw.Oflag &^= unix.OPOST
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	raw.Cflag = raw.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(ours, unix.TCSETS, &raw); err != nil {
		return nil, fmt.Errorf("the terminal: %w", err)
	}
	sizes := make(chan os.Signal, 1)
	signal.Notify(sizes, unix.SIGWINCH)
	go func() {
		for range sizes {
			a.resize(theirs)
		}
	}()
	go io.Copy(theirs, a.io.in)
	shown := make(chan struct{})
	go func() {
		// It ends with an error when nobody inside has the terminal any more.
		io.Copy(a.io.out, theirs)
		close(shown)
	}()
	return func() {
		<-shown
		signal.Stop(sizes)
		close(sizes)
		theirs.Close()
		unix.IoctlSetTermios(ours, unix.TCSETS, before)
	}, nil
}

// resize gives the command's terminal the size of ours.
func (a *app) resize(theirs *os.File) error {
	size, err := unix.IoctlGetWinsize(int(a.io.in.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return fmt.Errorf("the terminal's size: %w", err)
	}
	raw, err := theirs.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
}
