package wire

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"paddock"
	"paddock/audit"
	"paddock/policy"
)

// Options are what Open may be told besides the policy.
type Options struct {
	// Approver takes the place of the policy's approval.chain, which must be
	// one that this version has all the same. Nil: the chain is used.
	Approver paddock.Approver
	// Private are further files and folders that no agent may reach, by
	// absolute path: what holds tokens.
	Private []string
	// DryRun makes no state folder and keeps no old content: for commands that
	// only ask what would be.
	DryRun bool
}

// Setup is a policy at work.
type Setup struct {
	Source  *Source
	Context *policy.SecurityContext
	Guard   *paddock.Guard
	Own     policy.Own
	// Approver is what the Guard asks.
	Approver paddock.Approver
	// Record is the audit log; nil for a dry run.
	Record *audit.Log
	// Notices are sentences for the person who started Paddock.
	Notices []string
}

// Open parses the policy, opens its mounts and makes the Guard. An error about
// the policy is a *policy.LoadError, with the file, line and column of each
// thing that is wrong. A log that was tampered with is audit.ErrBroken. Close the
// Setup when done.
func Open(s *Source, e Environment, o Options) (*Setup, error) {
	c, err := s.Parse()
	if err != nil {
		return nil, err
	}
	state, err := e.StateFolder()
	if !o.DryRun && err == nil {
		state, err = e.State()
	}
	if err != nil && !o.DryRun {
		return nil, err
	}
	setup := &Setup{Source: s, Context: c, Own: e.own(s, state), Notices: s.Notices}
	for _, path := range o.Private {
		links, end := trail(path)
		setup.Own.Files = append(setup.Own.Files, links...)
		setup.Own.Private = append(setup.Own.Private, end)
	}
	if err := setup.open(e, o, state); err != nil {
		return nil, errors.Join(err, setup.closeRecord())
	}
	return setup, nil
}

// Close lets go of the mounts and the record.
func (setup *Setup) Close() error { return errors.Join(setup.Guard.Close(), setup.closeRecord()) }

func (setup *Setup) closeRecord() error {
	if setup.Record == nil {
		return nil
	}
	return setup.Record.Close()
}

func (setup *Setup) open(e Environment, o Options, state string) error {
	s, c := setup.Source, setup.Context
	ask, err := approver(c, s.Trusted)
	if err != nil {
		return err
	}
	if o.Approver != nil {
		ask = o.Approver
	}
	setup.Approver = ask
	opened, err := mounts(c, s.Dir())
	if err != nil {
		return err
	}
	options := paddock.Options{Context: c, Mounts: opened.backends, Own: setup.Own, Approver: ask, Dir: s.Dir()}
	if !o.DryRun {
		options.Save = saver(state)
		if setup.Record, err = record(s, state); err != nil {
			opened.close()
			return err
		}
		options.Recorder = setup.Record
	}
	if !s.Trusted {
		if options.Cap, err = capOf(s, setup.Own); err != nil {
			opened.close()
			return err
		}
		options.CapNotice = capNotice
		setup.Notices = append(setup.Notices, fmt.Sprintf("%s was found and nobody vouched for it: it grants no more than reading in %s; look at it, then run: paddock trust", s.Path, s.Dir()))
	}
	if setup.Guard, err = paddock.New(options); err != nil {
		opened.close()
		return inFile(s, err)
	}
	err = writableLinks(c, opened, setup.Guard.Policy())
	if err == nil {
		err = workers(c, setup.Guard)
	}
	if err != nil {
		setup.Guard.Close()
	}
	return err
}

// inFile names the file in an error that does not.
func inFile(s *Source, err error) error {
	var load *policy.LoadError
	if errors.As(err, &load) {
		return err
	}
	return fmt.Errorf("%s: %w", s.Path, err)
}

// workers tries every worker of the policy, so that one that would widen it is
// told at the start and not when an agent wants to delegate.
func workers(c *policy.SecurityContext, g *paddock.Guard) error {
	var problems []policy.Problem
	for _, name := range slices.Sorted(maps.Keys(c.Workers)) {
		if _, err := g.Worker(name, nil); err != nil {
			at := "workers." + name
			problems = append(problems, policy.Problem{Position: c.Where(at), Text: at + ": " + err.Error()})
		}
	}
	if len(problems) > 0 {
		return &policy.LoadError{Problems: problems}
	}
	return nil
}
