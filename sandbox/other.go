//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"os"
	"syscall"
)

// ErrNotHere says that commands cannot be confined on this system.
var ErrNotHere = errors.New("commands run on Linux (amd64, arm64) only: on other systems nothing here confines them")

// Process is a command that runs in a sandbox of its own.
type Process struct{}

// ExitError is a command that could not be started.
type ExitError struct {
	Code int
	Text string
}

func (e *ExitError) Error() string { return e.Text }

// MaybeInit does nothing: there are no sandboxes here.
func MaybeInit() {}

// Look finds nothing.
func Look() Probe { return Probe{Namespaces: ErrNotHere.Error()} }

// Try finds nothing.
func Try(context.Context) Probe { return Look() }

// Start fails.
func (*Plan) Start(context.Context, Command) (*Process, error) { return nil, ErrNotHere }

// Report is empty.
func (*Process) Report() Report { return Report{} }

// Terminal is nil.
func (*Process) Terminal() *os.File { return nil }

// Signal does nothing.
func (*Process) Signal(syscall.Signal) {}

// Kill does nothing.
func (*Process) Kill() {}

// Wait fails.
func (*Process) Wait() (Result, error) { return Result{}, ErrNotHere }
