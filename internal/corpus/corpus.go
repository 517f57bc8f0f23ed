// Package corpus reads the decision corpus in testdata/decisions, which tells
// what the policy answers without telling how. Its README describes the rows.
// Tests of several packages run the same rows on trees of their own.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Row is one question to a policy, and the right answer.
type Row struct {
	ID     string             `json:"id"`
	Source string             `json:"source"` // what says so: a line of a seed, a section of the design, a case
	Why    string             `json:"why"`
	Policy []string           `json:"policy"` // the lines of the file, so that a line number can be counted
	Tree   map[string]*string `json:"tree"`   // nil: a folder; "-> to": a link; else a file's content
	Own    Own                `json:"own"`
	As     string             `json:"as"` // the worker that asks, "" for the policy itself
	Ask    map[string]any     `json:"ask"`
	Want   *Want              `json:"want"`
	// WantError is the answer of a policy or a worker that is refused.
	WantError *WantError `json:"want_error"`
	// Reference is what the system that the row was taken from answers, where
	// we differ on purpose. It is for readers.
	Reference any `json:"reference"`
	// FakeOnly says why the row cannot hold on a disk.
	FakeOnly string `json:"fake_only"`
	// OnDisk is the verdict of the tools where it differs from the policy's,
	// because a tool looks at more than one object.
	OnDisk *Want `json:"on_disk"`
}

// Own are the files and folders that Paddock itself lives on.
type Own struct {
	Files   []string `json:"files"`
	Private []string `json:"private"`
}

// Want is an answer. What is nil or empty is not compared.
type Want struct {
	Verdict string   `json:"verdict"` // allow, ask, deny, error, ok; several joined by | are all right
	Kind    string   `json:"kind"`
	Virtual *string  `json:"virtual"`
	Entry   *string  `json:"entry"`
	Real    string   `json:"real"`
	RealHex string   `json:"real_hex"` // of the last part
	Line    *int     `json:"line"`     // of the first line that spoke; 0 is a default
	Lines   []int    `json:"lines"`
	Error   string   `json:"error"`   // part of the text of an error
	Text    string   `json:"text"`    // part of what the agent is told
	NoText  string   `json:"no_text"` // no part of it
	Orphan  bool     `json:"orphan"`
	Yes     *bool    `json:"yes"`
	Names   []string `json:"names"`
	Rights  string   `json:"rights"`
}

// WantError is a refusal to load.
type WantError struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"` // part of the message
}

// Read reads every row of the folder's .jsonl files, in the order of their
// names. Unknown keys are errors, so that a misspelt expectation is none.
func Read(dir string) ([]Row, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var row Row
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.DisallowUnknownFields()
			if err := d.Decode(&row); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
			rows = append(rows, row)
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return rows, nil
}

// Question is what the row asks, and of what.
func (r *Row) Question() (kind string, arg any) {
	for kind, arg = range r.Ask {
	}
	return kind, arg
}

// PolicyText is the policy file of a row whose tree stands in base.
func (r *Row) PolicyText(base string) string {
	return Place(strings.Join(r.Policy, "\n")+"\n", base)
}

// Place writes out what a text leaves open: $W is the folder that holds the
// tree, and <N part> is the part N times.
func Place(text, base string) string {
	return Repeat(strings.ReplaceAll(text, "$W", base))
}

// Repeat writes out each <N part>: a number, one blank, and the part up to the
// closing bracket.
func Repeat(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	repeated := regexp.MustCompile(`(?s)<(\d{1,8}) ([^>]+)>`)
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		m := repeated.FindStringSubmatch(found)
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return found
		}
		return strings.Repeat(m[2], n)
	})
}
