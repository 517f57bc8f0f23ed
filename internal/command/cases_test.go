package command

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A caseRow is one line of testdata/*-cases.jsonl: a policy's command lists, a
// line, and the outcomes that are right. Contained stands for "may run, the
// kernel stops the harm", which is the same as allow here.
type caseRow struct {
	ID, Source, Kind, Line, Want, Why string
	Unlisted                          string
	Allow, Deny, Ask                  []string
	// Files are the redirections that must be reported, as path:rw.
	Files []string
	// The line judged is Start, Repeat times Front, then Line.
	Repeat       int
	Start, Front string
}

func readCases(t *testing.T, pattern string) []caseRow {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case file matches %s: %v", pattern, err)
	}
	var rows []caseRow
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var row caseRow
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			rows = append(rows, row)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

func unlistedOf(t *testing.T, word string) Unlisted {
	t.Helper()
	switch word {
	case "":
		return UnlistedDefault
	case "allow":
		return UnlistedAllow
	case "ask":
		return UnlistedAsk
	case "deny":
		return UnlistedDeny
	}
	t.Fatalf("no such word for unlisted commands: %q", word)
	return 0
}

func TestCases(t *testing.T) {
	for _, row := range readCases(t, "testdata/*-cases.jsonl") {
		t.Run(row.ID, func(t *testing.T) {
			j, err := New(Lists{Allowed: row.Allow, Denied: row.Deny, Ask: row.Ask, Unlisted: unlistedOf(t, row.Unlisted)})
			if err != nil {
				t.Fatal(err)
			}
			line := row.Start + strings.Repeat(row.Front, row.Repeat) + row.Line
			got, files := j.Line(line)
			right := false
			for _, want := range strings.Split(row.Want, "|") {
				switch want {
				case "contained":
					want = "allow"
				case "error":
					want = "deny"
				}
				right = right || got.Outcome.String() == want
			}
			if !right {
				t.Errorf("%q: got %+v, want %s (%s)", line, got, row.Want, row.Why)
			}
			if row.Files != nil {
				var names []string
				for _, f := range files {
					names = append(names, showRedirect(f))
				}
				if strings.Join(names, " ") != strings.Join(row.Files, " ") {
					t.Errorf("%q: got redirections %q, want %q", line, names, row.Files)
				}
			}
		})
	}
}

// showRedirect spells a redirection as [dir/]path:rw, with a ? when not literal.
func showRedirect(f Redirect) string {
	s := f.Path + ":"
	if f.Dir != "" {
		s = f.Dir + "//" + s
	}
	if f.Read {
		s += "r"
	}
	if f.Write {
		s += "w"
	}
	if !f.Literal {
		s += "?"
	}
	return s
}
