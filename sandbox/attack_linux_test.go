//go:build amd64 || arm64

package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attacks are what a shell cannot say. The test binary runs one, inside and
// outside, when it is started as: BINARY attack NAME. Nil means that it worked.
var attacks = map[string]func() error{
	"ptrace":         attackPtrace,
	"vm-read":        attackVMRead,
	"pidfd-getfd":    attackPidfdGetfd,
	"kcmp":           func() error { return call(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(os.Getpid()), 0, 0, 0) },
	"user-namespace": func() error { return inNamespace("true") },
	"net-namespace":  func() error { return inNamespace("true") },
	"mount":          func() error { return unix.Mount("none", os.Getenv("WS"), "tmpfs", 0, "") },
	"fsopen":         func() error { _, err := unix.Fsopen("tmpfs", 0); return err },
	"open-tree": func() error {
		_, err := unix.OpenTree(unix.AT_FDCWD, os.Getenv("WS"), unix.OPEN_TREE_CLONE|unix.AT_RECURSIVE)
		return err
	},
	"remount":      func() error { return unix.Mount("", os.Getenv("REF"), "", unix.MS_REMOUNT|unix.MS_BIND, "") },
	"umount":       func() error { return unix.Unmount(os.Getenv("REF"), unix.MNT_DETACH) },
	"chroot":       func() error { return unix.Chroot(os.Getenv("WS")) },
	"setns":        attackSetns,
	"clone3":       func() error { return existing(unix.SYS_CLONE3) },
	"unknown-call": func() error { return existing(unix.SYS_LISTNS) },
	"bpf":          func() error { return existing(unix.SYS_BPF) },
	"io-uring":     func() error { return existing(unix.SYS_IO_URING_SETUP) },
	"userfaultfd":  func() error { return existing(unix.SYS_USERFAULTFD) },
	"perf":         func() error { return existing(unix.SYS_PERF_EVENT_OPEN) },
	"keyctl":       func() error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_PROCESS_KEYRING, true); return err },
	"add-key": func() error {
		_, err := unix.AddKey("user", "paddock-test", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
		return err
	},
	"handle":        func() error { _, _, err := unix.NameToHandleAt(unix.AT_FDCWD, os.Getenv("WS"), 0); return err },
	"setuid-chmod":  func() error { return unix.Chmod(os.Getenv("WS")+"/tool", 0o4755) },
	"setuid-create": attackSetuidCreate,
	"block-device":  func() error { return unix.Mknod(os.Getenv("WS")+"/disk", unix.S_IFBLK|0o600, int(unix.Mkdev(254, 0))) },
	"unix-stream":   func() error { return connectUnix(unix.SOCK_STREAM, os.Getenv("SOCK")) },
	"unix-abstract": func() error { return connectUnix(unix.SOCK_STREAM, "@"+os.Getenv("ABSTRACT")) },
	"unix-datagram": attackDatagramPair,
	"tcp":           func() error { return connectTCP(unix.IPPROTO_TCP) },
	"mptcp":         func() error { return socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP) },
	"netlink-other": func() error { return socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT) },
	"packet":        func() error { return socket(unix.AF_PACKET, unix.SOCK_RAW, 0) },
	"raw":           func() error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
	"vsock":         func() error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
	"alg":           func() error { return socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) },
	"gain-caps":     attackGainCaps,
	"memfd-exec":    attackMemfdExec,
	"raise-limit":   attackRaiseLimit,
	"kill-pid-1": func() error {
		unix.Kill(1, unix.SIGKILL)
		unix.Kill(1, unix.SIGTERM)
		time.Sleep(50 * time.Millisecond)
		return errors.New("still here")
	},
	"descriptors":  attackDescriptors,
	"tiocsti":      attackTIOCSTI,
	"no-session":   attackTerminalOfOthers,
	"other-abi":    attackOtherABI,
	"fchmod-ref":   func() error { return unix.Chmod(os.Getenv("REF")+"/kept", 0o600) },
	"utime-ref":    func() error { return unix.Utimes(os.Getenv("REF")+"/kept", make([]unix.Timeval, 2)) },
	"xattr-ref":    func() error { return unix.Setxattr(os.Getenv("REF")+"/kept", "user.x", []byte("x"), 0) },
	"mmap-ref":     attackMmap,
	"reopen-ref":   attackReopen,
	"hold-shared":  func() error { return hold(func(n int) error { _, err := shared(n); return err }) },
	"hold-memfd":   func() error { return hold(memfd) },
	"hold-segment": func() error { return hold(segment) },
	"exchange": func() error {
		return unix.Renameat2(unix.AT_FDCWD, os.Getenv("WS")+"/dir", unix.AT_FDCWD, os.Getenv("REF")+"/sub", unix.RENAME_EXCHANGE)
	},
	"tmpfile-ref": func() error { _, err := unix.Open(os.Getenv("REF"), unix.O_TMPFILE|unix.O_RDWR, 0o600); return err },
}

