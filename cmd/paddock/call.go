package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"paddock/internal/show"
	"paddock/internal/wire"
	"paddock/tool"
)

type callCmd struct {
	Tool string `arg:"" help:"Name of the tool, see paddock tools."`
	Args string `arg:"" optional:"" default:"{}" name:"json" help:"Arguments, as a JSON object; - reads them from standard input."`
}

// callResult is what a tool returned, for programs.
type callResult struct {
	Text       string      `json:"text"`
	Structured any         `json:"structured,omitempty"`
	Images     []imageJSON `json:"images,omitempty"`
	IsError    bool        `json:"isError"`
	Denied     bool        `json:"denied"`
	Kind       string      `json:"kind,omitempty"`
}

type imageJSON struct {
	MIME string `json:"mime"`
	Data []byte `json:"data"` // base64
}

// Run makes one call through the Guard, as an agent's would go, approvals
// included.
func (c *callCmd) Run(a *app) error {
	tools := allTools()
	i := slices.IndexFunc(tools, func(t tool.Tool) bool { return t.Name == c.Tool })
	if i < 0 {
		return coded{exitUsage, fmt.Errorf("there is no tool %q; there are %s", c.Tool, strings.Join(names(tools), ", "))}
	}
	args := []byte(c.Args)
	if c.Args == "-" {
		var err error
		if args, err = io.ReadAll(io.LimitReader(a.io.in, tool.MaxArgs+1)); err != nil {
			return fmt.Errorf("reading the arguments: %w", err)
		}
	}
	if !json.Valid(args) {
		return coded{exitUsage, fmt.Errorf("the arguments of %s are not JSON: %s; write them like '{\"path\":\"/\"}', see paddock tools", c.Tool, show.Cut(show.Line(string(args)), 200))}
	}
	setup, err := a.open(wire.Options{})
	if err != nil {
		return err
	}
	defer setup.Close()
	r := tool.Run(a.ctx, setup.Guard, tools[i], args, nil)
	if err := c.print(a, r); err != nil {
		return err
	}
	switch {
	case r.Denied:
		return coded{code: codeOfKind(r.Kind)}
	case r.IsError:
		return coded{code: exitError}
	default:
		return nil
	}
}

// print writes what the tool said as it said it: the result of a call is data,
// and a script compares it byte by byte. On a terminal it is made safe.
func (c *callCmd) print(a *app, r tool.Result) error {
	if a.json {
		out := callResult{Text: r.Text, Structured: r.Structured, IsError: r.IsError, Denied: r.Denied, Kind: string(r.Kind)}
		for _, image := range r.Images {
			out.Images = append(out.Images, imageJSON(image))
		}
		return a.printJSON(out)
	}
	text := r.Text
	if isTerminal(a.io.out) || r.IsError {
		text = show.Text(text)
	}
	to := a.io.out
	if r.IsError {
		to = a.io.err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if _, err := io.WriteString(to, text); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	for _, image := range r.Images {
		a.notice(fmt.Sprintf("the result has an image (%s, %d bytes); --json prints it", image.MIME, len(image.Data)))
	}
	return nil
}

func names(tools []tool.Tool) []string {
	all := make([]string, len(tools))
	for i, t := range tools {
		all[i] = t.Name
	}
	return all
}
