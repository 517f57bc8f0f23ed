//go:build !osroot

package disk

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"paddock/backend"
)

// Each benchmark has what it is compared with beside it, in the same run.

func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	tree, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	if err := os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o755); err != nil {
		b.Fatal(err)
	}
	const name = "a/b/c/file.txt"
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(strings.Repeat("line of text\n", 100)), 0o644); err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 4096)
	b.Run("os.ReadFile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := os.ReadFile(path); err != nil {
				b.Fatal(err)
			}
		}
	})
	readAll := func(b *testing.B, r backend.Reader, err error) {
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := r.Read(buf); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		r.Close()
	}
	b.Run("Open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := tree.Open(bg, name)
			readAll(b, r, err)
		}
	})
	b.Run("Plain and Open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := tree.Plain(name); !ok {
				b.Fatal("not plain")
			}
			r, err := tree.Open(bg, name)
			readAll(b, r, err)
		}
	})
	b.Run("Hold and Open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			held, ok := tree.Hold(name)
			if !ok {
				b.Fatal("not plain")
			}
			r, err := held.Open()
			readAll(b, r, err)
			held.Close()
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	tree, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	text := strings.Repeat("x", 4096)
	b.Run("by hand", func(b *testing.B) {
		for b.Loop() {
			if err := byHand(filepath.Join(dir, "f"), text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Write", func(b *testing.B) {
		for b.Loop() {
			if _, err := tree.Write(bg, "f", strings.NewReader(text), backend.WriteOptions{Create: true, Replace: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("judged", func(b *testing.B) {
		info, err := tree.Stat(bg, "f")
		for b.Loop() {
			if err != nil {
				b.Fatal(err)
			}
			var res backend.WriteResult
			res, err = tree.Write(bg, "f", strings.NewReader(text), backend.WriteOptions{Replace: true, Judged: &info})
			info = res.Info
		}
	})
}

// byHand is what a careful program does: temporary file, sync, rename, sync.
func byHand(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), "tmp")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func BenchmarkReadDir(b *testing.B) {
	dir := b.TempDir()
	tree, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	for i := range 1000 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("os.ReadDir and Info", func(b *testing.B) {
		for b.Loop() {
			entries, err := os.ReadDir(dir)
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range entries {
				if _, err := e.Info(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("ReadDir", func(b *testing.B) {
		for b.Loop() {
			if _, err := tree.ReadDir(bg, "."); err != nil {
				b.Fatal(err)
			}
		}
	})
}
