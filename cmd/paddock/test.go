package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"paddock"
	"paddock/approve"
	"paddock/internal/show"
	"paddock/internal/wire"
	"paddock/policy"
)

type testCmd struct {
	File    string `arg:"" optional:"" default:"paddock_test.yaml" help:"Test file. Default: ${default}."`
	Verbose bool   `short:"v" help:"Name the tests that pass too."`
}

// outcomeJSON is one test that ran.
type outcomeJSON struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Passed bool   `json:"passed"`
	Failed string `json:"failed,omitempty"` // what was got instead
}

// Run asks the policy each question of the file and prints failures as go test
// does.
func (c *testCmd) Run(a *app) error {
	started := time.Now()
	text, err := readBounded(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no test file %s; name one, or write one such as: tests: [{read: .env, expect: deny}]", c.File)
	}
	if err != nil {
		return fmt.Errorf("test: %w", err)
	}
	file, err := policy.ParseTests(c.File, text)
	if err != nil {
		return err
	}
	if file.Policy != "" && a.policy == "" {
		a.policy = file.Policy
		if !filepath.IsAbs(a.policy) {
			a.policy = filepath.Join(filepath.Dir(c.File), a.policy)
		}
	}
	setup, err := a.open(wire.Options{DryRun: true, Approver: approve.None})
	if err != nil {
		return err
	}
	defer setup.Guard.Close()

	outcomes := make([]outcomeJSON, len(file.Tests))
	failed := 0
	for i, t := range file.Tests {
		wrong := c.one(a, setup.Guard, t)
		outcomes[i] = outcomeJSON{t.Name, t.Written.Line, wrong == "", wrong}
		if wrong != "" {
			failed++
		}
	}
	return c.report(a, file, outcomes, failed, time.Since(started))
}

// one runs a test and tells what is wrong, "" when it passes.
func (c *testCmd) one(a *app, g *paddock.Guard, t policy.Test) string {
	if t.Worker != "" {
		worker, err := g.Worker(t.Worker, approve.None)
		if err != nil {
			return err.Error()
		}
		g = worker
	}
	e, err := explain(a, g, t.Asks, t.Target)
	if err != nil {
		return fmt.Sprintf("%s %s: got the error %q, want %s", t.Asks, t.Target, err, t.Expect)
	}
	var wrong []string
	if e.Verdict != t.Expect {
		wrong = append(wrong, fmt.Sprintf("got %s, want %s", e.Verdict, t.Expect))
	}
	if t.Kind != "" && e.Kind != t.Kind {
		wrong = append(wrong, fmt.Sprintf("got the kind %q, want %s", e.Kind, t.Kind))
	}
	if t.Line != 0 && !slices.ContainsFunc(e.Because, func(b policy.Because) bool { return b.Line == t.Line }) {
		wrong = append(wrong, fmt.Sprintf("line %d of the policy said nothing", t.Line))
	}
	if wrong == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s: %s", t.Asks, t.Target, strings.Join(wrong, "; "))
	for _, b := range e.Because {
		text += "\n" + because(b)
	}
	return text
}

func (c *testCmd) report(a *app, file *policy.TestFile, outcomes []outcomeJSON, failed int, took time.Duration) error {
	result := error(coded{exitOK, nil})
	if failed > 0 {
		result = coded{exitError, nil}
	}
	if a.json {
		err := a.printJSON(map[string]any{"file": c.File, "passed": len(outcomes) - failed, "failed": failed, "tests": outcomes})
		if err != nil {
			return err
		}
		return result
	}
	for i, o := range outcomes {
		switch {
		case !o.Passed:
			a.print("--- FAIL: %s", show.Line(o.Name))
			first, rest, _ := strings.Cut(o.Failed, "\n")
			a.print("    %s: %s", show.Line(file.Tests[i].Written.String()), show.Line(first))
			if rest != "" {
				for l := range strings.SplitSeq(rest, "\n") {
					a.print("        %s", show.Line(l))
				}
			}
		case c.Verbose:
			a.print("--- PASS: %s", show.Line(o.Name))
		}
	}
	if failed > 0 {
		a.print("FAIL\t%s\t%d of %d failed", show.Line(c.File), failed, len(outcomes))
		return result
	}
	a.print("ok  \t%s\t%d tests\t%.3fs", show.Line(c.File), len(outcomes), took.Seconds())
	return result
}

// readBounded reads a file up to one byte more than the parsers take.
func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, policy.MaxFile+1))
}
