package paddock_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"paddock"
)

const racePolicy = `
version: 1
paths: [{slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: ["*.env", "private"]}]
`

const canary = "CANARY"

// racePaths are read while what they mean changes: folders, files and hard
// links, to what is outside and to what is denied.
var racePaths = []string{"d/f.txt", "f.txt", "g.txt", "h.txt", "e/f.txt", "d/o.txt", "e/p.txt", "x.env"}

// raceTree has beside each name that is swapped a link to exchange it with.
func raceTree(t *testing.T, base string) {
	for name, text := range map[string]string{
		"ws/d/f.txt": "fine", "ws/e/f.txt": "fine", "ws/f.txt": "fine", "ws/g.txt": "fine", "ws/h.txt": "fine", "ws/k.txt": "fine", "ws/still/f.txt": "fine",
		"ws/x.env": canary, "ws/private/f.txt": canary, "ws/private/p.txt": canary, "out/f.txt": canary, "out/o.txt": canary, "out/kept.txt": "kept",
	} {
		put(t, filepath.Join(base, name), text)
	}
	for name, target := range map[string]string{"d": "../out", "e": "private", "f.txt": "../out/f.txt", "g.txt": "x.env"} {
		link(t, target, filepath.Join(base, "ws", "swap-"+name))
	}
}

// shake changes the tree until stop is closed.
func shake(t *testing.T, base string, stop <-chan struct{}, wg *sync.WaitGroup) {
	ws := base + "/ws/"
	exchange := func(name string) {
		// Either of them may be deleted for a moment by those who play along.
		_ = unix.Renameat2(unix.AT_FDCWD, ws+name, unix.AT_FDCWD, ws+"swap-"+name, unix.RENAME_EXCHANGE)
	}
	again := func(do func()) {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					do()
				}
			}
		})
	}
	again(func() {
		for _, name := range []string{"d", "e", "f.txt", "g.txt"} {
			exchange(name)
		}
	})
	again(func() {
		_ = os.Remove(ws + "h.txt")
		_ = os.Link(ws+"x.env", ws+"h.txt")
		_ = os.Remove(ws + "h.txt")
		_ = os.WriteFile(ws+"h.txt", []byte("fine"), 0o644)
		_ = os.Remove(ws + "k.txt")
		_ = os.Link(base+"/out/kept.txt", ws+"k.txt")
	})
}

// reader reads a file under a policy, or fails.
type reader func(path string) (string, error)

// race shakes the tree while readers read. It returns the first byte of what
// was not to be read, and how many reads went well.
func race(t *testing.T, base string, d time.Duration, readers int, read reader, others ...func() error) (caught string, reads int64) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var found atomic.Value
	var good atomic.Int64
	shake(t, base, stop, &wg)
	end := time.Now().Add(d)
	var players sync.WaitGroup
	for range readers {
		players.Go(func() {
			for time.Now().Before(end) && found.Load() == nil {
				for _, path := range racePaths {
					text, err := read(path)
					if err != nil {
						continue
					}
					good.Add(1)
					if strings.Contains(text, canary) {
						found.CompareAndSwap(nil, path)
					}
				}
			}
		})
	}
	for _, do := range others {
		players.Go(func() {
			for time.Now().Before(end) && found.Load() == nil {
				if err := do(); err != nil {
					found.CompareAndSwap(nil, err.Error())
				}
			}
		})
	}
	players.Wait()
	close(stop)
	wg.Wait()
	caught, _ = found.Load().(string)
	return caught, good.Load()
}

const raceTime = 1500 * time.Millisecond

