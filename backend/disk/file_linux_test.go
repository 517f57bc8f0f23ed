//go:build !osroot

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

func fileMount(t *testing.T) (tree *Tree, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "notes.md")
	write(t, path, "old")
	return open(t, path), path
}

func TestFileMountIsTheFileAlone(t *testing.T) {
	tree, path := fileMount(t)
	write(t, filepath.Join(filepath.Dir(path), "beside"), "not ours")
	for _, name := range []string{"beside", "notes.md", "x"} {
		if _, err := tree.Stat(bg, name); !errors.Is(err, backend.ErrNotDir) {
			t.Errorf("stat %s: %v, want ErrNotDir", name, err)
		}
		if _, err := tree.Open(bg, name); !errors.Is(err, backend.ErrNotDir) {
			t.Errorf("open %s: %v, want ErrNotDir", name, err)
		}
		_, err := tree.Write(bg, name, strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
		if !errors.Is(err, backend.ErrNotDir) {
			t.Errorf("write %s: %v, want ErrNotDir", name, err)
		}
		if _, ok := tree.Plain(name); ok {
			t.Errorf("%s is plain", name)
		}
		if _, ok := tree.Hold(name); ok {
			t.Errorf("%s can be held", name)
		}
	}
	info, err := tree.Stat(bg, ".")
	if err != nil || info.Kind != backend.File || info.Size != 3 {
		t.Fatalf("stat: %+v, %v", info, err)
	}
	if plain, ok := tree.Plain("."); !ok || plain != info {
		t.Errorf("plain: %+v, %v; want %+v", plain, ok, info)
	}
	if _, err := tree.ReadDir(bg, "."); !errors.Is(err, backend.ErrNotDir) {
		t.Errorf("list: %v, want ErrNotDir", err)
	}
	if err := tree.Remove(bg, ".", info); !errors.Is(err, backend.ErrUnsupported) {
		t.Errorf("remove: %v, want ErrUnsupported", err)
	}
	if err := tree.Mkdir(bg, ".", 0); !errors.Is(err, fs.ErrExist) {
		t.Errorf("mkdir: %v, want fs.ErrExist", err)
	}
}

func TestFileMountFollowsItsName(t *testing.T) {
	tree, path := fileMount(t)
	replaceBehind(t, path, "by an editor")
	if got := content(t, tree, "."); got != "by an editor" {
		t.Errorf("the mount holds %q", got)
	}
	// A link in its place leads anywhere.
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	must(t, os.Remove(path))
	must(t, os.Symlink(secret, path))
	if _, err := tree.Open(bg, "."); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("open: %v, want ErrSwapped", err)
	}
	_, err := tree.Write(bg, ".", strings.NewReader("x"), backend.WriteOptions{Create: true, Replace: true})
	if !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("write: %v, want ErrSwapped", err)
	}
	wantFile(t, secret, "secret")
	// Gone, it can be made again, and nothing is ever put beside it.
	must(t, os.Remove(path))
	if _, err := tree.Write(bg, ".", strings.NewReader("x"), backend.WriteOptions{Replace: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("replace: %v, want fs.ErrNotExist", err)
	}
	res, err := tree.Write(bg, ".", strings.NewReader("again"), backend.WriteOptions{Create: true})
	if err != nil || !res.Created || !res.InPlace {
		t.Errorf("create: %+v, %v", res, err)
	}
	wantFile(t, path, "again")
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v; want the file alone", entries, err)
	}
}

func TestFileMountWrites(t *testing.T) {
	tree, path := fileMount(t)
	before, err := tree.Stat(bg, ".")
	must(t, err)
	saved := ""
	o := backend.WriteOptions{Replace: true, Judged: &before, Save: func(old io.Reader) error {
		data, err := io.ReadAll(old)
		saved = string(data)
		return err
	}}
	res, err := tree.Write(bg, ".", strings.NewReader("a longer text"), o)
	if err != nil || !res.InPlace || saved != "old" || res.Info.ID != before.ID || res.Info.Size != 13 {
		t.Errorf("%+v, %v, saved %q", res, err, saved)
	}
	if _, err = tree.Write(bg, ".", strings.NewReader("x"), o); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("write over a changed file: %v, want ErrSwapped", err)
	}
	wantFile(t, path, "a longer text")
	// Shorter content leaves no rest of the longer.
	_, err = tree.Write(bg, ".", strings.NewReader("short"), backend.WriteOptions{Replace: true})
	must(t, err)
	wantFile(t, path, "short")
}

