package paddock_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"

	"paddock"
)

// Edits of one file at the same time lose nothing of each other, on disk, by
// a hard link that is written in place, and in memory.
func TestParallelEdits(t *testing.T) {
	const text = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: all}
  - {slug: mem, backend: memory, allowed_permission: all}
`
	g, base := guard(t, text, paddock.Options{Save: keepNothing})
	put(t, base+"/ws/a", "")
	put(t, base+"/ws/h1", "")
	hardLink(t, base+"/ws/h1", base+"/ws/h2")
	link(t, "a", base+"/ws/to-a")
	if err := write(g, "/mem/a", ""); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"a", "/root/a", "to-a"}, {"h1"}, {"/mem/a"}} {
		const writers, edits = 6, 5
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for e := range edits {
					c := g.Begin("edit_file", nil)
					_, err := c.Edit(context.Background(), names[(w+e)%len(names)], func(old []byte) ([]byte, error) {
						return fmt.Appendf(old, "%d.%d\n", w, e), nil
					})
					c.End(err)
					if err != nil {
						t.Errorf("%s: %v", names[0], err)
					}
				}
			})
		}
		wg.Wait()
		got, err := read(t, g, names[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(got)
		sort.Strings(lines)
		for i := 1; i < len(lines); i++ {
			if lines[i] == lines[i-1] {
				t.Errorf("%s: %s twice", names[0], lines[i])
			}
		}
		if len(lines) != writers*edits {
			t.Errorf("%s: %d of %d edits are left", names[0], len(lines), writers*edits)
		}
	}
}

// A writer and many readers: each read is one whole content.
func TestReadsAreWhole(t *testing.T) {
	g, base := guard(t, plainPolicy, paddock.Options{})
	texts := map[string]bool{strings.Repeat("a", 5000): true, strings.Repeat("b", 7000): true}
	put(t, base+"/ws/f", strings.Repeat("a", 5000))
	stop := make(chan struct{})
	var wg, writer sync.WaitGroup
	writer.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := write(g, "f", strings.Repeat(string(rune('a'+n%2)), 5000+2000*(n%2))); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if text, err := read(t, g, "f"); err != nil || !texts[text] {
					t.Errorf("%d bytes: %v", len(text), err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	writer.Wait()
}

// Calls that make the same file at once: one makes it.
func TestParallelCreates(t *testing.T) {
	g, _ := guard(t, plainPolicy, paddock.Options{})
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for range 8 {
		wg.Go(func() {
			c := g.Begin("write_file", nil)
			_, err := c.Write(context.Background(), "n/e/w", []byte("x"), paddock.WriteOptions{Create: true, Parents: true})
			c.End(err)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("%d calls made the file", made)
	}
}