// However the tree changes, the Guard returns no byte from outside or from a
// denied name, and changes nothing there.
func TestRace(t *testing.T) {
	base := tempDir(t)
	raceTree(t, base)
	kept := func(string, io.Reader) error { return nil }
	g := guardAt(t, base, racePolicy, paddock.Options{Save: kept})
	outside, private := tree(t, base+"/out"), tree(t, base+"/ws/private")
	ctx := context.Background()
	var effects atomic.Int64
	did := func(err error) error {
		if err == nil {
			effects.Add(1)
		}
		return nil
	}
	caught, reads := race(t, base, raceTime, 3, func(path string) (string, error) { return read(t, g, path) },
		func() error { return did(write(g, "d/f.txt", "fine")) },
		func() error { return did(errors.Join(write(g, "f.txt", "fine"), write(g, "e/f.txt", "fine"))) },
		func() error { return did(write(g, "k.txt", "fine")) },
		func() error {
			_, err := g.Begin("edit_file", nil).Edit(ctx, "g.txt", func(old []byte) ([]byte, error) {
				if strings.Contains(string(old), canary) {
					t.Error("an edit was shown what it may not see")
				}
				return []byte("fine"), nil
			})
			return did(err)
		},
		func() error {
			_, err := remove(g, "d/f.txt", false)
			_, err2 := remove(g, "e", true)
			return did(errors.Join(err, err2))
		},
		func() error {
			c := g.Begin("copy", nil)
			_, err := c.Copy(ctx, "d", "copied", false)
			_, err2 := c.Copy(ctx, "h.txt", "copied-h", true)
			if c.Move(ctx, "d/f.txt", "moved", true) == nil {
				_ = c.Move(ctx, "moved", "d/f.txt", true) // the race decides
			}
			for _, name := range []string{"copied/f.txt", "copied/o.txt", "copied-h", "moved"} {
				if b, _ := os.ReadFile(base + "/ws/" + name); strings.Contains(string(b), canary) {
					return errors.New("copied what may not be read: " + name)
				}
			}
			_, err4 := remove(g, "copied", true)
			return did(errors.Join(err, err2, err4))
		},
		func() error {
			names, err := list(g, "d")
			if strings.Contains(strings.Join(names, " "), "o.txt") {
				return errors.New("listed what is outside: " + strings.Join(names, " "))
			}
			return did(err)
		},
		func() error {
			return did(g.Begin("grep", nil).Walk(ctx, "/", paddock.WalkOptions{}, func(v *paddock.Visit) error {
				if v.Name == "o.txt" || v.Name == "p.txt" || v.Name == "x.env" {
					t.Errorf("visited %s", v.Rel)
				}
				if f, err := v.Open(ctx); err == nil {
					b, _ := io.ReadAll(f)
					_ = f.Close()
					if strings.Contains(string(b), canary) {
						t.Errorf("read in a walk: %s", v.Rel)
					}
				}
				return nil
			}))
		},
	)
	if caught != "" {
		t.Errorf("read, listed or copied: %s", caught)
	}
	if got := tree(t, base+"/out"); got != outside {
		t.Errorf("outside became\n%s", got)
	}
	if got := tree(t, base+"/ws/private"); got != private {
		t.Errorf("what is denied became\n%s", got)
	}
	if content(t, base+"/ws/x.env") != canary {
		t.Error("x.env was changed")
	}
	// The test is worth something only if work went on meanwhile.
	t.Logf("%d reads and %d effects went well", reads, effects.Load())
	if reads < 100 || effects.Load() < 20 {
		t.Errorf("only %d reads and %d effects went well", reads, effects.Load())
	}
}

// The same test catches Guards that check a path and use it afterwards.
func TestRaceCatchesCheckThenUse(t *testing.T) {
	for name, naive := range map[string]func(base string) reader{
		"resolve, then open": func(base string) reader {
			return func(path string) (string, error) {
				real, err := filepath.EvalSymlinks(base + "/ws/" + path)
				if err != nil || !granted(base, real) {
					return "", errors.New("denied")
				}
				b, err := os.ReadFile(base + "/ws/" + path)
				return string(b), err
			}
		},
		"no look at hard links": func(base string) reader {
			g := guardAt(t, base, strings.Replace(racePolicy, `, denied_path_regex: ["*.env", "private"]`, "", 1), paddock.Options{})
			return func(path string) (string, error) {
				real, err := filepath.EvalSymlinks(base + "/ws/" + path)
				if err != nil || !granted(base, real) {
					return "", errors.New("denied")
				}
				return read(t, g, path)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := tempDir(t)
			raceTree(t, base)
			caught, reads := race(t, base, 10*raceTime, 3, naive(base))
			if caught == "" {
				t.Errorf("not caught in %d reads", reads)
			}
		})
	}
}

// granted is racePolicy, for the planted Guards.
func granted(base, real string) bool {
	return strings.HasPrefix(real, base+"/ws/") && !strings.HasSuffix(real, ".env") && !strings.Contains(real, "/private")
}
