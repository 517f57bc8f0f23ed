//go:build !osroot

package disk

import (
	"bytes"
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// errCannotKeep says that a new file cannot be made to look like the old one,
// so the old one has to be written in place.
var errCannotKeep = errors.New("owner or attributes cannot be kept")

const acl = "system.posix_acl_access"

// keep gives the stage the owner, extended attributes and mode of the old file,
// in an order in which it is never open to more people than the old one.
func (s *stage) keep(old *handle) error {
	var st unix.Stat_t
	fd := s.fd()
	if err := unix.Fstat(fd, &st); err != nil {
		return meaning(err)
	}
	if st.Uid != old.st.Uid || st.Gid != old.st.Gid {
		if err := unix.Fchown(fd, int(old.st.Uid), int(old.st.Gid)); err != nil {
			return errCannotKeep
		}
	}
	if err := s.keepAttributes(old); err != nil {
		return err
	}
	if err := unix.Fchmod(fd, keptMode(old)); err != nil {
		return errCannotKeep
	}
	return nil
}

// keptMode leaves out set-user-ID and set-group-ID: new content must not run
// with rights that were given to the old.
func keptMode(old *handle) uint32 {
	return old.st.Mode & 0o7777 &^ (unix.S_ISUID | unix.S_ISGID)
}

func (s *stage) keepAttributes(old *handle) error {
	// The kernel has no such call for an O_PATH descriptor, but takes its link
	// in /proc. That one leads to the object, whatever its name now means.
	path := "/proc/self/fd/" + itoa(old.fd)
	names, err := attributes(path)
	if err != nil {
		return errCannotKeep
	}
	hasACL := false
	for _, name := range names {
		if vouches(name) {
			continue
		}
		hasACL = hasACL || name == acl
		value, err := grow(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) })
		if err == nil {
			err = unix.Fsetxattr(s.fd(), name, value, 0)
		}
		// Labels of a security module are its own business: it labels the new
		// file by its rules and may forbid us to.
		if err != nil && !strings.HasPrefix(name, "security.") {
			return errCannotKeep
		}
	}
	if !hasACL {
		// A folder's default ACL would have let others in.
		err := unix.Fremovexattr(s.fd(), acl)
		if err != nil && err != unix.ENODATA && err != unix.EOPNOTSUPP {
			return errCannotKeep
		}
	}
	return nil
}

// vouches tells the attributes that speak for the old content: capabilities it
// runs with and signatures of it. New content has earned neither.
func vouches(name string) bool {
	return name == "security.capability" || name == "security.ima" || name == "security.evm"
}

// attributes lists the names of the extended attributes of a file.
func attributes(path string) ([]string, error) {
	buf, err := grow(func(b []byte) (int, error) { return unix.Listxattr(path, b) })
	if err == unix.EOPNOTSUPP {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for part := range bytes.SplitSeq(buf, []byte{0}) {
		if len(part) > 0 {
			names = append(names, string(part))
		}
	}
	return names, nil
}

// grow calls with larger buffers until the answer fits.
func grow(call func([]byte) (int, error)) ([]byte, error) {
	for size := 1 << 10; ; size <<= 2 {
		buf := make([]byte, size)
		n, err := call(buf)
		if err == unix.ERANGE && size < 1<<20 {
			continue
		}
		if err != nil {
			return nil, err
		}
		return buf[:n], nil
	}
}
