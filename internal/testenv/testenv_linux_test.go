package testenv_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paddock/internal/testenv"
)

func TestAsNobody(t *testing.T) {
	if !testenv.AsNobody(t) {
		return
	}
	if os.Geteuid() == 0 || testenv.IsRoot() {
		t.Error("still root")
	}
	dir := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(dir, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(dir); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a closed folder: %v, want permission denied", err)
	}
}

func TestAsNobodyInSubtest(t *testing.T) {
	t.Run("a b/c (1)", func(t *testing.T) {
		if !testenv.AsNobody(t) {
			return
		}
		if os.Geteuid() == 0 {
			t.Error("still root")
		}
	})
}

func TestSealed(t *testing.T) {
	if !testenv.Sealed(t) {
		return
	}
	if err := os.WriteFile(filepath.Join(t.TempDir(), "f"), []byte("x"), 0o600); err != nil {
		t.Errorf("the temporary folder: %v", err)
	}
	// The folder around ours is writable outside the seal.
	for _, path := range []string{filepath.Dir(os.TempDir()), "/", "/dev/shm"} {
		err := os.WriteFile(filepath.Join(path, "paddock-escape"), nil, 0o600)
		if err == nil {
			os.Remove(filepath.Join(path, "paddock-escape"))
			t.Errorf("a file could be made in %s", path)
		} else if path != "/dev/shm" && !errors.Is(err, syscall.EROFS) {
			t.Errorf("a file in %s: %v; want a read-only file system", path, err)
		}
	}
}

// TestFailureOfTheChildIsOurs runs itself with a test that fails in a child.
func TestFailureOfTheChildIsOurs(t *testing.T) {
	for _, kind := range []string{"nobody", "sealed"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPlanted$", "-test.v")
		cmd.Env = append(os.Environ(), "PLANTED="+kind)
		output, err := cmd.CombinedOutput()
		if strings.Contains(string(output), "--- SKIP") {
			t.Logf("%s: %s", kind, output)
			continue
		}
		if err == nil || !strings.Contains(string(output), "planted failure") {
			t.Errorf("%s: the failure was lost: %v\n%s", kind, err, output)
		}
	}
}

// TestPlanted fails in the child that the test above asks for.
func TestPlanted(t *testing.T) {
	switch os.Getenv("PLANTED") {
	case "nobody":
		if testenv.AsNobody(t) {
			t.Error("planted failure")
		}
	case "sealed":
		if testenv.Sealed(t) {
			t.Error("planted failure")
		}
	}
}
