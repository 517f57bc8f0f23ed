//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// root is the file system of a sandbox while it is built: a directory handle
// and nothing by name, so that no link in somebody's tree leads a mount astray.
type root struct{ fd int }

// resolveInside follows no link: every place is where the plan says or the
// sandbox does not start.
const resolveInside = unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_SYMLINKS

// build makes the file system that the spec describes and moves into it. Its
// caller is the first process of new namespaces. The trees are opened before
// anything covers them.
func build(s *spec) error {
	// Nothing that happens to these mounts may reach the ones outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w; %s", err, namespaceAdvice)
	}
	trees := make([]int, len(s.Binds))
	for i, b := range s.Binds {
		tree, err := openTree(b)
		if err != nil {
			return fmt.Errorf("showing %s: %w", b.Source, err)
		}
		trees[i] = tree
		defer unix.Close(tree)
	}
	r, err := newRoot()
	if err != nil {
		return fmt.Errorf("a file system in memory: %w", err)
	}
	defer unix.Close(r.fd)
	if err := r.fill(s, trees); err != nil {
		return err
	}
	return r.enter()
}

// openTree makes a detached copy of a tree, with all that is mounted in it,
// and lowers what may be done through it.
func openTree(b bindSpec) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	at, err := unix.Openat2(unix.AT_FDCWD, b.Source, &how)
	if err != nil {
		return -1, err
	}
	defer unix.Close(at)
	var st unix.Stat_t
	if err := unix.Fstat(at, &st); err != nil {
		return -1, err
	}
	if dir := st.Mode&unix.S_IFMT == unix.S_IFDIR; dir == b.File {
		return -1, errors.New("it is not what it was when the policy was loaded")
	}
	tree, err := unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	if err != nil {
		return -1, err
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID, Propagation: unix.MS_PRIVATE}
	if path.Dir(b.Target) != "/dev" {
		attr.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if b.ReadOnly {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if b.NoExec {
		attr.Attr_set |= unix.MOUNT_ATTR_NOEXEC
	}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		unix.Close(tree)
		return -1, fmt.Errorf("lowering its rights: %w", err)
	}
	return tree, nil
}

// fileSystem makes a new file system of a kind, detached. Options without a
// value are flags.
func fileSystem(kind string, attrs int, options ...[2]string) (int, error) {
	fs, err := unix.Fsopen(kind, unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, err
	}
	defer unix.Close(fs)
	for _, o := range options {
		if err := unix.FsconfigSetString(fs, o[0], o[1]); err != nil {
			return -1, fmt.Errorf("option %s: %w", o[0], err)
		}
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return -1, err
	}
	return unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, attrs)
}

func newRoot() (*root, error) {
	fs, err := fileSystem("tmpfs", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV, [2]string{"mode", "755"}, [2]string{"size", "16m"}, [2]string{"nr_inodes", "20k"})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fs)
	// It must be attached somewhere. What it covers there is not needed any
	// more.
	const at = "/tmp"
	if err := unix.MoveMount(fs, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return nil, fmt.Errorf("mounting it on %s: %w", at, err)
	}
	fd, err := unix.Open(at, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &root{fd}, nil
}

func (r *root) fill(s *spec, trees []int) error {
	for _, dir := range s.Dirs {
		if err := r.mkdirAll(dir); err != nil {
			return fmt.Errorf("making %s: %w", dir, err)
		}
	}
	for _, sc := range s.Scratch {
		if err := r.scratch(sc, s.Command); err != nil {
			return fmt.Errorf("a private folder %s: %w", sc.Target, err)
		}
	}
	for i, b := range s.Binds {
		if err := r.place(b, trees[i]); err != nil {
			return fmt.Errorf("showing %s: %w", b.Target, err)
		}
	}
	for _, dir := range s.Closed {
		if err := unix.Fchmodat(r.fd, strings.TrimPrefix(dir, "/"), 0o111, 0); err != nil {
			return fmt.Errorf("closing %s: %w", dir, err)
		}
	}
	for _, l := range s.Links {
		if err := r.link(l[0], l[1]); err != nil {
			return fmt.Errorf("making the link %s: %w", l[0], err)
		}
	}
	for _, f := range s.Files {
		if err := r.file(f[0], f[1]); err != nil {
			return fmt.Errorf("writing %s: %w", f[0], err)
		}
	}
	if err := r.kernel(); err != nil {
		return err
	}
	for _, a := range s.Aliases {
		if err := r.alias(a[0], a[1]); err != nil {
			return fmt.Errorf("the name %s: %w", a[0], err)
		}
	}
	return nil
}

// kernel mounts what the kernel itself shows: this sandbox's processes and
// terminals.
func (r *root) kernel() error {
	proc, err := fileSystem("proc", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC)
	if err != nil {
		return fmt.Errorf("mounting /proc: %w (in a container the outer /proc must not be masked)", err)
	}
	defer unix.Close(proc)
	if err := r.attach(proc, "/proc"); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := r.mkdirAll("/dev/pts"); err != nil {
		return err
	}
	pts, err := fileSystem("devpts", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC, [2]string{"ptmxmode", "0666"}, [2]string{"mode", "0620"})
	if err != nil {
		return fmt.Errorf("mounting /dev/pts: %w", err)
	}
	defer unix.Close(pts)
	if err := r.attach(pts, "/dev/pts"); err != nil {
		return fmt.Errorf("mounting /dev/pts: %w", err)
	}
	return nil
}

func (r *root) scratch(sc scratch, c commandSpec) error {
	if err := r.mkdirAll(sc.Target); err != nil {
		return err
	}
	attrs := unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	if sc.NoExec {
		attrs |= unix.MOUNT_ATTR_NOEXEC
	}
	// Inodes cost kernel memory that the size does not count.
	inodes := max(sc.Size/4096, 1024)
	fs, err := fileSystem("tmpfs", attrs, [2]string{"mode", strconv.FormatUint(uint64(sc.Mode), 8)},
		[2]string{"size", strconv.FormatInt(sc.Size, 10)}, [2]string{"nr_inodes", strconv.FormatInt(inodes, 10)},
		[2]string{"uid", strconv.Itoa(c.UID)}, [2]string{"gid", strconv.Itoa(c.GID)})
	if err != nil {
		return err
	}
	defer unix.Close(fs)
	return r.attach(fs, sc.Target)
}

// enter makes the new root the root of this process and takes the old one
// away, so that no name and no handle leads back.
func (r *root) enter() error {
	if err := unix.Fchdir(r.fd); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the old root: %w", err)
	}
	return unix.Chdir("/")
}

// seal makes what is left of the sandbox's own file system read-only: the
// root, and /proc, through which a process of uid 0 could set the machine's
// own switches even without a capability.
func seal() error {
	readOnly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	for _, p := range []string{"/", "/proc"} {
		if err := unix.MountSetattr(unix.AT_FDCWD, p, 0, &readOnly); err != nil {
			return fmt.Errorf("making %s read-only: %w", p, err)
		}
	}
	return nil
}
