package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSavedFilesAreBounded(t *testing.T) {
	state := t.TempDir()
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(state, "saved")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxSaved + 5 {
		name := fmt.Sprintf("20200101T0000%04d-x", i)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	huge := filepath.Join(dir, "20200101T00000003-x")
	if err := os.Truncate(huge, 2*maxSavedBytes); err != nil {
		t.Fatal(err)
	}
	if err := saver(state)("/notes.txt", strings.NewReader("old")); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != maxSaved {
		t.Errorf("%d files are kept (%v), want %d", len(left), err, maxSaved)
	}
	if last := left[len(left)-1].Name(); !strings.HasSuffix(last, "-notes.txt") {
		t.Errorf("the newest is gone; last is %s", last)
	}
	if _, err := os.Stat(huge); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an old huge file is kept: %v", err)
	}
}

func TestSaveFailsWhole(t *testing.T) {
	state := t.TempDir()
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("disk")))
	if err := saver(state)("/x", broken); err == nil {
		t.Error("half of the old content counts as kept")
	}
	if left, err := os.ReadDir(filepath.Join(state, "saved")); err != nil || len(left) != 0 {
		t.Errorf("half a file is left: %v, %v", left, err)
	}
	for virtual, want := range map[string]string{
		"/a/b.txt": "a_b.txt", "/../x\x00\n": ".._x__", "/mem/\u202e\xff": "mem___", "/" + strings.Repeat("x", 5000): strings.Repeat("x", 100),
	} {
		if got := savedName(virtual); got != want {
			t.Errorf("savedName(%q) = %q, want %q", virtual, got, want)
		}
	}
}
