package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"paddock/internal/show"
	"paddock/internal/wire"
)

// streams are what a command reads and writes: results on out, messages on err.
type streams struct {
	in       *os.File
	out, err io.Writer
}

// cli is the command line. Each subcommand is a type in a file of its own.
type cli struct {
	Policy string `help:"Policy file. Default: $$PADDOCK_POLICY, else the nearest paddock.yaml from here upwards." placeholder:"FILE"`
	JSON   bool   `name:"json" help:"Print the result as JSON."`

	Init       initCmd       `cmd:"" help:"Write a policy to start with."`
	Check      checkCmd      `cmd:"" help:"Say what is wrong with a policy, and what looks wrong."`
	Explain    explainCmd    `cmd:"" help:"Say what the policy answers to a path or a command, and which lines say so."`
	Test       testCmd       `cmd:"" help:"Run the unit tests of a policy."`
	Trust      trustCmd      `cmd:"" help:"Vouch for a policy that was found, after a look at it."`
	Serve      serveCmd      `cmd:"" help:"Serve the tools to an agent over MCP, on standard input and output or over HTTP."`
	Tools      toolsCmd      `cmd:"" help:"List the tools that an agent sees."`
	Call       callCmd       `cmd:"" help:"Call one tool, as an agent would."`
	Run        runCmd        `cmd:"" help:"Run a command where the kernel holds the policy."`
	Audit      auditCmd      `cmd:"" help:"Check and read the record of what was decided and done."`
	Demo       demoCmd       `cmd:"" help:"Show a policy at work: an MCP client and server on a folder made for it."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON Schema of a policy file, for editors."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

// app is what a subcommand works with.
type app struct {
	ctx    context.Context
	io     streams
	policy string // --policy
	json   bool
	model  *kong.Application
}

// stopped is how kong leaves when it printed help: by a panic that run takes.
type stopped int

// run is the whole program but for the process: it returns the exit code.
func run(ctx context.Context, args []string, io streams) (code int) {
	defer func() {
		if p := recover(); p != nil {
			exit, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			code = int(exit)
		}
	}()
	var c cli
	parser, err := kong.New(&c,
		kong.Name("paddock"),
		kong.Description("Gives an AI agent files and search inside one policy.\n\n"+exitHelp),
		kong.Writers(io.out, io.err),
		kong.Exit(func(code int) { panic(stopped(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
	)
	if err != nil {
		fmt.Fprintln(io.err, "paddock:", err)
		return exitError
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	a := &app{ctx: ctx, io: io, model: parser.Model}
	parsed, err := parser.Parse(args)
	if err != nil {
		// The flags were not all read: what was typed tells.
		a.json = slices.Contains(args, "--json")
		return a.fail(coded{exitUsage, usage(err)})
	}
	a.policy, a.json = c.Policy, c.JSON
	return a.fail(parsed.Run(a))
}

// usage adds where help is to an error of the command line.
func usage(err error) error {
	command := "paddock"
	var parse *kong.ParseError
	if errors.As(err, &parse) {
		if n := parse.Context.Selected(); n != nil {
			command = n.FullPath()
		}
		if command == "paddock explain" && strings.HasPrefix(err.Error(), "unexpected argument") {
			err = fmt.Errorf("%w: a command line goes into one argument, in quotes", err)
		}
	}
	return fmt.Errorf("%w; see %s --help", err, command)
}

// fail tells an error and returns its exit code. With --json the error is the
// result.
func (a *app) fail(err error) int {
	code := codeOf(err)
	if err == nil || err.Error() == "" {
		return code
	}
	if a.json {
		a.printJSON(map[string]any{"error": err.Error(), "exit": code})
		return code
	}
	for l := range strings.SplitSeq(err.Error(), "\n") {
		// A problem in a file begins with its place, for editors to jump to.
		if !isPlaced(err) {
			l = "paddock: " + l
		}
		fmt.Fprintln(a.io.err, show.Line(l))
	}
	return code
}

// print writes lines of a result. Text that holds what others wrote must have
// gone through show.
func (a *app) print(format string, args ...any) { fmt.Fprintf(a.io.out, format+"\n", args...) }

// notice tells the person something beside the result.
func (a *app) notice(text string) { fmt.Fprintln(a.io.err, "paddock: "+show.Line(text)) }

// printJSON writes a result for programs.
func (a *app) printJSON(result any) error {
	e := json.NewEncoder(a.io.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(result); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// open chooses the policy and puts it to work. Close the Guard.
func (a *app) open(o wire.Options) (*wire.Setup, error) {
	env, err := wire.System()
	if err != nil {
		return nil, err
	}
	source, err := wire.Choose(a.policy, env)
	if err != nil {
		return nil, err
	}
	setup, err := wire.Open(source, env, o)
	if err != nil {
		return nil, err
	}
	for _, n := range setup.Notices {
		a.notice(n)
	}
	return setup, nil
}
