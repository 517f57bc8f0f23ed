package policy

import (
	"os"
	"path/filepath"
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
		if strings.HasSuffix(file, ".test.yaml") {
			tests, err := ParseTests(file, text)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), tests.Policy)); err != nil {
				t.Errorf("%s tests a policy that is not there: %v", file, err)
			}
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
