//go:build amd64 || arm64

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Look asks the kernel what it has. It takes microseconds and starts nothing:
// whether namespaces can be made shows when the first sandbox is, and Try
// tells before.
func Look() Probe {
	var info unix.Sysinfo_t
	pr := Probe{Landlock: landlockVersion(), Seccomp: seccompThere()}
	if unix.Sysinfo(&info) == nil {
		pr.Memory = int64(info.Totalram) * int64(info.Unit)
	}
	return pr
}

// Try is Look, and makes a whole sandbox with nothing in it to see whether it
// can be made. The program must call MaybeInit.
func Try(ctx context.Context) Probe {
	pr := Look()
	if err := try(ctx); err != nil {
		pr.Namespaces = err.Error()
	}
	return pr
}

func try(ctx context.Context) error {
	if !initCalled.Load() {
		return errNoInit
	}
	pl := &Plan{Limits: Limits{Scratch: 1 << 20}}
	pl.scratch()
	id := identity{uid: os.Geteuid(), gid: os.Getegid()}
	s := pl.layout(id)
	s.Probe = true
	s.Command.UID, s.Command.GID = id.uid, id.gid
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "sandbox"), os.NewFile(uintptr(pair[1]), "sandbox")
	defer ours.Close()
	cmd := initCommand(theirs, id)
	err = cmd.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	defer cmd.Wait()
	stop := context.AfterFunc(ctx, func() { cmd.Process.Kill() })
	defer stop()
	if err := sendFrame(ours, s); err != nil {
		return err
	}
	var first [1]byte
	if _, err := ours.Read(first[:]); err != nil {
		return fmt.Errorf("the sandbox ended early: %w", err)
	}
	var m message
	if err := json.NewDecoder(ours).Decode(&m); err != nil {
		return fmt.Errorf("the sandbox ended early: %w", err)
	}
	if m.Error != "" {
		return errors.New(m.Error)
	}
	return nil
}
