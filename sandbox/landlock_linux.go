//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"

	"paddock/policy"
)

// landlockBits is the table of rights: which of the kernel's accesses each
// right is. Rename needs REMOVE on the old folder and MAKE on the new one, as
// the policy's table wants it.
var landlockBits = map[policy.Permission]uint64{
	policy.Read: unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR,
	policy.Write: unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK,
	policy.Execute: unix.LANDLOCK_ACCESS_FS_EXECUTE,
	policy.Delete:  unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR,
}

// fileBits are those that a rule on a single file may have.
const fileBits = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
	unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// landlockVersion asks the kernel, 0 when it has none.
func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// handledBits are all file accesses that a version knows.
func handledBits(version int) uint64 {
	bits := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM)<<1 - 1 // the thirteen of version 1
	if version >= 2 {
		bits |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		bits |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		bits |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return bits
}

// restrict puts the calling thread, and what it executes, under the rules. The
// thread must not be able to gain privileges any more.
func restrict(version int, rules []ruleSpec) error {
	handled := handledBits(version)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handled}
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if version >= 4 {
		size += unsafe.Sizeof(attr.Handled_access_net)
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.Scoped)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("landlock rule set: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, r := range rules {
		if err := addRule(int(fd), r, handled); err != nil {
			return fmt.Errorf("landlock rule for %s: %w", r.Path, err)
		}
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

func addRule(ruleset int, r ruleSpec, handled uint64) error {
	bits := uint64(0)
	for right, b := range landlockBits {
		if r.Rights&right != 0 {
			bits |= b
		}
	}
	if r.Only {
		bits = unix.LANDLOCK_ACCESS_FS_READ_DIR
	}
	if r.Device {
		bits |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	at, err := unix.Open(r.Path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	var st unix.Stat_t
	if err := unix.Fstat(at, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		bits &= fileBits
	}
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: bits & handled, Parent_fd: int32(at)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
