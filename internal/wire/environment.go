package wire

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Environment is what the surroundings say. A test makes its own.
type Environment struct {
	// Dir is the working directory, absolute and without links, so that a
	// start through a link finds the same policy as one without.
	Dir    string
	Getenv func(string) string
	// Programs are the names under which this program is started.
	Programs []string
}

// System is the environment of this process.
func System() (Environment, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return Environment{}, fmt.Errorf("the working directory: %w", err)
	}
	e := Environment{Dir: dir, Getenv: os.Getenv}
	if own, err := os.Executable(); err == nil {
		e.Programs = append(e.Programs, own)
	}
	if found, err := exec.LookPath(os.Args[0]); err == nil {
		e.Programs = append(e.Programs, e.absolute(found))
	}
	return e, nil
}

// absolute reads a path as one that the person typed. It does not clean it:
// a/.. is not nothing when a is a link.
func (e Environment) absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return e.Dir + "/" + path
}
