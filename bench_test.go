package paddock_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paddock"
)

const benchPlain = `
version: 1
permissions: all
paths: [{slug: root, path: ws, allowed_permission: all}]
`

// benchFull is a policy as people write them: an alias, patterns and rules.
const benchFull = `
version: 1
permissions: all
paths:
  - {slug: root, path: other, allowed_permission: read}
  - slug: proj
    path: ws
    allowed_permission: all
    denied_path_regex: ["*.env", "!example.env", "secrets/", "**/*.pem", "/build/**", "*.key", "node_modules/.cache/"]
denied_path_regex: ["**/.git/hooks/**", ".ssh/", "*.p12"]
rules:
  - {operations: [write], paths: ["/proj/vendor/**"], mode: deny}
  - {operations: [read, write], paths: ["/proj/private/**", "/**/*.secret"], mode: deny}
`

// compare runs the guarded and the plain way in turn, so that both meet the
// same machine, and reports how many times slower the guarded one is.
func compare(b *testing.B, guarded, plain func() error) {
	b.ReportAllocs()
	var took [2]time.Duration
	for b.Loop() {
		for i, do := range []func() error{guarded, plain} {
			begin := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(begin)
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "x-plain")
	b.ReportMetric(float64(took[0].Nanoseconds())/float64(b.N), "guarded-ns")
}

// Budget: 2 times os.ReadFile, 3 times with an alias and patterns.
func BenchmarkRead(b *testing.B) {
	for name, c := range map[string]struct{ policy, path string }{"plain": {benchPlain, "/a/b/notes.txt"}, "full": {benchFull, "/proj/a/b/notes.txt"}} {
		for _, size := range []int{100, 4096} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				g, base := guard(b, c.policy, paddock.Options{})
				real := filepath.Join(base, "ws/a/b/notes.txt")
				put(b, real, string(make([]byte, size)))
				ctx := context.Background()
				compare(b, func() error {
					call := g.Begin("read_file", nil)
					f, err := call.Open(ctx, c.path)
					if err != nil {
						return err
					}
					// As os.ReadFile does: room for the file and its end.
					buf := make([]byte, size+512)
					if _, err := io.ReadFull(f, buf); err != io.ErrUnexpectedEOF {
						return err
					}
					call.End(nil)
					return f.Close()
				}, func() error {
					_, err := os.ReadFile(real)
					return err
				})
			})
		}
	}
}

// Against what careful people write by hand: a temporary file, fsync, rename,
// fsync of the folder.
func BenchmarkWrite(b *testing.B) {
	g, base := guard(b, benchFull, paddock.Options{})
	put(b, base+"/ws/a/guarded", "x")
	put(b, base+"/ws/a/plain", "x")
	text := make([]byte, 4096)
	ctx := context.Background()
	compare(b, func() error {
		call := g.Begin("write_file", nil)
		_, err := call.Write(ctx, "/proj/a/guarded", text, paddock.WriteOptions{Replace: true})
		call.End(err)
		return err
	}, func() error { return replaceByHand(base+"/ws/a", "plain", text) })
}

func replaceByHand(dir, name string, text []byte) error {
	f, err := os.CreateTemp(dir, "tmp")
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close() // only read
	return d.Sync()
}

func BenchmarkList(b *testing.B) {
	for name, c := range map[string]struct{ policy, path string }{"plain": {benchPlain, "/a"}, "full": {benchFull, "/proj/a"}} {
		b.Run(name, func(b *testing.B) {
			g, base := guard(b, c.policy, paddock.Options{})
			for i := range 100 {
				put(b, fmt.Sprintf("%s/ws/a/file-%d.txt", base, i), "x")
			}
			ctx := context.Background()
			compare(b, func() error {
				call := g.Begin("ls", nil)
				all, err := call.List(ctx, c.path)
				call.End(err)
				if len(all) != 100 {
					return fmt.Errorf("%d names: %w", len(all), err)
				}
				return err
			}, func() error {
				all, err := os.ReadDir(base + "/ws/a")
				for _, e := range all {
					if _, err := e.Info(); err != nil {
						return err
					}
				}
				return err
			})
		})
	}
}

func BenchmarkWalk(b *testing.B) {
	g, base := guard(b, benchFull, paddock.Options{})
	for i := range 20 {
		for j := range 50 {
			put(b, fmt.Sprintf("%s/ws/d%d/file-%d.txt", base, i, j), "x")
		}
	}
	ctx := context.Background()
	compare(b, func() error {
		n := 0
		err := g.Begin("grep", nil).Walk(ctx, "/proj", paddock.WalkOptions{}, func(*paddock.Visit) error { n++; return nil })
		if n != 1021 {
			return fmt.Errorf("%d visits: %w", n, err)
		}
		return err
	}, func() error {
		return filepath.WalkDir(base+"/ws", func(_ string, d os.DirEntry, err error) error {
			if err == nil {
				_, err = d.Info()
			}
			return err
		})
	})
}
