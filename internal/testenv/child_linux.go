package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const nobody = 65534

// IsRoot says whether the process has root's rights on files.
func IsRoot() bool { return os.Geteuid() == 0 }

// AsNobody runs the calling test as an ordinary user. It is true where the test
// body shall run: in the child, or at once when the process is no root anyway.
// False means that the child ran and its outcome is this test's outcome. The
// child's temporary files are its own; the working folder stays the same.
func AsNobody(t *testing.T) bool {
	t.Helper()
	if !IsRoot() || isChild("nobody") {
		return true
	}
	temp := childTemp(t)
	if err := os.Chown(temp, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	// The binary is given as a descriptor: an ordinary user may have no way to
	// its folder.
	binary, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	cmd := child(t, "/proc/self/fd/3", "nobody", temp)
	cmd.ExtraFiles = []*os.File{binary}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	output, err := cmd.CombinedOutput()
	report(t, string(output), err)
	return false
}

// childTemp makes a folder for a child's temporary files outside t.TempDir(),
// whose parents an ordinary user cannot enter.
func childTemp(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "child")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func child(t *testing.T, binary, surroundings, temp string) *exec.Cmd {
	cmd := exec.Command(binary, "-test.run="+only(t), "-test.v=true", "-test.count=1")
	cmd.Args[0] = os.Args[0]
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "TMPDIR=") && !strings.HasPrefix(kv, "HOME=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, inChild+"="+surroundings, "TMPDIR="+temp, "HOME="+temp)
	return cmd
}
