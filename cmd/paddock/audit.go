package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"paddock/audit"
	"paddock/internal/show"
	"paddock/internal/wire"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check every link of the record; exit 7 names the first that is broken."`
	Show   auditShowCmd   `cmd:"" help:"Print the record."`
	Tail   auditTailCmd   `cmd:"" help:"Print the end of the record and what is added to it."`
}

// recordFolder is where this user's record lies.
func recordFolder() (string, error) {
	env, err := wire.System()
	if err != nil {
		return "", err
	}
	state, err := env.StateFolder()
	if err != nil {
		return "", err
	}
	return wire.RecordFolder(state), nil
}

type auditVerifyCmd struct {
	Anchor string `help:"A head that was kept elsewhere; the record must hold it." placeholder:"SEQ:HASH"`
}

// Run checks the record.
func (c *auditVerifyCmd) Run(a *app) error {
	dir, err := recordFolder()
	if err != nil {
		return err
	}
	var anchor *audit.Anchor
	if c.Anchor != "" {
		at, err := audit.ParseAnchor(c.Anchor)
		if err != nil {
			return coded{exitUsage, err}
		}
		anchor = &at
	}
	r, err := audit.Verify(dir, anchor)
	if err != nil {
		return err
	}
	word := "no --anchor was given: a record that was written anew as a whole, or cut at its end, would look the same; keep the head elsewhere, and give it next time"
	if r.Anchored {
		word = "the anchor is in it"
	}
	if a.json {
		return a.printJSON(map[string]any{
			"records": r.Records, "first": r.First, "head": r.Head.String(), "torn_bytes": r.Torn, "anchored": r.Anchored,
		})
	}
	a.print("ok: %d records, from number %d on, and each follows from the one before", r.Records, r.First)
	a.print("head %s", r.Head)
	if r.Torn > 0 {
		a.print("%d bytes behind it are of a record that was not written whole; the next start cuts them off", r.Torn)
	}
	a.print("%s", word)
	return nil
}

// auditFilter says which records are of interest.
type auditFilter struct {
	Tool    string `help:"Of this tool alone." placeholder:"NAME"`
	Agent   string `help:"Of this agent alone: the name of its policy; TOKEN:NAME over HTTP." placeholder:"NAME"`
	Verdict string `help:"With this verdict alone: allow, ask, deny, approve, edit, reject, respond." placeholder:"WORD"`
	Step    string `help:"Of this step alone: loaded, decided, asked, answered, effect, outcome, recovered." placeholder:"WORD"`
}

// Validate refuses words that no record holds: an empty answer would look like
// a quiet record.
func (f *auditFilter) Validate() error {
	for _, w := range []struct {
		flag, word string
		known      []string
	}{
		{"--verdict", f.Verdict, []string{"allow", "ask", "deny", "approve", "edit", "reject", "respond"}},
		{"--step", f.Step, []string{"loaded", "decided", "asked", "answered", "effect", "outcome", "recovered"}},
	} {
		if w.word != "" && !slices.Contains(w.known, w.word) {
			return fmt.Errorf("%s %s: no record has that; there are %s", w.flag, w.word, strings.Join(w.known, ", "))
		}
	}
	return nil
}

func (f *auditFilter) wants(r audit.Record) bool {
	e := &r.Event
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Tool, e.Tool) && is(f.Agent, e.Agent) && is(f.Verdict, e.Verdict) && is(f.Step, string(e.Step))
}

type auditShowCmd struct {
	auditFilter
}

// Run prints the records that are wanted, checked as they are read.
func (c *auditShowCmd) Run(a *app) error {
	dir, err := recordFolder()
	if err != nil {
		return err
	}
	err = audit.Each(dir, func(r audit.Record) error {
		if c.wants(r) {
			return a.printRecord(r)
		}
		return nil
	})
	if errors.Is(err, audit.ErrTorn) {
		a.notice(err.Error())
		return nil
	}
	return err
}

// printRecord writes one record, one line.
func (a *app) printRecord(r audit.Record) error {
	if a.json {
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		a.print("%s", text)
		return nil
	}
	e := &r.Event
	parts := []string{fmt.Sprintf("%6d", r.Seq), e.Time.Local().Format(time.DateTime), string(e.Step)}
	for _, part := range []string{e.Agent, e.Tool, e.Verdict, string(e.Kind), e.Asked} {
		if part != "" {
			parts = append(parts, show.Line(part))
		}
	}
	if e.Step == wire.StepLoaded {
		parts = append(parts, show.Line(e.Real))
	}
	if e.By != "" {
		parts = append(parts, "by "+show.Line(e.By))
	}
	for _, b := range e.Because {
		if b.Line > 0 {
			parts = append(parts, fmt.Sprintf("(%s:%d)", show.Line(b.File), b.Line))
		}
	}
	if e.Error != "" {
		parts = append(parts, "error: "+show.Line(e.Error))
	}
	a.print("%s", strings.Join(parts, "  "))
	return nil
}

type auditTailCmd struct {
	auditFilter
	Lines  int  `short:"n" default:"20" help:"How many records of the end."`
	Follow bool `short:"f" help:"Go on with what is added, until interrupted."`
}

// pollRecord is how often a followed record is looked at.
const pollRecord = 300 * time.Millisecond

// Run prints the end of the record. It is read and checked whole each time: a
// record that was changed while it is followed is told.
func (c *auditTailCmd) Run(a *app) error {
	dir, err := recordFolder()
	if err != nil {
		return err
	}
	var seen uint64
	for before := int64(-1); ; {
		size, err := audit.Size(dir)
		if err != nil {
			return err
		}
		if size != before {
			if seen, err = c.print(a, dir, seen); err != nil {
				return err
			}
		}
		before = size
		if !c.Follow {
			return nil
		}
		select {
		case <-a.ctx.Done():
			return nil
		case <-time.After(pollRecord):
		}
	}
}

// print writes the wanted records behind seen, at first those at the end
// alone, and tells the last one that was read.
func (c *auditTailCmd) print(a *app, dir string, seen uint64) (uint64, error) {
	var last []audit.Record
	head := seen
	err := audit.Each(dir, func(r audit.Record) error {
		head = r.Seq
		if r.Seq <= seen || !c.wants(r) {
			return nil
		}
		if last = append(last, r); seen == 0 && len(last) > max(c.Lines, 0) {
			last = last[1:]
		}
		return nil
	})
	if err != nil && !errors.Is(err, audit.ErrTorn) {
		return head, err
	}
	for _, r := range last {
		if err := a.printRecord(r); err != nil {
			return head, err
		}
	}
	return head, nil
}
