package main

import (
	"errors"
	"fmt"

	"paddock/approve"
	"paddock/internal/show"
	"paddock/internal/wire"
	"paddock/policy"
)

type checkCmd struct {
	File string `arg:"" optional:"" help:"Policy file. Default: the one in force."`
}

// Run prints every problem of the policy as FILE:LINE:COL: text, then every
// warning. Problems fail; warnings do not.
func (c *checkCmd) Run(a *app) error {
	if c.File != "" {
		a.policy = c.File
	}
	env, err := wire.System()
	if err != nil {
		return err
	}
	source, err := wire.Choose(a.policy, env)
	if err != nil {
		return err
	}
	report := checkReport{File: source.Path, Trusted: source.Trusted, Problems: []problemJSON{}, Warnings: []problemJSON{}}
	setup, err := wire.Open(source, env, wire.Options{DryRun: true, Approver: approve.None})
	var load *policy.LoadError
	switch {
	case errors.As(err, &load):
		report.Problems = problemsJSON(load.Problems)
	case err != nil:
		report.Problems = []problemJSON{{File: source.Path, Text: err.Error()}}
	default:
		defer setup.Close()
		report.Warnings = problemsJSON(append(setup.Context.Warnings(), setup.Warnings()...))
	}
	report.OK = len(report.Problems) == 0
	return report.print(a)
}

// checkReport is what check found.
type checkReport struct {
	File     string        `json:"file"`
	OK       bool          `json:"ok"`
	Trusted  bool          `json:"trusted"`
	Problems []problemJSON `json:"problems"`
	Warnings []problemJSON `json:"warnings"`
}

func (r *checkReport) print(a *app) error {
	var failed error
	if !r.OK {
		failed = coded{exitError, nil}
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
		return failed
	}
	for _, p := range r.Problems {
		a.print("%s", show.Line(p.place()+p.Text))
	}
	for _, p := range r.Warnings {
		a.print("%s", show.Line(p.place()+"warning: "+p.Text))
	}
	if r.OK {
		a.print("%s: ok", show.Line(r.File))
	}
	if r.OK && !r.Trusted {
		a.notice(fmt.Sprintf("%s was found and is not trusted: it grants no more than reading in its own folder until paddock trust", r.File))
	}
	return failed
}

// place begins a line that is about a place in a file.
func (p problemJSON) place() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	default:
		return fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
	}
}
