package httpserver

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestTheTokenThatIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "http-token")
	var wg sync.WaitGroup
	all := make([]*Tokens, 8)
	for i := range all {
		wg.Go(func() { all[i], _ = KeptToken(path, "default") })
	}
	wg.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSuffix(string(text), "\n")
	for i, tokens := range all {
		if tokens == nil || tokens.find(token) == nil {
			t.Errorf("start %d has another token", i)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	for _, spoil := range []func() error{
		func() error { return os.Chmod(path, 0o644) },
		func() error { return os.Truncate(path, 5) },
		func() error { return os.Truncate(path, 0) },
	} {
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if _, err := KeptToken(path, "default"); err == nil {
			t.Error("a spoilt file is taken")
		} else if strings.Contains(err.Error(), token[:5]) {
			t.Errorf("the error shows the token: %v", err)
		}
	}
}
