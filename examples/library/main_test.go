package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The example is built and run as a reader would.
func TestExampleDoesWhatItSays(t *testing.T) {
	out, err := exec.Command("go", "run", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"1  Buy milk.", "Denied: read /.env (PathAccessDenied", "asked: may write_file", "-Buy milk.", "+Buy bread.", "Denied: delete /notes.txt (PermissionDenied", "/notes.txt has 11 bytes",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "secret") {
		t.Errorf("the secret was read:\n%s", out)
	}
}
