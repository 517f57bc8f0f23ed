package backend_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"paddock/backend"
)

// TestCheckName compares with the standard library's idea of a clean name, which
// differs only in what bytes and lengths it takes.
func TestCheckName(t *testing.T) {
	const seed = 7
	rnd := rand.New(rand.NewPCG(seed, seed))
	good, bad := 0, 0
	for range 20_000 {
		var b strings.Builder
		for range rnd.IntN(8) {
			b.WriteString([]string{"a", "b", ".", "..", "/", "/", "...", "é", "a.b"}[rnd.IntN(9)])
		}
		name := b.String()
		err := backend.CheckName(name)
		if valid := fs.ValidPath(name); valid != (err == nil) || err != nil && !errors.Is(err, backend.ErrName) {
			t.Errorf("CheckName(%q) = %v, fs.ValidPath says %v", name, err, valid)
		}
		if err == nil {
			good++
		} else {
			bad++
		}
	}
	t.Logf("seed %d: %d good names, %d bad", seed, good, bad)
	if good < 2000 || bad < 2000 {
		t.Error("the mix is too one-sided")
	}
	for name, want := range map[string]bool{
		strings.Repeat("n", 255):          true,
		strings.Repeat("n", 256):          false,
		"d/" + strings.Repeat("é", 128):   false,
		strings.Repeat("d/", 2047) + "d":  true,
		strings.Repeat("d/", 2047) + "dd": false,
		"\xff\xfe":                        true,
		"a\x00b":                          false,
		"a\nb":                            true,
		strings.Repeat(strings.Repeat("x", 255)+"/", 16): false,
	} {
		if err := backend.CheckName(name); (err == nil) != want {
			t.Errorf("CheckName(%.20q… of %d bytes) = %v, want ok %v", name, len(name), err, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string][2]string{"a": {".", "a"}, "a/b": {"a", "b"}, "a/b/c.d": {"a/b", "c.d"}} {
		if folder, base := backend.Split(name); folder != want[0] || base != want[1] {
			t.Errorf("Split(%q) = %q, %q; want %q", name, folder, base, want)
		}
	}
}
