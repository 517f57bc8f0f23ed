//go:build !osroot

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/internal/testenv"
)

// bind mounts one path over another; the seal keeps it from everybody else.
func bind(t *testing.T, from, to string) {
	t.Helper()
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(to, unix.MNT_DETACH) })
}

func TestReadOnlyMount(t *testing.T) {
	if !testenv.Sealed(t) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ro/f"), "kept")
	bind(t, filepath.Join(dir, "ro"), filepath.Join(dir, "ro"))
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	must(t, unix.MountSetattr(unix.AT_FDCWD, filepath.Join(dir, "ro"), 0, &attr))
	tree := open(t, dir)
	info, err := tree.Stat(bg, "ro/f")
	must(t, err)
	_, err = tree.Write(bg, "ro/f", strings.NewReader("x"), backend.WriteOptions{Replace: true})
	denied(t, "write", err)
	_, err = tree.Write(bg, "ro/g", strings.NewReader("x"), backend.WriteOptions{Create: true})
	denied(t, "create", err)
	denied(t, "mkdir", tree.Mkdir(bg, "ro/d", 0))
	denied(t, "remove", tree.Remove(bg, "ro/f", info))
	denied(t, "rename", tree.Rename(bg, "ro/f", "ro/g", info, false))
	if got := content(t, tree, "ro/f"); got != "kept" {
		t.Errorf("the file holds %q", got)
	}
}

// TestFileUnderAMount writes to a file that another is mounted over: its name
// cannot be given away.
func TestFileUnderAMount(t *testing.T) {
	if !testenv.Sealed(t) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "below")
	write(t, filepath.Join(dir, "source"), "mounted")
	bind(t, filepath.Join(dir, "source"), filepath.Join(dir, "f"))
	tree := open(t, dir)
	info, err := tree.Stat(bg, "f")
	must(t, err)
	for _, judged := range []*backend.Info{&info, nil} {
		res, err := tree.Write(bg, "f", strings.NewReader("new"), backend.WriteOptions{Replace: true, Judged: judged})
		if err != nil || !res.InPlace {
			t.Errorf("write: %+v, %v; want in place", res, err)
		}
	}
	wantFile(t, filepath.Join(dir, "source"), "new")
	if err := tree.Remove(bg, "f", info); err == nil {
		t.Error("a mount point was removed")
	}
	wantFile(t, filepath.Join(dir, "f"), "new")
	noTemporaries(t, dir)
}

func TestRenameToAnotherFileSystem(t *testing.T) {
	if !testenv.Sealed(t) {
		return
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "kept")
	must(t, os.Mkdir(filepath.Join(dir, "m"), 0o755))
	if err := unix.Mount("tmpfs", filepath.Join(dir, "m"), "tmpfs", 0, "size=1m"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(filepath.Join(dir, "m"), unix.MNT_DETACH) })
	tree := open(t, dir)
	info, err := tree.Stat(bg, "f")
	must(t, err)
	if err := tree.Rename(bg, "f", "m/f", info, false); !errors.Is(err, backend.ErrUnsupported) {
		t.Errorf("%v, want ErrUnsupported", err)
	}
	wantFile(t, filepath.Join(dir, "f"), "kept")

	// The same file system is small enough to be filled.
	small, err := tree.Write(bg, "m/small", strings.NewReader("old"), backend.WriteOptions{Create: true})
	must(t, err)
	big := strings.Repeat("x", 2<<20)
	_, err = tree.Write(bg, "m/small", strings.NewReader(big), backend.WriteOptions{Replace: true, Judged: &small.Info})
	if !errors.Is(err, backend.ErrFull) {
		t.Errorf("replace: %v, want ErrFull", err)
	}
	must(t, os.Link(filepath.Join(dir, "m/small"), filepath.Join(dir, "m/again")))
	res, err := tree.Write(bg, "m/small", strings.NewReader(strings.Repeat("y", 700<<10)), backend.WriteOptions{Replace: true})
	if !errors.Is(err, backend.ErrFull) || res.InPlace {
		t.Errorf("in place: %+v, %v; want ErrFull before the old content goes", res, err)
	}
	wantFile(t, filepath.Join(dir, "m/small"), "old")
	noTemporaries(t, filepath.Join(dir, "m"))
}
