//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The list is a deny list with a lid: what is not named is allowed, and a
// number that was unknown when this was written is refused, since a new call
// may be a new way around.

// filter assembles a program of the kernel's classic BPF. Jumps are short, so
// each test carries its own answer.
type filter []unix.SockFilter

const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16
)

func ret(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

func (f *filter) op(code uint16, k uint32, jt, jf uint8) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (f *filter) load(offset uint32) { f.op(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }

// loadArg loads the low half of an argument: the calls concerned take an int,
// of which the kernel ignores the rest.
func (f *filter) loadArg(n uint32) { f.load(offArgs + 8*n) }

func (f *filter) answer(k uint32) { f.op(unix.BPF_RET|unix.BPF_K, k, 0, 0) }

// deny refuses the calls with one error. The number is loaded.
func (f *filter) deny(errno unix.Errno, numbers ...uint32) {
	for _, n := range numbers {
		f.op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, n, 0, 1)
		f.answer(ret(errno))
	}
}

// when runs body for one call, and ends by allowing it.
func (f *filter) when(number uint32, body func(*filter)) {
	var inner filter
	body(&inner)
	inner.answer(unix.SECCOMP_RET_ALLOW)
	f.op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, number, 0, uint8(len(inner)))
	*f = append(*f, inner...)
}

// denyBits refuses when the loaded argument has any of the bits.
func (f *filter) denyBits(bits uint32, errno unix.Errno) {
	f.op(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, bits, 0, 1)
	f.answer(ret(errno))
}

// allowValues allows when the loaded argument, masked, is one of the values,
// and refuses otherwise.
func (f *filter) allowValues(mask uint32, errno unix.Errno, values ...uint32) {
	f.op(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, mask, 0, 0)
	for i, v := range values {
		f.op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, v, uint8(len(values)-i), 0)
	}
	f.answer(ret(errno))
}

// newNamespaces are the flags of clone and unshare that make namespaces. In
// one of its own a process has every capability again.
const newNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// program is the whole list. noMemfd also refuses files that live in memory
// only, which no mount could keep from being run.
func program(noMemfd bool) []unix.SockFilter {
	var f filter
	f.load(offArch)
	// Another architecture has other numbers for the same calls.
	f.op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, auditArch, 1, 0)
	f.answer(ret(unix.ENOSYS))
	f.load(offNumber)
	// x32 counts from 1<<30.
	f.op(unix.BPF_JMP|unix.BPF_JGT|unix.BPF_K, lastKnownCall, 0, 1)
	f.answer(ret(unix.ENOSYS))
	f.deny(unix.ENOSYS, callsNotThere...)
	f.deny(unix.EPERM, callsRefused...)
	f.deny(unix.EPERM, callsOfArch...)
	if noMemfd {
		f.deny(unix.EPERM, unix.SYS_MEMFD_CREATE)
	}
	f.when(unix.SYS_CLONE, func(f *filter) { f.loadArg(0); f.denyBits(newNamespaces, unix.EPERM) })
	f.when(unix.SYS_UNSHARE, func(f *filter) {
		f.loadArg(0)
		f.denyBits(newNamespaces|unix.CLONE_NEWTIME, unix.EPERM)
	})
	f.when(unix.SYS_IOCTL, func(f *filter) {
		// Both put words into the mouth of whoever owns the terminal.
		f.loadArg(1)
		f.deny(unix.EPERM, unix.TIOCSTI, unix.TIOCLINUX)
	})
	f.when(unix.SYS_SOCKET, socketRules)
	f.when(unix.SYS_SOCKETPAIR, func(f *filter) {
		f.loadArg(0)
		f.allowValues(^uint32(0), unix.EPERM, unix.AF_UNIX)
		// A datagram socket of a pair can still send to any name.
		f.loadArg(1)
		f.allowValues(0xf, unix.EPERM, unix.SOCK_STREAM, unix.SOCK_SEQPACKET)
	})
	for _, c := range modeCalls {
		f.when(c.number, func(f *filter) {
			if c.flags >= 0 {
				// Without one of these the mode is not looked at, and may be anything.
				f.loadArg(uint32(c.flags))
				f.op(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY, 1, 0)
				f.answer(unix.SECCOMP_RET_ALLOW)
			}
			f.loadArg(c.mode)
			f.denyBits(unix.S_ISUID|unix.S_ISGID, unix.EPERM)
		})
	}
	f.answer(unix.SECCOMP_RET_ALLOW)
	return f
}

// socketRules leave TCP and UDP, which lead nowhere but to the sandbox's own
// loopback, and questions about interfaces.
func socketRules(f *filter) {
	f.loadArg(0)
	f.allowValues(^uint32(0), unix.EAFNOSUPPORT, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	f.loadArg(0)
	var net filter
	net.loadArg(1)
	net.allowValues(0xf, unix.EPERM, unix.SOCK_STREAM, unix.SOCK_DGRAM)
	// Multipath TCP and the others go around rules that are about TCP.
	net.loadArg(2)
	net.allowValues(^uint32(0), unix.EPROTONOSUPPORT, 0, unix.IPPROTO_TCP, unix.IPPROTO_UDP)
	net.answer(unix.SECCOMP_RET_ALLOW)
	f.op(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, unix.AF_NETLINK, uint8(len(net)), 0)
	*f = append(*f, net...)
	f.loadArg(2)
	f.allowValues(^uint32(0), unix.EPROTONOSUPPORT, unix.NETLINK_ROUTE)
}

// modeCall sets the mode of a file. A program with the set-uid bit, left in a
// mount, would run with our rights for anybody outside.
type modeCall struct {
	number uint32
	mode   uint32 // the place of the mode among the arguments
	flags  int    // the place of the open flags, -1 when it has none
}

// callsNotThere answer as an old kernel would, so that programs fall back.
var callsNotThere = []uint32{
	unix.SYS_CLONE3, // its flags lie in memory, where they can change after a look
	unix.SYS_OPENAT2, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT, unix.SYS_FILE_SETATTR, unix.SYS_FILE_GETATTR, unix.SYS_LISTNS,
	unix.SYS_LSM_SET_SELF_ATTR, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK,
}

// callsRefused are about mounts, other processes, and the machine.
var callsRefused = []uint32{
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_SETNS, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_BPF,
	unix.SYS_USERFAULTFD, unix.SYS_PERF_EVENT_OPEN, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SETTIMEOFDAY,
	unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_NFSSERVCTL,
}

// installFilter puts the calling thread, and what it executes, under the list.
func installFilter(noMemfd bool) error {
	f := program(noMemfd)
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if _, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("list of system calls: %w", errno)
	}
	return nil
}

// seccompThere asks the kernel whether a list may answer with an error.
func seccompThere() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}
