package policy_test

import (
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"paddock/internal/corpus"
	"paddock/policy"
)

func (r *corpusRun) yes(got bool) {
	if want := r.row.Want.Yes; want == nil || *want != got {
		r.t.Errorf("the answer is %v", got)
	}
}

// decision compares an answer about a path.
func (r *corpusRun) decision(d *policy.Decision, err error) {
	want := r.row.Want
	if err != nil {
		if want.Verdict != "error" || !strings.Contains(err.Error(), want.Error) {
			r.t.Errorf("the error is %q; want %+v", err, *want)
		}
		return
	}
	r.verdict(d.Verdict, d.Kind, d.Because())
	if want.Virtual != nil && d.Virtual() != corpus.Place(*want.Virtual, corpusBase) {
		r.t.Errorf("the virtual path is %q; want %q", d.Virtual(), *want.Virtual)
	}
	if want.Entry != nil && d.Entry() != *want.Entry {
		r.t.Errorf("the entry is %q; want %q", d.Entry(), *want.Entry)
	}
	if want.Real != "" && d.Real != corpus.Place(want.Real, corpusBase) {
		r.t.Errorf("the real path is %q; want %q", d.Real, want.Real)
	}
	if want.RealHex != "" && hex.EncodeToString([]byte(path.Base(d.Real))) != want.RealHex {
		r.t.Errorf("the real path is %q; want %s at its end", d.Real, want.RealHex)
	}
	if want.Orphan != d.Orphan && want.Orphan {
		r.t.Errorf("the folder of the object is missing too; the decision does not say so")
	}
	r.told(d.Denial("do this"))
}

// command compares an answer about a command line.
func (r *corpusRun) command(d *policy.CommandDecision) {
	kind := policy.Kind("")
	if d.Verdict == policy.Deny {
		kind = policy.CommandDenied
	}
	r.verdict(d.Verdict, kind, d.Because())
	r.told(d.Denial())
}

func (r *corpusRun) verdict(v policy.Verdict, kind policy.Kind, because []policy.Because) {
	want := r.row.Want
	if !slices.Contains(strings.Split(want.Verdict, "|"), v.String()) || want.Kind != "" && string(kind) != want.Kind {
		r.t.Errorf("the answer is %s %s; want %s %s; %v", v, kind, want.Verdict, want.Kind, because)
	}
	var lines []int
	for _, b := range because {
		lines = append(lines, b.Line)
	}
	if want.Line != nil && (len(lines) == 0 || lines[0] != *want.Line) {
		r.t.Errorf("the lines %v spoke; want %d: %v", lines, *want.Line, because)
	}
	if want.Lines != nil && !slices.Equal(lines, want.Lines) {
		r.t.Errorf("the lines %v spoke; want %v: %v", lines, want.Lines, because)
	}
}

// told compares what the agent reads of a refusal.
func (r *corpusRun) told(d *policy.Denial) {
	want := r.row.Want
	text := ""
	if d != nil {
		text = d.Error()
		if strings.Contains(text, corpusBase+"/") {
			r.t.Errorf("the agent is told a real path: %q", text)
		}
	}
	if !strings.Contains(text, want.Text) || want.NoText != "" && strings.Contains(text, want.NoText) {
		r.t.Errorf("the agent is told %q; want %q and not %q", text, want.Text, want.NoText)
	}
}
