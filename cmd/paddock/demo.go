package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"paddock/internal/mcpserver"
	"paddock/internal/show"
)

//go:embed demo.yaml
var demoPolicy string

type demoCmd struct {
	Ask  bool `help:"Ask you for the approval, at your terminal, in place of a pretended person."`
	Keep bool `help:"Keep the folder of the demo."`
}

// demoTime bounds the demo, so that something that hangs is a failure.
const demoTime = time.Minute

// demoOutcome is one step as it went, for programs.
type demoOutcome struct {
	Step  string `json:"step"`
	Tool  string `json:"tool"`
	Args  any    `json:"args"`
	Text  string `json:"text"`
	Asked string `json:"asked,omitempty"` // what the person saw
	Error bool   `json:"isError"`
	Kind  string `json:"kind,omitempty"`
	Wrong string `json:"wrong,omitempty"`
}

// Run starts this program again as a server, connects a client of the official
// SDK to it, and acts as the agent. Each outcome is checked; one that is not
// as it should be fails the demo.
func (c *demoCmd) Run(a *app) error {
	dir, err := demoFolder()
	if err != nil {
		return err
	}
	if !c.Keep {
		defer os.RemoveAll(dir)
	}
	ctx, cancel := context.WithTimeout(a.ctx, demoTime)
	defer cancel()
	server, person, err := c.server(ctx, a, dir)
	if err != nil {
		return err
	}
	if person != nil {
		defer person.close()
	}
	client, err := mcpserver.Dial(ctx, server, "")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer client.Close()

	c.introduce(a, dir)
	outcomes := make([]demoOutcome, 0, len(demoSteps))
	failed := 0
	for i, step := range demoSteps {
		o, err := step.run(ctx, client, person, filepath.Join(dir, "workspace"))
		if err != nil {
			return fmt.Errorf("demo: step %d: %w", i+1, err)
		}
		if o.Wrong != "" {
			failed++
		}
		outcomes = append(outcomes, o)
		if !a.json {
			o.print(a, i+1)
		}
	}
	if err := client.Close(); err != nil {
		return fmt.Errorf("demo: the server did not end well: %w", err)
	}
	return c.sum(a, dir, outcomes, failed)
}

// server is this program, started again to serve the demo's folder.
func (c *demoCmd) server(ctx context.Context, a *app, dir string) (*exec.Cmd, *pretended, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("demo: %w", err)
	}
	server := exec.CommandContext(ctx, self, "--policy", filepath.Join(dir, "paddock.yaml"), "serve")
	server.Dir = dir
	server.Env = append(os.Environ(), "PADDOCK_STATE="+filepath.Join(dir, "state"))
	server.Stderr = a.io.err
	if c.Ask {
		return server, nil, nil
	}
	person, err := pretend(server)
	if err != nil {
		return nil, nil, fmt.Errorf("demo: %w", err)
	}
	return server, person, nil
}

func (c *demoCmd) introduce(a *app, dir string) {
	if a.json {
		return
	}
	a.print("An MCP server and a client, in %s, under this policy:\n", show.Line(dir))
	a.print("%s\n", indented(demoPolicy))
}

// run does one step.
func (s *demoStep) run(ctx context.Context, client *mcpserver.Client, person *pretended, workspace string) (demoOutcome, error) {
	o := demoOutcome{Step: s.title, Tool: s.tool, Args: s.args}
	asked := make(chan string, 1)
	if s.asks && person != nil {
		go func() { asked <- person.agree(ctx) }()
	}
	reply, err := client.Call(ctx, s.tool, s.args)
	if err != nil {
		return o, err
	}
	o.Text, o.Error, o.Kind, o.Wrong = reply.Text, reply.IsError, reply.Kind, s.wrong(workspace, reply)
	if s.asks && person != nil {
		person.done()
		o.Asked = <-asked
		if o.Wrong == "" && (!strings.Contains(o.Asked, "-"+demoOld) || !strings.Contains(o.Asked, "+"+demoNew)) {
			o.Wrong = "the person was not shown the change"
		}
	}
	return o, nil
}

func (o *demoOutcome) print(a *app, number int) {
	args, err := json.Marshal(o.Args)
	if err != nil {
		args = []byte("?")
	}
	a.print("%d. %s\n", number, o.Step)
	a.print("    agent: %s %s", o.Tool, show.Line(string(args)))
	if o.Asked != "" {
		a.print("    person sees:\n%s", indented(indented(strings.Trim(o.Asked, "\n"))))
	}
	a.print("    paddock:\n%s", indented(indented(show.Text(o.Text))))
	if o.Wrong != "" {
		a.print("    FAILED: %s", o.Wrong)
	}
	a.print("")
}

func (c *demoCmd) sum(a *app, dir string, outcomes []demoOutcome, failed int) error {
	if a.json {
		if err := a.printJSON(map[string]any{"steps": outcomes, "failed": failed}); err != nil {
			return err
		}
	}
	if failed > 0 {
		return coded{exitError, fmt.Errorf("%d of %d steps did not go as they should", failed, len(outcomes))}
	}
	if !a.json {
		a.print("All %d steps went as they should.", len(outcomes))
		a.print("Next: paddock init in a folder of yours, paddock check, and give your agent's host the command: paddock serve --policy FILE")
	}
	if c.Keep {
		a.notice("the folder is kept: " + dir)
	}
	return nil
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
