package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"paddock"
	"paddock/policy"
)

func add(g *paddock.Guard, path, text string, o paddock.WriteOptions) (paddock.WriteResult, error) {
	c := g.Begin("append", nil)
	r, err := c.Append(context.Background(), path, []byte(text), o)
	c.End(err)
	return r, err
}

func TestAppend(t *testing.T) {
	all := paddock.WriteOptions{Create: true, Parents: true}
	both(t, changePolicy, changeFiles, func(t *testing.T, g *paddock.Guard, see func(string) string) {
		for _, c := range []struct {
			path  string
			o     paddock.WriteOptions
			err   error
			after string
		}{
			{"/a.txt", paddock.WriteOptions{}, nil, "a+"},
			{"/a.txt", all, nil, "a++"},
			{"/new.txt", paddock.WriteOptions{}, os.ErrNotExist, "absent"},
			{"/new.txt", paddock.WriteOptions{Create: true}, nil, "+"},
			{"/deep/er/new.txt", paddock.WriteOptions{Create: true}, policy.ErrNoFolder, "absent"},
			{"/deep/er/new.txt", all, nil, "+"},
			{"/blind/b", all, nil, "B+"}, // WRITE is enough
			{"/fixed/f", all, policy.PathAccessDenied, "f"},
			{"/h/x.env", all, policy.PathAccessDenied, "S"},
			{"/d", all, paddock.ErrIsDir, "absent"},
		} {
			r, err := add(g, c.path, "+", c.o)
			if !errors.Is(err, c.err) {
				t.Errorf("%s: %v, want %v", c.path, err, c.err)
			}
			if c.path == "/d" {
				continue
			}
			if got := see(strings.TrimPrefix(c.path, "/")); got != c.after || err == nil && r.Size != int64(len(got)) {
				t.Errorf("%s: %q of %d bytes, want %q", c.path, got, r.Size, c.after)
			}
		}
	})
}

// Who may not read a file does not see it in the question about an append.
func TestAppendAsksWithoutTheOldContent(t *testing.T) {
	asks := always(yes, nil)
	g, base := guard(t, "version: 1\npaths: [{slug: root, path: ws, allowed_permission: write, required_permission: write}]\n", paddock.Options{Approver: asks})
	put(t, base+"/ws/a", "CANARY\n")
	if _, err := add(g, "/a", "more\n", paddock.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, base+"/ws/a"); got != "CANARY\nmore\n" {
		t.Errorf("the file is %q", got)
	}
	if len(asks.requests) != 1 || !strings.Contains(asks.requests[0].Detail, "+more") || strings.Contains(asks.requests[0].Detail, "CANARY") {
		t.Errorf("asked %+v", asks.requests)
	}
}

// Appends that meet lose nothing, also where the file is written in place
// because it has two names.
func TestParallelAppends(t *testing.T) {
	const text = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: write}
  - {slug: mem, backend: memory, allowed_permission: all}
`
	g, base := guard(t, text, paddock.Options{Save: keepNothing})
	put(t, base+"/ws/a", "")
	put(t, base+"/ws/h1", "")
	hardLink(t, base+"/ws/h1", base+"/ws/h2")
	if err := write(g, "/mem/a", ""); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"/a", "/root/a"}, {"/h1", "/h2"}, {"/mem/a"}} {
		const writers, times = 6, 5
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range times {
					if _, err := add(g, names[(w+i)%len(names)], fmt.Sprintf("%d.%d\n", w, i), paddock.WriteOptions{}); err != nil {
						t.Errorf("%s: %v", names[0], err)
					}
				}
			})
		}
		wg.Wait()
		var got string
		if strings.HasPrefix(names[0], "/mem") {
			got, _ = read(t, g, names[0])
		} else {
			got = content(t, base+"/ws"+names[0])
		}
		seen := map[string]bool{}
		for _, each := range strings.Fields(got) {
			seen[each] = true
		}
		if len(seen) != writers*times || strings.Count(got, "\n") != writers*times {
			t.Errorf("%s: %d of %d appends are left in %q", names[0], len(seen), writers*times, got)
		}
	}
}

// A file that somebody else replaced meanwhile is not written over.
func TestAppendToWhatWasJudged(t *testing.T) {
	var base string
	asks := after(func() {
		put(t, base+"/ws/b", "theirs")
		if err := os.Rename(base+"/ws/b", base+"/ws/a"); err != nil {
			t.Error(err)
		}
	})
	g, where := guard(t, "version: 1\npaths: [{slug: root, path: ws, allowed_permission: all, required_permission: write}]\n", paddock.Options{Approver: asks})
	base = where
	put(t, base+"/ws/a", "old")
	if _, err := add(g, "/a", "more", paddock.WriteOptions{}); !errors.Is(err, paddock.ErrSwapped) {
		t.Errorf("it says %v", err)
	}
	if got := content(t, base+"/ws/a"); got != "theirs" {
		t.Errorf("the file is %q", got)
	}
}
