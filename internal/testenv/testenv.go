// Package testenv gives tests the surroundings they need: an ordinary user, a
// machine on which nothing but temporary files can be changed, or a clear word
// that this machine cannot give them.
//
// A test that changes its surroundings does so in a child: the test binary runs
// itself again, with that one test.
//
//	func TestUnreadable(t *testing.T) {
//		if !testenv.AsNobody(t) {
//			return // it ran in the child, which has reported here
//		}
//		…
//	}
package testenv

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// inChild names, in a child, the surroundings that it was made for.
const inChild = "PADDOCK_TESTENV"

// isChild says whether this process is the child for the surroundings.
func isChild(surroundings string) bool { return os.Getenv(inChild) == surroundings }

// only is the -test.run pattern of one test and all that is in it.
func only(t *testing.T) string {
	var parts []string
	for part := range strings.SplitSeq(t.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}

// report hands the child's output on and fails when the child did, or when it
// ran nothing: a test that was not found must not count as passed.
func report(t *testing.T, output string, err error) {
	t.Helper()
	switch {
	case err != nil:
		t.Errorf("%v in the child:\n%s", err, output)
	case strings.Contains(output, "--- SKIP: "+t.Name()):
		t.Skipf("skipped in the child:\n%s", output)
	case !strings.Contains(output, "--- PASS: "+t.Name()):
		t.Errorf("the child did not run the test:\n%s", output)
	case testing.Verbose():
		t.Logf("in the child:\n%s", output)
	}
}
