package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// HaveMountNS says why this process cannot have mounts of its own at all, by
// its own right or by a user namespace; nil when it can.
func HaveMountNS() error { return tryNamespace(sealFlags()) }

func tryNamespace(flags uintptr) error {
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	cmd.SysProcAttr = namespace(flags)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("no private mounts here: %w", err)
	}
	return nil
}

// sealFlags are the namespaces that a seal needs: root does without a user
// namespace, and keeps device nodes and chown.
func sealFlags() uintptr {
	if IsRoot() {
		return unix.CLONE_NEWNS
	}
	return unix.CLONE_NEWUSER | unix.CLONE_NEWNS
}

func namespace(flags uintptr) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Cloneflags: flags}
	if flags&unix.CLONE_NEWUSER != 0 {
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		// The mounts are made by the child itself, after exec.
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	return attr
}

// Sealed runs the calling test where every file system is read-only but its own
// temporary folder, so that an escape which slips through harms nobody. Mounts
// the test makes are its own, too. It is true where the test body shall run;
// false means that the child ran and its outcome is this test's outcome. Where
// the machine allows no private mounts the test is skipped with the reason.
func Sealed(t *testing.T) bool {
	t.Helper()
	if isChild("sealed") {
		sealOnce(t)
		return true
	}
	if err := HaveMountNS(); err != nil {
		t.Skipf("cannot seal: %v", err)
	}
	cmd := child(t, "/proc/self/exe", "sealed", childTemp(t))
	cmd.SysProcAttr = namespace(sealFlags())
	output, err := cmd.CombinedOutput()
	report(t, string(output), err)
	return false
}

// sealedMark is set in the environment of a child that is sealed already.
const sealedMark = "PADDOCK_TESTENV_SEALED"

// sealOnce makes the mounts. A child runs one test; a second call of
// the same test finds the seal and leaves it.
func sealOnce(t *testing.T) {
	t.Helper()
	if os.Getenv(sealedMark) != "" {
		return
	}
	temp := os.TempDir()
	// Nothing that happens to these mounts may reach the ones outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatalf("seal: make the mounts private: %v", err)
	}
	if err := unix.Mount(temp, temp, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		t.Fatalf("seal: mount %s: %v", temp, err)
	}
	readOnly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &readOnly); err != nil {
		t.Fatalf("seal: make everything read-only: %v", err)
	}
	writable := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, temp, 0, &writable); err != nil {
		t.Fatalf("seal: make %s writable: %v", temp, err)
	}
	os.Setenv(sealedMark, "1")
}
