package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"paddock/internal/trust"
)

// StateFolder tells where Paddock keeps what it must remember: $PADDOCK_STATE,
// else paddock in $XDG_STATE_HOME, else ~/.local/state/paddock. It makes
// nothing. Links are resolved as far as the folder is there.
func (e Environment) StateFolder() (string, error) {
	dir, err := e.namedState()
	if err != nil {
		return "", err
	}
	return realPath(dir), nil
}

// namedState is the state folder as it is named, links and all.
func (e Environment) namedState() (string, error) {
	if dir := e.Getenv("PADDOCK_STATE"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("PADDOCK_STATE is %q; it must be an absolute path, because each start may be in another folder", dir)
		}
		return dir, nil
	}
	// The base directory standard says that a relative value is to be ignored.
	if dir := e.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "paddock"), nil
	}
	if home := e.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "paddock"), nil
	}
	return "", errors.New("there is no place to keep state: HOME is not set; set PADDOCK_STATE to a folder of your own")
}

// State is StateFolder, made if it was missing, and refused if somebody else
// could have put something there.
func (e Environment) State() (string, error) {
	dir, err := e.StateFolder()
	if err != nil {
		return "", err
	}
	if err := trust.MakePrivate(dir); err != nil {
		return "", fmt.Errorf("the state folder: %w; PADDOCK_STATE names another one", err)
	}
	return realPath(dir), nil
}

// realPath resolves the links of a path whose end may be missing.
func realPath(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for dir := path; ; {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest)
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == "/" {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = filepath.Dir(dir)
	}
}
