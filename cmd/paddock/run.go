package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"paddock/internal/wire"
	"paddock/sandbox"
)

type runCmd struct {
	Env     []string      `help:"Give the command a variable; the value is this process's own when none is written." placeholder:"NAME[=VALUE]" sep:"none"`
	Timeout time.Duration `help:"End the command and all it started after this time, such as 90s." placeholder:"TIME"`
	DryRun  bool          `help:"Say how the kernel would hold each entry of the policy, and run nothing."`
	Argv    []string      `arg:"" optional:"" passthrough:"partial" name:"command" help:"The command, after two dashes: paddock run -- make test"`
}

// Help is printed below the flags.
func (*runCmd) Help() string {
	return `The command sees the system's programs, the policy's folders and nothing else,
and has no network. It starts in the working directory if that lies in an entry
of the policy, else in the root entry. It exits with the command's own code;
125 says that Paddock itself failed, and the message says why.

With a terminal on all three streams the command gets a terminal of its own.
With a terminal on standard input alone it has an empty input.`
}

// exitRun is the exit code of run when no command ran, as env and timeout have it.
const exitRun = 125

// Run runs one command where the kernel holds the policy.
func (c *runCmd) Run(a *app) error {
	code, err := c.run(a)
	if err != nil {
		return coded{code, err}
	}
	return coded{code, nil}
}

func (c *runCmd) run(a *app) (int, error) {
	argv := c.Argv
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) == 0 && !c.DryRun {
		return exitUsage, errors.New("run needs a command: paddock run -- make test; see paddock run --help")
	}
	setup, err := a.open(wire.Options{})
	if err != nil {
		return exitRun, err
	}
	defer setup.Close()
	if c.DryRun {
		plan := sandbox.NewPlan(setup.Guard.Policy(), sandbox.Try(a.ctx), setup.Own)
		return a.showPlan(plan)
	}
	plan := sandbox.NewPlan(setup.Guard.Policy(), sandbox.Look(), setup.Own)
	for _, n := range plan.Notes {
		a.notice(n)
	}
	command := sandbox.Command{Argv: argv, Timeout: c.Timeout}
	// The real folder: a name with links in it is no place of an entry.
	if dir, err := os.Getwd(); err == nil {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			command.Dir = real
		}
	}
	if command.Env, err = c.env(); err != nil {
		return exitUsage, err
	}
	return a.confined(plan, command)
}

// env reads --env.
func (c *runCmd) env() (map[string]string, error) {
	vars := map[string]string{}
	for _, kv := range c.Env {
		name, value, set := strings.Cut(kv, "=")
		if !set {
			if value, set = os.LookupEnv(name); !set {
				return nil, fmt.Errorf("--env %s: there is no such variable here; --env %s=VALUE sets one", name, name)
			}
		}
		vars[name] = value
	}
	return vars, nil
}

// confined runs the command and gives its exit code.
func (a *app) confined(plan *sandbox.Plan, command sandbox.Command) (int, error) {
	if err := a.streamsFor(&command); err != nil {
		return exitRun, err
	}
	// Signals are the command's to answer, so they do not end us: it ends, and
	// we with it.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passedSignals()...)
	defer signal.Stop(signals)
	p, err := plan.Start(context.Background(), command)
	var exit *sandbox.ExitError
	if errors.As(err, &exit) {
		return exit.Code, err
	}
	if err != nil {
		return exitRun, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case s := <-signals:
				p.Signal(s.(syscall.Signal))
			case <-done:
				return
			}
		}
	}()
	restore := func() {}
	if command.TTY {
		if restore, err = a.relay(p); err != nil {
			p.Kill()
			p.Wait()
			return exitRun, err
		}
	}
	result, err := p.Wait()
	restore()
	switch {
	case err != nil:
		return exitRun, fmt.Errorf("passing the command's output on: %w", err)
	case result.Killed != "":
		a.notice(killedText(result, plan))
	}
	if result.TimedOut {
		return 124, nil // as timeout has it
	}
	return result.ExitCode, nil
}

func killedText(r sandbox.Result, plan *sandbox.Plan) string {
	switch r.Killed {
	case "timeout":
		return "the time was up (--timeout, or limits.timeout of the policy): the command and all it had started were ended"
	case "memory":
		return fmt.Sprintf("the command used more than %d MiB of memory and was ended, with all it had started (limits.memory)", plan.Limits.Memory>>20)
	case "processes":
		return fmt.Sprintf("the command had more than %d processes and was ended, with all of them (limits.processes)", plan.Limits.Processes)
	default:
		return "the command was ended: " + r.Killed
	}
}

// streamsFor wires our streams to the command's. They are copied: no handle
// on anything of this machine is inside.
func (a *app) streamsFor(c *sandbox.Command) error {
	for name, stream := range map[string]any{"input": a.io.in, "output": a.io.out, "error": a.io.err} {
		f, ok := stream.(*os.File)
		if !ok {
			continue
		}
		info, err := f.Stat()
		if err != nil {
			continue // closed: the copy fails, the command sees an end
		}
		if info.IsDir() || info.Mode()&os.ModeDevice != 0 && info.Mode()&os.ModeCharDevice == 0 {
			return fmt.Errorf("standard %s is a folder or a disk; give the command a file, a pipe or a terminal", name)
		}
	}
	out, _ := a.io.out.(*os.File)
	errs, _ := a.io.err.(*os.File)
	switch in := isTTY(a.io.in); {
	case in && isTTY(out) && isTTY(errs):
		c.TTY = true
		return nil
	case in:
		// Reading the terminal here would take keys from whoever else reads it.
	case a.io.in != nil:
		c.Stdin = a.io.in
	}
	c.Stdout, c.Stderr = a.io.out, a.io.err
	return nil
}

// showPlan prints how each entry would be held.
func (a *app) showPlan(plan *sandbox.Plan) (int, error) {
	err := plan.Check()
	code := exitOK
	if err != nil {
		code = exitUnhealthy
	}
	if a.json {
		return code, a.printJSON(plan)
	}
	for _, e := range plan.Entries {
		a.print("%-12s %-7s %-28s %s", e.Slug, e.Tier, e.Rights, e.Real)
	}
	for _, n := range plan.Notes {
		a.notice(n)
	}
	return code, err
}
