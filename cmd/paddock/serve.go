package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"paddock/internal/mcpserver"
	"paddock/internal/wire"
)

type serveCmd struct {
	toolsFlag
	httpFlags
}

// lastCalls is how long the server may take to end once it was told to.
const lastCalls = 3 * time.Second

// Run serves one MCP client until it closes standard input, or many over HTTP.
func (c *serveCmd) Run(a *app) error {
	defer calmCollector()()
	if c.HTTP != nil {
		return c.serveHTTP(a, c.chosen())
	}
	if flag := c.stray(); flag != "" {
		return coded{exitUsage, fmt.Errorf("%s is about HTTP; it goes with --http", flag)}
	}
	setup, err := a.open(wire.Options{})
	if err != nil {
		return err
	}
	defer setup.Close()
	if isTerminal(a.io.in) {
		a.notice("this speaks MCP on standard input and output: let an agent's host start it (Ctrl-C ends it)")
	}
	// A client that stopped reading can hold an answer, and with it the end of
	// the server, for ever.
	stop := context.AfterFunc(a.ctx, func() {
		time.Sleep(lastCalls)
		os.Exit(exitError)
	})
	defer stop()
	watch := a.telemetry()
	defer a.endTelemetry(watch)
	number, _ := version()
	tools := c.chosen()
	server := mcpserver.New(setup.Guard, tools, number)
	server.Observe(watch, tools)
	err = server.ServeStdio(a.ctx)
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
