package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	"paddock"
)

const nearPolicy = `
version: 1
paths:
  - slug: root
    path: ws
    allowed_permission: read|write|delete
    denied_path_regex: [/private/]
`

// A folder that is moved while a walk visits its files opens nothing of the
// place where it is now, when that is shut; nor what is put in its own place.
func TestWalkOfAFolderThatIsMoved(t *testing.T) {
	for _, names := range []bool{false, true} {
		base := tempDir(t)
		for _, name := range []string{"a", "b", "c"} {
			put(t, base+"/ws/pub/"+name, "public")
		}
		put(t, base+"/ws/private/secret", "secret")
		g := guardAt(t, base, nearPolicy, paddock.Options{})
		c := g.Begin("test", nil)
		read := func(v *paddock.Visit) (string, error) {
			f, err := v.Open(context.Background())
			if err != nil {
				return "", err
			}
			defer f.Close()
			text, err := io.ReadAll(f)
			return string(text), err
		}
		seen := 0
		err := c.Walk(t.Context(), "/", paddock.WalkOptions{Names: names}, func(v *paddock.Visit) error {
			switch v.Path {
			case "/pub/a":
				if text, err := read(v); text != "public" || err != nil {
					t.Errorf("before: %q, %v", text, err)
				}
				rename(t, base+"/ws/pub", base+"/ws/private/pub")
				put(t, base+"/ws/private/pub/b", "secret now")
			case "/pub/b":
				if text, err := read(v); err == nil {
					t.Errorf("names %v: of the folder that is shut now: %q", names, text)
				}
				link(t, "private", base+"/ws/pub")
				put(t, base+"/ws/private/c", "secret too")
			case "/pub/c":
				if text, err := read(v); err == nil {
					t.Errorf("names %v: through a link to the folder that is shut: %q", names, text)
				}
			}
			seen++
			return nil
		})
		c.End(err)
		if err != nil || seen != 5 {
			t.Errorf("%d visits, %v", seen, err)
		}
	}
}

// A Visit that is kept beyond its walk still opens its file, and leaves
// nothing open.
func TestVisitAfterTheWalk(t *testing.T) {
	base := tempDir(t)
	put(t, base+"/ws/a", "text")
	g := guardAt(t, base, nearPolicy, paddock.Options{})
	c := g.Begin("test", nil)
	var kept *paddock.Visit
	err := c.Walk(t.Context(), "/", paddock.WalkOptions{Names: true}, func(v *paddock.Visit) error {
		if v.Path == "/a" {
			kept = v
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := kept.Open(t.Context())
	if err != nil || f.Info().Size != 4 {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Remove(base + "/ws/a"); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Open(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	c.End(nil)
}

// What Later gives opens on other goroutines, also when the walk is in other
// folders by then, and folders that were moved are not looked for.
func TestLater(t *testing.T) {
	for _, text := range []string{strings.Replace(nearPolicy, "    denied_path_regex: [/private/]\n", "", 1), nearPolicy} {
		base := tempDir(t)
		want := map[string]string{}
		for i := range 300 {
			name := fmt.Sprintf("d%d/e%d/f%d", i%7, i%3, i)
			put(t, base+"/ws/"+name, name)
			want["/"+name] = name
		}
		g := guardAt(t, base, text, paddock.Options{})
		c := g.Begin("test", nil)
		var all sync.WaitGroup
		var mu sync.Mutex
		got := map[string]string{}
		begin := make(chan struct{})
		err := c.Walk(t.Context(), "/", paddock.WalkOptions{Names: true}, func(v *paddock.Visit) error {
			if v.Kind != paddock.KindFile {
				if _, err := v.Later(t.Context()); !errors.Is(err, paddock.ErrIsDir) {
					t.Errorf("Later of a folder: %v", err)
				}
				return nil
			}
			open, err := v.Later(t.Context())
			if err != nil {
				return err
			}
			all.Go(func() {
				<-begin
				f, err := open()
				if err != nil {
					t.Error(err)
					return
				}
				defer f.Close()
				text, err := io.ReadAll(f)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				got[v.Path] = string(text)
			})
			return nil
		})
		close(begin)
		all.Wait()
		c.End(err)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%d of %d files, %v", len(got), len(want), err)
		}
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
