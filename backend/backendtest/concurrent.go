package backendtest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paddock/backend"
)

// writers lets many goroutines write one file while others read it. Each read
// must meet one writer's content, whole.
func (s suite) writers(t *testing.T, b backend.Backend) {
	put(t, b, "f", big('0'))
	var writing, reading sync.WaitGroup
	var done atomic.Bool
	for w := range 4 {
		writing.Go(func() {
			for range 8 {
				_, err := b.Write(ctx, "f", strings.NewReader(big(byte('1'+w))), backend.WriteOptions{Create: true, Replace: true})
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
			}
		})
	}
	for range 2 {
		reading.Go(func() {
			for last := false; !last; {
				last = done.Load() // one more read after the last write
				if err := readWhole(b, "f"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	done.Store(true)
	reading.Wait()
	if names := namesIn(t, b, "."); len(names) != 1 {
		t.Errorf("the folder holds %q, want f alone", names)
	}
}

func readWhole(b backend.Backend, name string) error {
	r, err := b.Open(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if len(data) == 0 || string(data) != big(data[0]) {
		return fmt.Errorf("a reader met %d bytes that no writer wrote so", len(data))
	}
	return nil
}

// creators race for one name without Replace: exactly one may win.
func (s suite) creators(t *testing.T, b backend.Backend) {
	for round := range 10 {
		name := "f" + strconv.Itoa(round)
		var wg sync.WaitGroup
		var won atomic.Int32
		var winner atomic.Int32
		start := make(chan struct{})
		for w := range 6 {
			wg.Go(func() {
				<-start
				res, err := b.Write(ctx, name, strings.NewReader(strconv.Itoa(w)), backend.WriteOptions{Create: true})
				switch {
				case err == nil && res.Created:
					won.Add(1)
					winner.Store(int32(w))
				case !errors.Is(err, fs.ErrExist):
					t.Errorf("creator %d: %+v, %v", w, res, err)
				}
			})
		}
		close(start)
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d creators won, want one", won.Load())
		}
		holds(t, b, name, strconv.Itoa(int(winner.Load())))
	}
}

// carefulWriters count in a file, each write bound to the read before it. Not
// one count may be lost.
func (s suite) carefulWriters(t *testing.T, b backend.Backend) {
	put(t, b, "count", "0")
	const writers, each = 4, 8
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for done, swapped := 0, 0; done < each; {
				err := countUp(b, "count")
				switch {
				case err == nil:
					done++
				case errors.Is(err, backend.ErrSwapped) && swapped < 10_000:
					swapped++
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	holds(t, b, "count", strconv.Itoa(writers*each))
}

func countUp(b backend.Backend, name string) error {
	r, err := b.Open(ctx, name)
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
	_, err = b.Write(ctx, name, strings.NewReader(strconv.Itoa(n+1)), backend.WriteOptions{Replace: true, Judged: &info})
	return err
}

// movers race to give their own file one name without replacing: one wins and
// no file is lost.
func (s suite) movers(t *testing.T, b backend.Backend) {
	const movers = 6
	for round := range 10 {
		folder := "d" + strconv.Itoa(round)
		mkdir(t, b, folder)
		infos := make([]backend.Info, movers)
		for i := range infos {
			infos[i] = put(t, b, folder+"/from"+strconv.Itoa(i), strconv.Itoa(i))
		}
		var wg sync.WaitGroup
		var won atomic.Int32
		start := make(chan struct{})
		for i := range movers {
			wg.Go(func() {
				<-start
				err := b.Rename(ctx, folder+"/from"+strconv.Itoa(i), folder+"/to", infos[i], false)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, fs.ErrExist) {
					t.Errorf("mover %d: %v", i, err)
				}
			})
		}
		close(start)
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d movers won, want one", won.Load())
		}
		if names := namesIn(t, b, folder); len(names) != movers {
			t.Fatalf("%q are left, want %d files", names, movers)
		}
	}
}
