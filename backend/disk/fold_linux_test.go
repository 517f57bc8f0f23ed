//go:build !osroot

package disk

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/internal/testenv"
)

// TestNameThatIsNotListed uses a folder in which every system has names that can
// be looked up and are not listed, as other spellings are: /proc has one for each
// thread.
func TestNameThatIsNotListed(t *testing.T) {
	threads, err := os.ReadDir("/proc/self/task")
	must(t, err)
	process := strconv.Itoa(os.Getpid())
	thread := ""
	for _, e := range threads {
		if e.Name() != process {
			thread = e.Name()
		}
	}
	if thread == "" {
		t.Fatal("the Go runtime has one thread only")
	}
	tree := open(t, "/proc")
	if _, err := tree.Stat(bg, thread+"/status"); err != nil {
		t.Errorf("stat where nothing folds: %v", err)
	}
	tree.folds = true
	for _, name := range []string{thread, thread + "/status", thread + "/no/such"} {
		if _, err := tree.Stat(bg, name); !errors.Is(err, backend.ErrName) {
			t.Errorf("stat %s: %v, want ErrName", name, err)
		}
		if _, err := tree.Open(bg, name); !errors.Is(err, backend.ErrName) {
			t.Errorf("open %s: %v, want ErrName", name, err)
		}
		if _, ok := tree.Plain(name); ok {
			t.Errorf("%s is plain", name)
		}
		if _, ok := tree.Hold(name); ok {
			t.Errorf("%s can be held", name)
		}
	}
	if _, err := tree.Stat(bg, process+"/status"); err != nil {
		t.Errorf("stat of a listed name: %v", err)
	}
}

// TestFoldedFolder is the real thing, on a machine whose kernel has it.
func TestFoldedFolder(t *testing.T) {
	if !testenv.Sealed(t) {
		return
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "casefold"); err != nil {
		t.Skipf("no tmpfs that folds names: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	must(t, os.Mkdir(filepath.Join(dir, "d"), 0o755))
	if output, err := exec.Command("chattr", "+F", filepath.Join(dir, "d")).CombinedOutput(); err != nil {
		t.Skipf("chattr: %v: %s", err, output)
	}
	tree := open(t, filepath.Join(dir, "d"))
	write(t, filepath.Join(dir, "d/secret.env"), "secret")
	for _, name := range []string{"SECRET.ENV", "Secret.env"} {
		if _, err := tree.Open(bg, name); !errors.Is(err, backend.ErrName) {
			t.Errorf("open %s: %v, want ErrName", name, err)
		}
		_, err := tree.Write(bg, name, strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
		if !errors.Is(err, backend.ErrName) {
			t.Errorf("write %s: %v, want ErrName", name, err)
		}
	}
	if got := content(t, tree, "secret.env"); got != "secret" {
		t.Errorf("the file holds %q", got)
	}
}
