//go:build !osroot

package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// These tests stand in the gap between the look at an object and the change,
// where no other program can be made to come at will.

func folderAt(t *testing.T, dir string) folder {
	t.Helper()
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	return folder{fd: fd, readable: true}
}

func handleAt(t *testing.T, d folder, name string) *handle {
	t.Helper()
	h, err := look(d.fd, name)
	must(t, err)
	t.Cleanup(h.close)
	return &h
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
	}
}

// replaceBehind puts another file under a name, as an editor would.
func replaceBehind(t *testing.T, path, text string) {
	t.Helper()
	write(t, path+".new", text)
	must(t, os.Rename(path+".new", path))
}

func TestRemoveTakesTheJudgedFileOnly(t *testing.T) {
	dir := t.TempDir()
	f := filepath.Join(dir, "f")
	write(t, f, "judged")
	d := folderAt(t, dir)
	h := handleAt(t, d, "f")
	replaceBehind(t, f, "another")
	if err := removeHeld(d, "f", h); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("%v, want ErrSwapped", err)
	}
	wantFile(t, f, "another")
	noTemporaries(t, dir)
	must(t, os.Remove(f))
	if err := removeHeld(d, "f", h); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("%v, want ErrSwapped", err)
	}
}

func TestRenameTakesTheJudgedFileOnly(t *testing.T) {
	for _, replace := range []bool{false, true} {
		dir := t.TempDir()
		f := filepath.Join(dir, "f")
		write(t, f, "judged")
		d := folderAt(t, dir)
		h := handleAt(t, d, "f")
		replaceBehind(t, f, "another")
		if err := moveHeld(d, "f", d, "g", h, replace); !errors.Is(err, backend.ErrSwapped) {
			t.Errorf("%v, want ErrSwapped", err)
		}
		wantFile(t, f, "another")
		if _, err := os.Lstat(filepath.Join(dir, "g")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("g: %v, want none", err)
		}
	}
}

// gap prepares a write over the judged file up to its last step.
func gap(t *testing.T, dir string) *writing {
	t.Helper()
	write(t, filepath.Join(dir, "f"), "judged")
	d := folderAt(t, dir)
	info := handleAt(t, d, "f").info()
	w := &writing{t: open(t, dir), ctx: bg, dir: d, base: "f", o: backend.WriteOptions{Replace: true, Judged: &info}}
	must(t, w.prepare(false))
	t.Cleanup(func() { w.stage.close() })
	_, err := w.stage.f.WriteString("ours")
	must(t, err)
	return w
}

func TestWriteReplacesTheJudgedFileOnly(t *testing.T) {
	dir := t.TempDir()
	f := filepath.Join(dir, "f")
	w := gap(t, dir)
	replaceBehind(t, f, "another")
	if supported, err := w.exchange(); !supported || !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("%v, %v; want ErrSwapped", supported, err)
	}
	wantFile(t, f, "another")
	w.stage.close()
	noTemporaries(t, dir)
}

func TestWriteStandsBackForAFolderInThePlace(t *testing.T) {
	dir := t.TempDir()
	w := gap(t, dir)
	must(t, os.Remove(filepath.Join(dir, "f")))
	write(t, filepath.Join(dir, "f/x"), "in a folder")
	if _, err := w.exchange(); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("%v, want ErrSwapped", err)
	}
	wantFile(t, filepath.Join(dir, "f/x"), "in a folder")
	w.stage.close()
	noTemporaries(t, dir)
}

// TestThirdWriter has a file come over ours in the moment before the exchange is
// taken back: it is the newest and must stay.
func TestThirdWriter(t *testing.T) {
	dir := t.TempDir()
	f := filepath.Join(dir, "f")
	w := gap(t, dir)
	replaceBehind(t, f, "second")
	_, err := w.swap()
	must(t, err)
	var found unix.Stat_t
	must(t, statAt(w.dir.fd, w.stage.name, &found))
	replaceBehind(t, f, "third")
	_, err = w.swap()
	must(t, err)
	if err := w.undone(&found); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("%v, want ErrSwapped", err)
	}
	wantFile(t, f, "third")
	w.stage.close()
	noTemporaries(t, dir)
}

// TestFileThatGoesWhileItIsWritten must leave a new file with the mode of a new
// file, not with the private one that the stage had.
func TestFileThatGoesWhileItIsWritten(t *testing.T) {
	dir := t.TempDir()
	f := filepath.Join(dir, "f")
	write(t, f, "old")
	want := mustStat(t, f).Mode()
	must(t, os.Chmod(f, 0o600))
	tree := open(t, dir)
	res, err := tree.Write(bg, "f", &removing{path: f}, backend.WriteOptions{Create: true, Replace: true})
	if err != nil || !res.Created {
		t.Fatalf("%+v, %v; want a new file", res, err)
	}
	wantFile(t, f, "new")
	if got := mustStat(t, f).Mode(); got != want {
		t.Errorf("mode %v, want %v as of any new file", got, want)
	}
	_, err = tree.Write(bg, "f", &removing{path: f}, backend.WriteOptions{Replace: true})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without Create: %v, want fs.ErrNotExist", err)
	}
	noTemporaries(t, dir)
}

func mustStat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Lstat(path)
	must(t, err)
	return info
}

// removing is content whose reading removes the file that it is for.
type removing struct {
	path string
	read bool
}

func (r *removing) Read(p []byte) (int, error) {
	if r.read {
		return 0, io.EOF
	}
	r.read = true
	return copy(p, "new"), os.Remove(r.path)
}
