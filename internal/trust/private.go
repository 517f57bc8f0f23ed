package trust

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// MakePrivate makes sure that a folder is there, belongs to the user who runs
// Paddock and cannot be written by anybody else. Missing folders are made with
// mode 0700. Somebody else's folder is refused, not mended: what it holds may
// have been put there to be believed.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder %q cannot be made: %w", dir, err)
	}
	return ours(dir, os.ModeDir)
}

// ours tells why an object must not be believed: it is of another kind (a link
// above all, which leads where somebody else decides), another user's, or
// writable by others. A missing one is fs.ErrNotExist.
func ours(path string, kind fs.FileMode) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().Type() != kind {
		return fmt.Errorf("%q is not what it should be: it is %s", path, info.Mode().Type())
	}
	if owner, known := owner(info); !known {
		return fmt.Errorf("this system does not tell whom %q belongs to", path)
	} else if owner != os.Geteuid() {
		return fmt.Errorf("%q belongs to user %d and paddock runs as user %d; use a folder of your own", path, owner, os.Geteuid())
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%q can be written by others (mode %#o); run: chmod go-w %q", path, info.Mode().Perm(), path)
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
