//go:build !osroot

package disk

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/internal/testenv"
)

// opens counts how often an object is really opened, by whomever.
func opens(t *testing.T, path string) (count func() int) {
	t.Helper()
	watch, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(watch) })
	if _, err := unix.InotifyAddWatch(watch, path, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	return func() int {
		var buf [4096]byte
		n, err := unix.Read(watch, buf[:])
		if errors.Is(err, unix.EAGAIN) {
			return 0
		}
		if err != nil {
			t.Fatal(err)
		}
		return n / unix.SizeofInotifyEvent
	}
}

func TestSpecialFilesAreNeverOpened(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	tree := open(t, dir)
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o666); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	names := []string{"fifo", "socket"}
	// /dev/null by another name; the kernel lets root alone make it.
	err = unix.Mknod(filepath.Join(dir, "device"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
	switch {
	case err == nil:
		names = append(names, "device")
	case testenv.IsRoot():
		t.Fatalf("make a device as root: %v", err)
	default:
		t.Logf("no device in this test: %v", err)
	}
	for _, name := range names {
		count := opens(t, filepath.Join(dir, name))
		info, err := tree.Stat(ctx, name)
		if err != nil || info.Kind != backend.Special {
			t.Errorf("%s: %+v, %v; want special", name, info, err)
		}
		if _, err := tree.Open(ctx, name); !errors.Is(err, backend.ErrSpecial) {
			t.Errorf("open %s: %v, want ErrSpecial", name, err)
		}
		_, err = tree.Write(ctx, name, strings.NewReader("x"), backend.WriteOptions{Replace: true, Judged: &info})
		if !errors.Is(err, backend.ErrSpecial) {
			t.Errorf("write %s: %v, want ErrSpecial", name, err)
		}
		if _, err := tree.ReadDir(ctx, name); !errors.Is(err, backend.ErrNotDir) {
			t.Errorf("list %s: %v, want ErrNotDir", name, err)
		}
		held, ok := tree.Hold(name)
		if !ok {
			t.Fatalf("cannot hold %s", name)
		}
		if _, err := held.Open(); !errors.Is(err, backend.ErrSpecial) {
			t.Errorf("open held %s: %v, want ErrSpecial", name, err)
		}
		held.Close()
		if n := count(); n != 0 {
			t.Errorf("%s was opened %d times", name, n)
		}
		// The watch does see an open.
		if fd, err := unix.Open(filepath.Join(dir, name), unix.O_RDONLY|unix.O_NONBLOCK, 0); err == nil {
			unix.Close(fd)
			if count() == 0 {
				t.Errorf("an open of %s was not seen", name)
			}
		}
		if err := tree.Remove(ctx, name, info); err != nil {
			t.Errorf("remove %s: %v", name, err)
		}
	}
}

func TestMagicLinks(t *testing.T) {
	ctx := context.Background()
	tree := open(t, "/proc/self")
	for _, name := range []string{"root/etc", "cwd/x", "exe/x"} {
		if _, err := os.Lstat("/proc/self/" + strings.Split(name, "/")[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Stat(ctx, name); !errors.Is(err, backend.ErrSwapped) {
			t.Errorf("stat %s: %v, want ErrSwapped", name, err)
		}
	}
	for _, name := range []string{"exe", "fd/0", "root", "ns/mnt"} {
		info, err := tree.Stat(ctx, name)
		if err != nil || info.Kind != backend.Link || info.Target == "" {
			t.Errorf("stat %s: %+v, %v; want a link", name, info, err)
		}
		if _, err := tree.Open(ctx, name); !errors.Is(err, backend.ErrSwapped) {
			t.Errorf("open %s: %v, want ErrSwapped", name, err)
		}
		if _, ok := tree.Plain(name); ok {
			t.Errorf("%s is plain", name)
		}
	}
}

func TestSparseFile(t *testing.T) {
	dir := t.TempDir()
	tree := open(t, dir)
	const size = 1 << 30
	f, err := os.Create(filepath.Join(dir, "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("end"), size-3); err != nil {
		t.Fatal(err)
	}
	r, err := tree.Open(context.Background(), "sparse")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if info, err := r.Info(); err != nil || info.Size != size {
		t.Errorf("%+v, %v; want %d bytes", info, err, size)
	}
	buf := make([]byte, 5)
	if n, err := r.ReadAt(buf, size-5); n != 5 || err != nil || string(buf) != "\x00\x00end" {
		t.Errorf("the end is %q, %v", buf[:n], err)
	}
}

func TestGrowingFile(t *testing.T) {
	dir := t.TempDir()
	tree := open(t, dir)
	f, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := tree.Open(context.Background(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	buf := make([]byte, 100)
	for i, line := range []string{"one\n", "two\n", "three\n"} {
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		if n, err := r.Read(buf); err != nil || string(buf[:n]) != line {
			t.Errorf("after line %d: %q, %v", i, buf[:n], err)
		}
	}
	if info, err := r.Info(); err != nil || info.Size != 14 {
		t.Errorf("%+v, %v; want 14 bytes", info, err)
	}
}

func TestErrorsNameNoPathOfTheHost(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secretname"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tree := range []*Tree{open(t, dir), open(t, filepath.Join(dir, "secretname"))} {
		var failures []error
		for _, name := range []string{"no", "no/x", "a\x00", ".", "..", "x/y/z"} {
			_, err := tree.Stat(ctx, name)
			failures = append(failures, err)
			_, err = tree.Open(ctx, name)
			failures = append(failures, err)
			_, err = tree.ReadDir(ctx, name)
			failures = append(failures, err)
			_, err = tree.Write(ctx, name, strings.NewReader(""), backend.WriteOptions{Create: true})
			failures = append(failures, err, tree.Mkdir(ctx, name, 0), tree.Remove(ctx, name, backend.Info{}),
				tree.Rename(ctx, name, "q", backend.Info{}, false), tree.Rename(ctx, "no", name, backend.Info{}, false))
		}
		for _, err := range failures {
			if err != nil && (strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "secretname")) {
				t.Errorf("%v", err)
			}
		}
	}
}
