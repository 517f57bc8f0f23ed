package cases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A bugCase is one line of a *-cases.jsonl file; its README is in
// testdata/cases.
type bugCase struct {
	ID, Source, Kind string
	Policy           string
	Input            struct {
		Setup []map[string]any
		Calls []map[string]any
		Note  string
	}
	Expected struct {
		Verdict any // a text, or one for each call
		Must    []string
		MustNot []string `json:"must_not"`
	}
}

// ownCases tells whether the cases are the project's copies, which hold no
// statement that the runner does not understand.
func casesFolder() (dir string, own bool) {
	if dir := os.Getenv("PADDOCK_CASES"); dir != "" {
		return dir, false
	}
	return "../testdata/cases", true
}

func readCases(t *testing.T, dir string) []bugCase {
	files, err := filepath.Glob(filepath.Join(dir, "*-cases.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *-cases.jsonl in %s: %v", dir, err)
	}
	var all []bugCase
	for _, file := range files {
		eachLine(t, file, func(line []byte) error {
			var c bugCase
			err := json.Unmarshal(line, &c)
			all = append(all, c)
			return err
		})
	}
	return all
}

func eachLine(t *testing.T, file string, do func([]byte) error) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := do(lines.Bytes()); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// verdicts are the acceptable words for the i-th call.
func (c *bugCase) verdicts(i int) []string {
	switch v := c.Expected.Verdict.(type) {
	case string:
		return strings.Split(v, "|")
	case []any:
		if i < len(v) {
			return strings.Split(v[i].(string), "|")
		}
		if len(v) == 1 {
			return strings.Split(v[0].(string), "|")
		}
	}
	return nil
}
