//go:build !linux

package approve

import "errors"

// A tty cannot be opened on this system.
type tty struct{}

func openTTY(string) (*tty, error) {
	return nil, &CannotAsk{Way: "terminal", Why: "asking at a terminal is only there on Linux"}
}

func (*tty) say(string)                  {}
func (*tty) last(string)                 {}
func (*tty) flush() error                { return errors.ErrUnsupported }
func (*tty) read() (string, bool, error) { return "", false, errors.ErrUnsupported }
func (*tty) interrupt()                  {}
func (*tty) close()                      {}
