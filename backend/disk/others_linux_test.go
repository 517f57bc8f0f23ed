//go:build !osroot

package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paddock/backend"
)

// TestManyCarefulWriters counts in a file from several trees at once, each write
// bound to the read before it.
func TestManyCarefulWriters(t *testing.T) {
	dir := quickDir(t)
	write(t, filepath.Join(dir, "count"), "0")
	const writers, each = 8, 200
	var wg sync.WaitGroup
	for range writers {
		tree := open(t, dir)
		wg.Go(func() {
			for done := 0; done < each; {
				err := countUp(tree)
				if err == nil {
					done++
				} else if !errors.Is(err, backend.ErrSwapped) {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	wantFile(t, filepath.Join(dir, "count"), strconv.Itoa(writers*each))
	noTemporaries(t, dir)
}

func countUp(tree *Tree) error {
	r, err := tree.Open(bg, "count")
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		return err
	}
	_, err = tree.Write(bg, "count", strings.NewReader(strconv.Itoa(n+1)), backend.WriteOptions{Replace: true, Judged: &info})
	return err
}

// TestRenameBesideOtherPrograms races a move for a free name with a program that
// makes a file of that name. Only one of them may succeed.
func TestRenameBesideOtherPrograms(t *testing.T) {
	dir := quickDir(t)
	tree := open(t, dir)
	moved, made := 0, 0
	for i := range 2000 {
		from, to := "from"+strconv.Itoa(i), "to"+strconv.Itoa(i)
		write(t, filepath.Join(dir, from), "ours")
		info, err := tree.Stat(bg, from)
		must(t, err)
		var renamed, created error
		var wg sync.WaitGroup
		start := make(chan struct{})
		wg.Go(func() {
			<-start
			renamed = tree.Rename(bg, from, to, info, false)
		})
		wg.Go(func() {
			<-start
			// It comes at a different moment of the move each time.
			for range i % 40 {
				os.Lstat(dir)
			}
			var f *os.File
			if f, created = os.OpenFile(filepath.Join(dir, to), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); created == nil {
				f.Close()
			}
		})
		close(start)
		wg.Wait()
		switch {
		case renamed == nil && errors.Is(created, fs.ErrExist):
			moved++
		case created == nil && errors.Is(renamed, fs.ErrExist):
			made++
		default:
			t.Fatalf("round %d: the move said %v, the other program %v", i, renamed, created)
		}
	}
	t.Logf("the move came first %d times, the other program %d times", moved, made)
}

// TestListWhileNamesComeAndGo wants the names that stay in each list, and no
// error for the others.
func TestListWhileNamesComeAndGo(t *testing.T) {
	dir := quickDir(t)
	tree := open(t, dir)
	for i := range 50 {
		write(t, filepath.Join(dir, "stays"+strconv.Itoa(i)), "")
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; !stop.Load(); i++ {
			path := filepath.Join(dir, "goes"+strconv.Itoa(i%50))
			if i%3 == 0 {
				os.Symlink("somewhere", path)
			} else {
				os.WriteFile(path, nil, 0o600)
			}
			os.Remove(path)
		}
	})
	for range 500 {
		entries, err := tree.ReadDir(bg, ".")
		if err != nil {
			t.Error(err)
			break
		}
		stay := 0
		for i, e := range entries {
			if strings.HasPrefix(e.Name, "stays") {
				stay++
			}
			if i > 0 && entries[i-1].Name >= e.Name {
				t.Errorf("%q stands after %q", e.Name, entries[i-1].Name)
			}
		}
		if stay != 50 {
			t.Errorf("%d of the 50 files are in the list", stay)
		}
	}
	stop.Store(true)
	wg.Wait()
}