// attackMain runs one attack and tells what came of it.
func attackMain(name string) int {
	runtime.LockOSThread()
	attack := attacks[name]
	if attack == nil {
		fmt.Println("UNKNOWN ATTACK", name)
		return 2
	}
	if err := attack(); err != nil {
		fmt.Println("refused:", err)
		return 1
	}
	fmt.Println("ESCAPED")
	return 0
}

func call(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// existing tells whether the kernel even looks at the arguments of a call:
// with senseless ones it says something else than that it is refused.
func existing(number uintptr) error {
	err := call(number, ^uintptr(0), ^uintptr(0), ^uintptr(0), ^uintptr(0), ^uintptr(0))
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return err
	}
	return nil
}

func socket(domain, kind, protocol int) error {
	fd, err := unix.Socket(domain, kind, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func inNamespace(program string) error {
	cmd := exec.Command(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET}
	return cmd.Run()
}

func attackPtrace() error {
	child := exec.Command("sleep", "5")
	if err := child.Start(); err != nil {
		return err
	}
	defer func() { child.Process.Kill(); child.Wait() }()
	return unix.PtraceAttach(child.Process.Pid)
}

func attackVMRead() error {
	from, to := []byte("secret"), make([]byte, 6)
	local := []unix.Iovec{{Base: &to[0], Len: 6}}
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&from[0])), Len: 6}}
	_, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0)
	return err
}

func attackPidfdGetfd() error {
	fd, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return err
	}
	_, err = unix.PidfdGetfd(fd, 0, 0)
	return err
}

func attackSetns() error {
	fd, err := unix.Open("/proc/self/ns/uts", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	return unix.Setns(fd, unix.CLONE_NEWUTS)
}

func attackSetuidCreate() error {
	fd, err := unix.Open(os.Getenv("WS")+"/suid", unix.O_CREAT|unix.O_WRONLY, 0o4755)
	if err != nil {
		return err
	}
	var st unix.Stat_t
	unix.Fstat(fd, &st)
	if st.Mode&unix.S_ISUID == 0 {
		return errors.New("no set-uid bit")
	}
	return nil
}

func connectUnix(kind int, name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, kind, 0)
	if err != nil {
		return err
	}
	return unix.Connect(fd, &unix.SockaddrUnix{Name: name})
}

// attackDatagramPair sends from a socket pair to a name.
func attackDatagramPair() error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: os.Getenv("DGRAM")})
}

func connectTCP(protocol int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, protocol)
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	return unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
}

func attackGainCaps() error {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil {
		return err
	}
	if data[0].Effective|data[0].Permitted|data[1].Effective|data[1].Permitted == 0 {
		return errors.New("there are none")
	}
	return nil
}

func attackMemfdExec() error {
	fd, err := unix.MemfdCreate("x", 0)
	if err != nil {
		return err
	}
	program, err := os.ReadFile("/bin/true")
	if err != nil {
		return err
	}
	if _, err := unix.Write(fd, program); err != nil {
		return err
	}
	return exec.Command(fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd)).Run()
}

func attackRaiseLimit() error {
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &l); err != nil {
		return err
	}
	if l.Max == unix.RLIM_INFINITY {
		return nil // there was no limit to raise
	}
	l.Max++
	return unix.Setrlimit(unix.RLIMIT_FSIZE, &l)
}

// attackDescriptors looks for anything open beside the streams and its own.
func attackDescriptors() error {
	for fd := 3; fd < 1024; fd++ {
		name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if err == nil && name == os.Getenv("OUT")+"/secret" {
			return nil
		}
	}
	return errors.New("nothing of others is open")
}

func attackTIOCSTI() error {
	err := call(unix.SYS_IOCTL, 0, unix.TIOCSTI, 0)
	if errors.Is(err, unix.EPERM) {
		return err
	}
	return nil // the kernel looked at the descriptor
}

func attackTerminalOfOthers() error {
	_, err := unix.Open("/dev/tty", unix.O_RDWR, 0)
	return err
}

func attackMmap() error {
	fd, err := unix.Open(os.Getenv("REF")+"/kept", unix.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, err = unix.Mmap(fd, 0, 4, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return err
}

func attackReopen() error {
	fd, err := unix.Open(os.Getenv("REF")+"/kept", unix.O_PATH, 0)
	if err != nil {
		return err
	}
	_, err = unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_WRONLY, 0)
	return err
}
