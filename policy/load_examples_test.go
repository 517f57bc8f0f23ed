package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExamplesLoad holds the files that people copy from: they load and warn
// of nothing.
func TestExamplesLoad(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.yaml") {
			tests, err := ParseTests(file, text)
			if err != nil {
				t.Error(err)
				continue
			}
			runExample(t, filepath.Join(filepath.Dir(file), tests.Policy), tests.Tests)
			continue
		}
		c, err := Parse(file, text)
		if err != nil {
			t.Error(err)
			continue
		}
		if w := c.Warnings(); len(w) > 0 {
			t.Errorf("%s warns: %v", file, w)
		}
	}
}

// disk answers for the real tree.
type disk struct{}

func (disk) Look(real string) (Node, error) {
	info, err := os.Lstat(real)
	switch {
	case err != nil:
		return Node{}, nil
	case info.IsDir():
		return Node{Kind: Dir}, nil
	}
	return Node{Kind: File}, nil
}

func (d disk) Plain(real string) (Node, bool) {
	n, err := d.Look(real)
	return n, err == nil && n.Kind != Missing
}

// runExample asks a policy whose one mount is its own folder.
func runExample(t *testing.T, file string, tests []Test) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(mustParse(t, string(text)), Facts{Places: []Place{{Real: real}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		q := p
		if test.Worker != "" {
			if q, err = p.Worker(test.Worker, Facts{}); err != nil {
				t.Fatal(err)
			}
		}
		right, err := ParsePermission(test.Asks)
		if err != nil {
			t.Fatal(err)
		}
		d, err := q.Decide(Request{Path: test.Target, Perm: right}, disk{})
		if err != nil || d.Verdict != test.Expect || test.Kind != "" && d.Kind != test.Kind {
			t.Errorf("%s: %s: it says %s %s, %v", test.Written, test, d.Verdict, d.Kind, err)
		}
		cited := func(b Because) bool { return b.Line == test.Line }
		if test.Line != 0 && !slices.ContainsFunc(d.Because(), cited) {
			t.Errorf("%s: %s: line %d did not speak, but %v", test.Written, test, test.Line, d.Because())
		}
	}
}
