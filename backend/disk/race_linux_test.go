package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// The swap race: somebody exchanges folders of the tree for links to a place
// outside while calls run. Both places have the same names in them, so a call
// that is led astray finds what it looks for and succeeds.

const (
	inside  = "inside"
	outside = "OUTSIDE"
)

type arena struct {
	tree, out string
	before    string // what the place outside looked like
}

func newArena(t *testing.T) *arena {
	dir := t.TempDir()
	a := &arena{tree: filepath.Join(dir, "tree"), out: filepath.Join(dir, "out")}
	for base, text := range map[string]string{a.tree + "/d": inside, a.out: outside} {
		for _, name := range []string{"read", "write", "remove", "move", "sub/read", "sub/write"} {
			write(t, filepath.Join(base, name), text)
		}
		must(t, os.Mkdir(filepath.Join(base, "gone"), 0o755))
	}
	write(t, filepath.Join(a.out, "only-outside"), outside)
	must(t, os.Symlink(a.out, filepath.Join(a.tree, "link")))
	a.before = a.look(t)
	return a
}

// look writes down all that is outside: names, kinds, times and content.
func (a *arena) look(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(a.out, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all.WriteString(path + info.Mode().String() + info.ModTime().String() + "\n")
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			all.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// attack swaps until stopped; each swap is one step, so the name d is always a
// folder or a link and never missing.
func (a *arena) attack(t *testing.T, stop *atomic.Bool, swaps *atomic.Int64) {
	for !stop.Load() {
		err := unix.Renameat2(unix.AT_FDCWD, a.tree+"/d", unix.AT_FDCWD, a.tree+"/link", unix.RENAME_EXCHANGE)
		if err != nil {
			t.Errorf("swap: %v", err)
			return
		}
		swaps.Add(1)
	}
	// Leave the folder under its own name.
	if info, err := os.Lstat(a.tree + "/d"); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		unix.Renameat2(unix.AT_FDCWD, a.tree+"/d", unix.AT_FDCWD, a.tree+"/link", unix.RENAME_EXCHANGE)
	}
}

// race counts what the calls of one backend did.
type race struct {
	b       backend.Backend
	ok      [7]atomic.Int64 // calls of each kind that went well
	swapped atomic.Int64
	astray  atomic.Int64 // bytes or names from outside
}

func (r *race) count(kind int, err error) bool {
	if err == nil {
		r.ok[kind].Add(1)
		return true
	}
	if errors.Is(err, backend.ErrSwapped) {
		r.swapped.Add(1)
	}
	return false
}

func (r *race) reads() {
	ctx := context.Background()
	for _, name := range []string{"d/read", "d/sub/read"} {
		f, err := r.b.Open(ctx, name)
		if !r.count(0, err) {
			continue
		}
		data, _ := io.ReadAll(f)
		f.Close()
		if string(data) != inside {
			r.astray.Add(1)
		}
	}
	entries, err := r.b.ReadDir(ctx, "d")
	if r.count(1, err) && slices.ContainsFunc(entries, func(e backend.Entry) bool { return e.Name == "only-outside" }) {
		r.astray.Add(1)
	}
	if _, err := r.b.Stat(ctx, "d/only-outside"); err == nil {
		r.astray.Add(1)
	}
	if h, can := r.b.(backend.Holder); can {
		if _, ok := h.Plain("d/only-outside"); ok {
			r.astray.Add(1)
		}
		if held, ok := h.Hold("d/only-outside"); ok {
			held.Close()
			r.astray.Add(1)
		}
	}
}

// changes writes, removes, makes and moves. Whatever of it reaches the outside
// shows there at the end.
func (r *race) changes() {
	ctx := context.Background()
	o := backend.WriteOptions{Create: true, Replace: true}
	for _, name := range []string{"d/write", "d/sub/write", "d/remove", "d/move"} {
		_, err := r.b.Write(ctx, name, strings.NewReader(inside), o)
		r.count(2, err)
	}
	if info, err := r.b.Stat(ctx, "d/remove"); err == nil {
		r.count(3, r.b.Remove(ctx, "d/remove", info))
	}
	if info, err := r.b.Stat(ctx, "d/move"); err == nil {
		r.count(4, r.b.Rename(ctx, "d/move", "d/moved", info, true))
	}
	if info, err := r.b.Stat(ctx, "d/gone"); err == nil {
		r.count(5, r.b.Remove(ctx, "d/gone", info))
	}
	r.count(6, r.b.Mkdir(ctx, "d/gone", 0o755))
}

// run goes on until every kind of call has gone well and swaps were met, or
// enough says so; longest is only there so that a broken test ends.
func (a *arena) run(t *testing.T, b backend.Backend, enough func(r *race) bool) *race {
	var stop atomic.Bool
	var swaps atomic.Int64
	r := &race{b: b}
	var attacker, callers sync.WaitGroup
	attacker.Go(func() { a.attack(t, &stop, &swaps) })
	longest := time.After(15 * time.Second)
	for _, calls := range []func(){r.reads, r.changes} {
		callers.Go(func() {
			for !stop.Load() {
				calls()
			}
		})
	}
	for waiting := true; waiting; {
		select {
		case <-longest:
			waiting = false
		case <-time.After(10 * time.Millisecond):
			waiting = !enough(r)
		}
	}
	stop.Store(true)
	callers.Wait()
	attacker.Wait()
	var ok []int64
	for i := range r.ok {
		ok = append(ok, r.ok[i].Load())
	}
	t.Logf("%d swaps, calls that went well %v, met a swap %d, led astray %d", swaps.Load(), ok, r.swapped.Load(), r.astray.Load())
	return r
}

func TestSwapRace(t *testing.T) {
	a := newArena(t)
	const each = 10
	r := a.run(t, open(t, a.tree), func(r *race) bool {
		for i := range r.ok {
			if r.ok[i].Load() < each {
				return false
			}
		}
		return r.swapped.Load() >= each
	})
	for i := range r.ok {
		if r.ok[i].Load() < each {
			t.Errorf("calls of kind %d went well only %d times: the race tests too little", i, r.ok[i].Load())
		}
	}
	if r.swapped.Load() < each {
		t.Errorf("only %d calls met a swap: the race tests too little", r.swapped.Load())
	}
	if n := r.astray.Load(); n != 0 {
		t.Errorf("%d reads were led outside", n)
	}
	if after := a.look(t); after != a.before {
		t.Errorf("the place outside has changed:\n%s\nwas\n%s", after, a.before)
	}
	noTemporaries(t, a.tree+"/d")
	noTemporaries(t, a.tree+"/d/sub")
	noTemporaries(t, a.out)
}

// TestSwapRaceCatchesACarelessBackend is the control: a backend that checks and
// then uses must be caught reading and writing outside.
func TestSwapRaceCatchesACarelessBackend(t *testing.T) {
	a := newArena(t)
	changed := func() bool {
		for _, name := range []string{"write", "sub/write", "remove", "move"} {
			if data, err := os.ReadFile(filepath.Join(a.out, name)); err != nil || string(data) != outside {
				return true
			}
		}
		return false
	}
	r := a.run(t, careless{a.tree}, func(r *race) bool { return r.astray.Load() > 0 && changed() })
	if r.astray.Load() == 0 {
		t.Error("no read of the careless backend was caught")
	}
	if a.look(t) == a.before {
		t.Error("no write of the careless backend was caught")
	}
}
