package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"paddock"
	"paddock/approve"
	"paddock/internal/show"
	"paddock/internal/wire"
	"paddock/policy"
)

type explainCmd struct {
	What   string `arg:"" enum:"read,write,delete,execute,command" help:"read, write, delete, execute or command."`
	Target string `arg:"" help:"The path as the agent writes it, or the command line in one argument."`
}

// Run prints the decision whole, for a person: it names patterns and lines
// that an agent is never told. The exit code is the verdict.
func (c *explainCmd) Run(a *app) error {
	setup, err := a.open(wire.Options{DryRun: true, Approver: approve.None})
	if err != nil {
		return err
	}
	defer setup.Close()
	e, err := explain(a, setup.Guard, c.What, c.Target)
	var path *policy.PathError
	if errors.As(err, &path) { // it names the target
		return fmt.Errorf("%s %w", c.What, err)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", c.What, c.Target, err)
	}
	if a.json {
		err = a.printJSON(e)
	} else {
		c.print(a, e)
	}
	if err != nil {
		return err
	}
	return coded{code: map[policy.Verdict]int{policy.Allow: exitOK, policy.Deny: exitDenied, policy.Ask: exitAsk}[e.Verdict]}
}

// explain asks the Guard, which has no effect and asks nobody.
func explain(a *app, g *paddock.Guard, what, target string) (paddock.Explanation, error) {
	if what == "command" {
		return g.ExplainCommand(a.ctx, target)
	}
	right, err := policy.ParsePermission(what)
	if err != nil {
		return paddock.Explanation{}, coded{exitUsage, err}
	}
	return g.Explain(a.ctx, right, target)
}

func (c *explainCmd) print(a *app, e paddock.Explanation) {
	a.print("%s  %s %s", e.Verdict, c.What, show.Line(c.Target))
	row := func(label, value string) {
		if value != "" {
			a.print("  %-8s %s", label, show.Line(value))
		}
	}
	row("kind", string(e.Kind))
	row("path", e.Virtual)
	row("file", e.Real)
	row("mount", e.Entry)
	for i, b := range e.Because {
		label := "because"
		if i > 0 {
			label = ""
		}
		row(label, because(b))
	}
	// A reason that stands above already is not said again.
	if !slices.ContainsFunc(e.Because, func(b policy.Because) bool { return strings.HasSuffix(b.Text, e.Hint) }) {
		row("hint", e.Hint)
	}
}

// because writes a line of the policy with its place.
func because(b policy.Because) string {
	var place strings.Builder
	if b.File != "" {
		place.WriteString(b.File + ":")
		if b.Line > 0 {
			fmt.Fprintf(&place, "%d:", b.Line)
		}
		place.WriteString(" ")
	}
	return place.String() + b.Text
}
