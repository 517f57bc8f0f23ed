package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"paddock/approve"
	"paddock/internal/show"
	"paddock/internal/trust"
	"paddock/internal/wire"
)

type trustCmd struct {
	File   string `arg:"" optional:"" help:"Policy file. Default: the one that is found from here."`
	List   bool   `xor:"what" help:"List what is trusted."`
	Revoke bool   `xor:"what" help:"Trust the file no longer."`
}

// Run vouches for the content of a policy file, after the person at the
// terminal said yes to it. Without a terminal it refuses: trust that a program
// could give would be no trust.
func (c *trustCmd) Run(a *app) error {
	env, err := wire.System()
	if err != nil {
		return err
	}
	state, err := env.State()
	if err != nil {
		return err
	}
	store := trust.In(state)
	if c.List {
		return c.list(a, store)
	}
	source, err := c.choose(a, env)
	if c.Revoke {
		return c.revoke(a, store, source, err)
	}
	if err != nil {
		return err
	}
	if _, err := source.Parse(); err != nil {
		return err
	}
	if already, err := store.Trusted(source.Real, source.Content); err == nil && already {
		return c.done(a, source, "trusted", "is trusted already")
	}
	yes, err := approve.NewTerminal().Confirm(a.ctx, preview(source), fmt.Sprintf("Trust %s as it is here?", source.Real))
	var cannot *approve.CannotAsk
	if errors.As(err, &cannot) {
		return coded{exitAsk, fmt.Errorf("only a person at a terminal can trust a policy, and %s; --policy FILE names one for one start", cannot.Why)}
	}
	if err != nil {
		return err
	}
	if !yes {
		return coded{exitRefused, fmt.Errorf("%s is not trusted", source.Path)}
	}
	if err := store.Trust(source.Real, source.Content); err != nil {
		return err
	}
	return c.done(a, source, "trusted", "is trusted until it changes")
}

// choose finds the file: the argument, else what a start without --policy
// would find.
func (c *trustCmd) choose(a *app, env wire.Environment) (*wire.Source, error) {
	if c.File == "" {
		c.File = a.policy
	}
	return wire.Choose(c.File, env)
}

// previewLines bounds what is shown of the file before the question.
const previewLines = 300

func preview(s *wire.Source) string {
	lines := strings.SplitAfter(string(s.Content), "\n")
	if len(lines) <= previewLines {
		return string(s.Content)
	}
	return strings.Join(lines[:previewLines], "") + fmt.Sprintf("… %d more lines; read them in the file …", len(lines)-previewLines)
}

func (c *trustCmd) done(a *app, s *wire.Source, word, text string) error {
	if a.json {
		return a.printJSON(map[string]string{"file": s.Real, "digest": trust.Digest(s.Real, s.Content), "result": word})
	}
	a.print("%s %s", show.Line(s.Real), text)
	return nil
}

func (c *trustCmd) list(a *app, store *trust.Store) error {
	entries, err := store.List()
	if err != nil {
		return err
	}
	if a.json {
		if entries == nil {
			entries = []trust.Entry{}
		}
		return a.printJSON(entries)
	}
	for _, e := range entries {
		a.print("%s  %s  %s", e.Since.Format("2006-01-02"), show.Cut(e.Digest, 12), show.Line(e.Path))
	}
	return nil
}

// revoke works for a file that is gone too, by its name.
func (c *trustCmd) revoke(a *app, store *trust.Store, s *wire.Source, err error) error {
	var real string
	switch {
	case err == nil:
		real = s.Real
	case c.File == "":
		return err
	default:
		var bad error
		if real, bad = filepath.Abs(c.File); bad != nil {
			return bad
		}
	}
	was, err := store.Revoke(real)
	if err != nil {
		return err
	}
	if !was {
		return fmt.Errorf("%s was not trusted", real)
	}
	if a.json {
		return a.printJSON(map[string]string{"file": real, "result": "revoked"})
	}
	a.print("%s is trusted no longer", show.Line(real))
	return nil
}
