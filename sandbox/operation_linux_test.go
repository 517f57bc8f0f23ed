//go:build amd64 || arm64

package sandbox_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// operation is one thing done to files, by real paths.
type operation struct {
	Kind, Path, To string
	Mode           uint32
}

// kinds are the operations of the agreement test.
var kinds = []string{
	"read", "list", "write", "append", "truncate", "create", "delete", "rename", "link", "symlink", "mkdir", "rmdir", "chmod", "exec", "stat",
}

// perform does one operation, with every path put through at. The result is 0
// or the kernel's error.
func (o operation) perform(at func(string) string) unix.Errno {
	path, to := at(o.Path), at(o.To)
	var err error
	switch o.Kind {
	case "read":
		err = opened(path, unix.O_RDONLY, func(fd int) error { var b [8]byte; _, err := unix.Read(fd, b[:]); return err })
	case "list":
		err = opened(path, unix.O_RDONLY|unix.O_DIRECTORY, func(fd int) error {
			var b [8192]byte
			_, err := unix.Getdents(fd, b[:])
			return err
		})
	case "write":
		err = opened(path, unix.O_WRONLY, func(fd int) error { _, err := unix.Write(fd, []byte("W")); return err })
	case "append":
		err = opened(path, unix.O_WRONLY|unix.O_APPEND, func(fd int) error { _, err := unix.Write(fd, []byte("A")); return err })
	case "truncate":
		err = unix.Truncate(path, 1)
	case "create":
		err = opened(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, func(fd int) error { _, err := unix.Write(fd, []byte("new")); return err })
	case "delete":
		err = unix.Unlink(path)
	case "rename":
		err = unix.Rename(path, to)
	case "link":
		err = unix.Link(path, to)
	case "symlink":
		err = unix.Symlink("nowhere/to/go", path)
	case "mkdir":
		err = unix.Mkdir(path, 0o755)
	case "rmdir":
		err = unix.Rmdir(path)
	case "chmod":
		mode := o.Mode
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			mode |= 0o100 // or the user could not look into it at the end
		}
		err = unix.Chmod(path, mode)
	case "exec":
		err = exec.Command(path).Run()
	case "stat":
		var st unix.Stat_t
		err = unix.Stat(path, &st)
	default:
		return unix.ENOTSUP
	}
	var errno unix.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &errno):
		return errno
	default:
		return unix.ENOEXEC // of a program that ran and failed
	}
}

func opened(path string, flags int, use func(fd int) error) error {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return use(fd)
}

// operationsMain does the operations that standard input lists, and writes
// their results: the half of the agreement test that runs inside.
func operationsMain() int {
	var ops []operation
	if err := json.NewDecoder(os.Stdin).Decode(&ops); err != nil {
		return 1
	}
	results := make([]int, len(ops))
	for i, o := range ops {
		results[i] = int(o.perform(func(p string) string { return p }))
	}
	if json.NewEncoder(os.Stdout).Encode(results) != nil {
		return 1
	}
	return 0
}

// under maps the paths of one tree to those of its copy.
func under(tree, twin string) func(string) string {
	return func(p string) string { return twin + strings.TrimPrefix(p, tree) }
}
