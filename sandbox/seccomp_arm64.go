//go:build linux

package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch     = unix.AUDIT_ARCH_AARCH64
	lastKnownCall = unix.SYS_LISTNS
)

// callsOfArch are refused calls that only this architecture has.
var callsOfArch = []uint32{unix.SYS_KEXEC_FILE_LOAD}

var modeCalls = []modeCall{
	{unix.SYS_FCHMOD, 1, -1}, {unix.SYS_FCHMODAT, 2, -1}, {unix.SYS_FCHMODAT2, 2, -1}, {unix.SYS_OPENAT, 3, 2}, {unix.SYS_MKNODAT, 2, -1},
}