// TestSaveSeesWhatGoes changes the file while it is saved: what was saved would
// not be what is lost.
func TestSaveSeesWhatGoes(t *testing.T) {
	tree, path := fileMount(t)
	info, err := tree.Stat(bg, ".")
	must(t, err)
	var saved []string
	o := backend.WriteOptions{Replace: true, Judged: &info, Save: func(old io.Reader) error {
		data, err := io.ReadAll(old)
		if saved = append(saved, string(data)); len(saved) == 1 {
			write(t, path, "changed meanwhile")
		}
		return err
	}}
	if _, err := tree.Write(bg, ".", strings.NewReader("new"), o); !errors.Is(err, backend.ErrSwapped) {
		t.Errorf("judged: %v, want ErrSwapped", err)
	}
	wantFile(t, path, "changed meanwhile")
	write(t, path, "old")
	saved, o.Judged = nil, nil
	if _, err := tree.Write(bg, ".", strings.NewReader("new"), o); err != nil {
		t.Error(err)
	}
	wantFile(t, path, "new")
	if len(saved) != 2 || saved[1] != "changed meanwhile" {
		t.Errorf("saved %q, want the changed content last", saved)
	}
}

// TestInPlaceWritersTakeTurns writes one file in place by two trees and two
// names at once. The file must never be a mixture in the end.
func TestInPlaceWritersTakeTurns(t *testing.T) {
	dir := quickDir(t)
	write(t, filepath.Join(dir, "a/f"), "old")
	must(t, os.Mkdir(filepath.Join(dir, "b"), 0o755))
	must(t, os.Link(filepath.Join(dir, "a/f"), filepath.Join(dir, "b/f")))
	trees := []*Tree{open(t, filepath.Join(dir, "a")), open(t, filepath.Join(dir, "b"))}
	for range 20 {
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				_, err := trees[i%2].Write(bg, "f", strings.NewReader(versions[i/2%2]), backend.WriteOptions{Replace: true})
				if err != nil && !errors.Is(err, backend.ErrSwapped) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got, err := os.ReadFile(filepath.Join(dir, "b/f"))
		if err != nil || string(got) != versions[0] && string(got) != versions[1] {
			t.Fatalf("the file holds a mixture of %d bytes, %v", len(got), err)
		}
	}
}

func TestNoDescriptorIsLeftOpen(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "d/f"), "x")
	must(t, os.Symlink("d", filepath.Join(dir, "l")))
	must(t, unix.Mkfifo(filepath.Join(dir, "d/fifo"), 0o600))
	tree := open(t, dir)
	use := func() {
		for _, name := range []string{"d/f", "d", "l", "l/f", "d/fifo", "d/no", "no/no", "d/f/x", "", "."} {
			info, _ := tree.Stat(bg, name)
			if r, err := tree.Open(bg, name); err == nil {
				r.Close()
			}
			if held, ok := tree.Hold(name); ok {
				if r, err := held.Open(); err == nil {
					r.Close()
				}
				held.Close()
				held.Close()
			}
			tree.Plain(name)
			tree.ReadDir(bg, name)
			tree.Write(bg, name, strings.NewReader("x"), backend.WriteOptions{Replace: true, Judged: &info})
			tree.Write(bg, name, strings.NewReader("x"), backend.WriteOptions{Replace: true})
			tree.Rename(bg, name, "d/g", info, false)
			tree.Rename(bg, "d/g", name, info, true)
			tree.Mkdir(bg, name, 0)
			tree.Remove(bg, name, backend.Info{})
		}
	}
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		must(t, err)
		return len(entries)
	}
	use()
	before := count()
	for range 20 {
		use()
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors are open, were %d", after, before)
	}
}
