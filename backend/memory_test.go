package backend_test

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"paddock/backend"
	"paddock/backend/backendtest"
)

func TestMemory(t *testing.T) {
	backendtest.Run(t, func(t *testing.T) backend.Backend { return backend.NewMemory(64 << 20) }, backendtest.Options{})
}

func TestMemoryIsCapped(t *testing.T) {
	ctx := context.Background()
	m := backend.NewMemory(10_000)
	create := backend.WriteOptions{Create: true, Replace: true}
	_, err := m.Write(ctx, "big", strings.NewReader(strings.Repeat("x", 20_000)), create)
	if !errors.Is(err, backend.ErrFull) {
		t.Errorf("a file larger than the whole: %v, want ErrFull", err)
	}
	full := func() int {
		t.Helper()
		for i := range 1000 {
			_, err := m.Write(ctx, strconv.Itoa(i), strings.NewReader(""), create)
			if errors.Is(err, backend.ErrFull) {
				return i
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Fatal("1000 empty files fit in 10 000 bytes")
		return 0
	}
	first := full()
	if err := m.Mkdir(ctx, "d", 0); !errors.Is(err, backend.ErrFull) {
		t.Errorf("a folder more: %v, want ErrFull", err)
	}
	info, err := m.Stat(ctx, "0")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Rename(ctx, "0", strings.Repeat("n", 255), info, false); !errors.Is(err, backend.ErrFull) {
		t.Errorf("a longer name: %v, want ErrFull", err)
	}
	// What goes makes room, and the books stay right however often.
	for range 3 {
		for i := range first {
			name := strconv.Itoa(i)
			info, err := m.Stat(ctx, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Rename(ctx, name, "n"+name, info, false); err != nil {
				t.Fatal(err)
			}
			if err := m.Remove(ctx, "n"+name, info); err != nil {
				t.Fatal(err)
			}
		}
		if again := full(); again != first {
			t.Fatalf("%d files fit, at first %d", again, first)
		}
	}
}

func TestMemoryKeepsReadOnlyFiles(t *testing.T) {
	ctx := context.Background()
	m := backend.NewMemory(10_000)
	if _, err := m.Write(ctx, "f", strings.NewReader("x"), backend.WriteOptions{Create: true, Mode: 0o444}); err != nil {
		t.Fatal(err)
	}
	_, err := m.Write(ctx, "f", strings.NewReader("y"), backend.WriteOptions{Replace: true})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("write to a read-only file: %v, want fs.ErrPermission", err)
	}
}
