//go:build !osroot

package disk

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock/backend"
)

func TestOpenFollowsLinksOnceAndSaysWhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "real/sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	tree := open(t, filepath.Join(dir, "alias/sub"))
	want, err := filepath.EvalSymlinks(filepath.Join(dir, "real/sub"))
	if err != nil {
		t.Fatal(err)
	}
	if tree.Root() != want || tree.IsFile() {
		t.Errorf("Root() = %q, IsFile() = %v; want %q, false", tree.Root(), tree.IsFile(), want)
	}
	// The tree is the folder, not its name.
	if err := os.Rename(filepath.Join(dir, "real"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Write(context.Background(), "a", strings.NewReader("x"), backend.WriteOptions{Create: true}); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "moved/sub/a")); string(got) != "x" {
		t.Errorf("the moved folder holds %q, %v; want x", got, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"", ".", "relative", filepath.Join(dir, "missing"), "/dev/null"} {
		if tree, err := Open(path); err == nil {
			tree.Close()
			t.Errorf("Open(%q) did not fail", path)
		}
	}
}

func TestWriteTakesEachWay(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	tree := open(t, dir)
	res, err := tree.Write(ctx, "a", strings.NewReader("one"), backend.WriteOptions{Create: true})
	if err != nil || !res.Created || res.InPlace || res.Info.Size != 3 {
		t.Fatalf("create: %+v, %v", res, err)
	}
	if err := os.Chmod(filepath.Join(dir, "a"), 0o640); err != nil {
		t.Fatal(err)
	}
	info, err := tree.Stat(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	res, err = tree.Write(ctx, "a", strings.NewReader("two!"), backend.WriteOptions{Replace: true, Judged: &info})
	if err != nil || res.Created || res.InPlace || res.Info.ID == info.ID || res.Info.Mode != 0o640 {
		t.Fatalf("replace: %+v, %v", res, err)
	}
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	saved := ""
	res, err = tree.Write(ctx, "b", strings.NewReader("3"), backend.WriteOptions{Replace: true, Save: func(old io.Reader) error {
		data, err := io.ReadAll(old)
		saved = string(data)
		return err
	}})
	if err != nil || !res.InPlace || saved != "two!" {
		t.Fatalf("hard link: %+v, %v, saved %q", res, err, saved)
	}
	if got := content(t, tree, "a"); got != "3" {
		t.Errorf("the other name holds %q, want 3", got)
	}
	file := open(t, filepath.Join(dir, "a"))
	res, err = file.Write(ctx, ".", strings.NewReader("four"), backend.WriteOptions{Replace: true})
	if err != nil || !res.InPlace || !file.IsFile() || content(t, file, ".") != "four" {
		t.Fatalf("file mount: %+v, %v", res, err)
	}
	noTemporaries(t, dir)
}
