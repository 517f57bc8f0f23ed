package httpserver

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"paddock/internal/testenv"
)

// tokenFile writes a token file that only its owner can read.
func tokenFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTokenFile(t *testing.T) {
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(bobToken)))
	tokens, err := ReadTokens(tokenFile(t, "# who may call\n\nalice "+aliceToken+"\r\n\tbob   "+sum+"  tools=ls,read_file worker=reader\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Principal{{Name: "alice"}, {Name: "bob", Worker: "reader", Tools: []string{"ls", "read_file"}}}
	if got := tokens.Principals(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for token, name := range map[string]string{aliceToken: "alice", bobToken: "bob"} {
		if p := tokens.find(token); p == nil || p.Name != name {
			t.Errorf("the token of %s finds %v", name, p)
		}
	}
	if p := tokens.find(sum); p != nil {
		t.Errorf("the sum of a token, which is no secret, is taken for it: %v", p)
	}
}

func TestTokenFilesThatAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":                                                     "no token",
		"# alice " + aliceToken:                                "no token",
		"alice":                                                "a line is",
		"alice short":                                          "16 to 512",
		"alice " + strings.Repeat("x", 513):                    "16 to 512",
		"alice " + aliceToken + "\x00":                         "16 to 512",
		"alice " + aliceToken + "é":                            "16 to 512",
		"al/ice " + aliceToken:                                 "name of a token",
		strings.Repeat("a", 65) + " " + bobToken:               "name of a token",
		"alice sha256:12":                                      "64 hexadecimal",
		"alice sha256:" + strings.Repeat("z", 64):              "64 hexadecimal",
		"alice " + aliceToken + " worker=":                     "worker=NAME",
		"alice " + aliceToken + " tools=":                      "worker=NAME",
		"alice " + aliceToken + " worker=a worker=b":           "worker=NAME",
		"alice " + aliceToken + " tools=a tools=b":             "worker=NAME",
		"alice " + aliceToken + " Worker=a":                    "worker=NAME",
		"alice " + aliceToken + " more-of-a-token-with-blanks": "worker=NAME",
		"alice " + aliceToken + "\nalice " + bobToken:          ":2: the name alice",
		"alice " + aliceToken + "\nbob " + aliceToken:          ":2: the token is that of line 1",
		"alice " + aliceToken + "\nbob " + fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(aliceToken))): ":2: the token is that of line 1",
	} {
		_, err := ReadTokens(tokenFile(t, text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60q: got %v, want an error that says %q", text, err, says)
			continue
		}
		for _, secret := range []string{"alice-alice", "bob-bob", "more-of-a-token", "short", "xxxx"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%.60q: the error shows a token: %v", text, err)
			}
		}
	}
	if _, err := ReadTokens(tokenFile(t, strings.Repeat("#\n", maxTokenFile))); err == nil || !strings.Contains(err.Error(), "longer") {
		t.Errorf("a file without measure: %v", err)
	}
	if _, err := ReadTokens(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := ReadTokens(filepath.Join(t.TempDir(), "missing")); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("a missing file: %v", err)
	}
}

func unwrapAll(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		if _, last := err.(*os.PathError); last {
			return err
		}
		err = u.Unwrap()
	}
}

func TestTokenFileOfOthers(t *testing.T) {
	path := tokenFile(t, "alice "+aliceToken)
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o602, 0o644, 0o610} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadTokens(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTokens(path); err != nil {
		t.Errorf("mode 400: %v", err)
	}
	if !testenv.IsRoot() {
		t.Log("not root: a file of another user cannot be made here")
		return
	}
	if err := os.Chown(path, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTokens(path); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("a file of another user: %v", err)
	}
}

func TestNewTokensDiffer(t *testing.T) {
	a, b := NewToken(), NewToken()
	if a == b || !isToken(a) || len(a) < 40 {
		t.Errorf("got %d and %d characters, same: %v", len(a), len(b), a == b)
	}
	one, err := OneToken("default", a)
	if err != nil || one.find(a) == nil || one.find(b) != nil || one.Open() {
		t.Errorf("one token: %v", err)
	}
	if _, err := OneToken("default", "word"); err == nil {
		t.Error("a word is taken for a token")
	}
}
