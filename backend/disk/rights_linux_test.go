//go:build !osroot

package disk

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/backend"
	"paddock/internal/testenv"
)

func TestWithoutRights(t *testing.T) {
	if !testenv.AsNobody(t) {
		return
	}
	dir := t.TempDir()
	tree := open(t, dir)
	write(t, filepath.Join(dir, "d/f"), "old")
	write(t, filepath.Join(dir, "readonly"), "old")
	if err := os.Chmod(filepath.Join(dir, "readonly"), 0o444); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "d"), 0o700)
	mode := func(mode os.FileMode) {
		t.Helper()
		if err := os.Chmod(filepath.Join(dir, "d"), mode); err != nil {
			t.Fatal(err)
		}
	}
	replace := backend.WriteOptions{Create: true, Replace: true}

	_, err := tree.Write(bg, "readonly", strings.NewReader("new"), replace)
	denied(t, "write a read-only file", err)
	if got := content(t, tree, "readonly"); got != "old" {
		t.Errorf("the read-only file holds %q", got)
	}

	mode(0)
	_, err = tree.Stat(bg, "d/f")
	denied(t, "stat in a closed folder", err)
	_, err = tree.ReadDir(bg, "d")
	denied(t, "list a closed folder", err)
	_, err = tree.Open(bg, "d/f")
	denied(t, "open in a closed folder", err)
	if _, ok := tree.Plain("d/f"); ok {
		t.Error("a file in a closed folder is plain")
	}

	mode(0o500) // no new names
	_, err = tree.Write(bg, "d/new", strings.NewReader("new"), replace)
	denied(t, "create in a read-only folder", err)
	denied(t, "mkdir in a read-only folder", tree.Mkdir(bg, "d/sub", 0))
	saved := ""
	o := backend.WriteOptions{Replace: true, Save: func(old io.Reader) error {
		data, err := io.ReadAll(old)
		saved = string(data)
		return err
	}}
	res, err := tree.Write(bg, "d/f", strings.NewReader("new"), o)
	if err != nil || !res.InPlace || saved != "old" || content(t, tree, "d/f") != "new" {
		t.Errorf("write in a read-only folder: %+v, %v, saved %q", res, err, saved)
	}
	denied(t, "remove in a read-only folder", tree.Remove(bg, "d/f", res.Info))

	mode(0o300) // names can be made but not listed
	res, err = tree.Write(bg, "d/blind", strings.NewReader("x"), replace)
	if err != nil || !res.Created {
		t.Errorf("create in an unlisted folder: %+v, %v", res, err)
	}
	if err := tree.Remove(bg, "d/blind", res.Info); err != nil {
		t.Errorf("remove in an unlisted folder: %v", err)
	}
}

func denied(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%s: %v, want fs.ErrPermission", what, err)
	}
}

// asUser calls do as another user, on a thread that is thrown away after it.
func asUser(t *testing.T, id int, do func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		for _, call := range [][]uintptr{
			{unix.SYS_SETGROUPS, 0, 0, 0}, {unix.SYS_SETRESGID, uintptr(id), uintptr(id), uintptr(id)},
			{unix.SYS_SETRESUID, uintptr(id), uintptr(id), uintptr(id)},
		} {
			if _, _, errno := unix.RawSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
				done <- errno
				return
			}
		}
		do()
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatalf("become user %d: %v", id, err)
	}
}

func TestForeignOwner(t *testing.T) {
	if !testenv.IsRoot() {
		t.Skip("only root can make files of two owners")
	}
	const me = 12345
	dir := t.TempDir()
	tree := open(t, dir)
	write(t, filepath.Join(dir, "foreign"), "old")
	write(t, filepath.Join(dir, "other"), "old")
	must(t, os.Chmod(filepath.Join(dir, "foreign"), 0o666))
	must(t, os.Chown(filepath.Join(dir, "other"), me, 54321))
	must(t, os.Chmod(dir, 0o777))

	// Root gives the new file to the old one's owner.
	res, err := tree.Write(bg, "other", strings.NewReader("new"), backend.WriteOptions{Replace: true})
	var st unix.Stat_t
	must(t, unix.Stat(filepath.Join(dir, "other"), &st))
	if err != nil || res.InPlace || st.Uid != me || st.Gid != 54321 {
		t.Errorf("as root: %+v, %v, owner %d:%d", res, err, st.Uid, st.Gid)
	}
	// Who cannot writes in place.
	asUser(t, me, func() {
		for _, name := range []string{"foreign", "other"} {
			saved := false
			res, err := tree.Write(bg, name, strings.NewReader("newer"), backend.WriteOptions{Replace: true,
				Save: func(io.Reader) error { saved = true; return nil }})
			if err != nil || !res.InPlace || !saved {
				t.Errorf("as a user, %s: %+v, %v, saved %v", name, res, err, saved)
			}
		}
		// A failing Save leaves everything as it was.
		full := errors.New("no room for the old content")
		_, err := tree.Write(bg, "foreign", strings.NewReader("lost"), backend.WriteOptions{Replace: true,
			Save: func(io.Reader) error { return full }})
		if !errors.Is(err, full) {
			t.Errorf("failing Save: %v", err)
		}
	})
	if got := content(t, tree, "foreign"); got != "newer" {
		t.Errorf("the foreign file holds %q, want newer", got)
	}
	must(t, unix.Stat(filepath.Join(dir, "foreign"), &st))
	if st.Uid != 0 {
		t.Errorf("the foreign file's owner is %d now", st.Uid)
	}
	// In a sticky folder a foreign name cannot be taken.
	must(t, os.Chmod(dir, 0o777|os.ModeSticky))
	asUser(t, me, func() {
		res, err := tree.Write(bg, "foreign", strings.NewReader("sticky"), backend.WriteOptions{Replace: true})
		if err != nil || !res.InPlace {
			t.Errorf("in a sticky folder: %+v, %v", res, err)
		}
		denied(t, "remove in a sticky folder", tree.Remove(bg, "foreign", res.Info))
	})
	if got := content(t, tree, "foreign"); got != "sticky" {
		t.Errorf("the foreign file holds %q, want sticky", got)
	}
	noTemporaries(t, dir)
}

// aclBytes is an access control list for the file's owner, user 4711, the group
// and others, as the kernel keeps it.
func aclBytes() []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range [][3]uint32{{1, 6, ^uint32(0)}, {2, 6, 4711}, {4, 4, ^uint32(0)}, {16, 6, ^uint32(0)}, {32, 0, ^uint32(0)}} {
		b = binary.LittleEndian.AppendUint16(b, uint16(e[0]))
		b = binary.LittleEndian.AppendUint16(b, uint16(e[1]))
		b = binary.LittleEndian.AppendUint32(b, e[2])
	}
	return b
}

func TestAttributesAreKept(t *testing.T) {
	dir := t.TempDir()
	tree := open(t, dir)
	path := filepath.Join(dir, "f")
	write(t, path, "old")
	long := strings.Repeat("v", 2000)
	if err := unix.Setxattr(path, "user.paddock", []byte(long), 0); err != nil {
		t.Skipf("this file system has no attributes: %v", err)
	}
	aclKept := true
	if err := unix.Setxattr(path, acl, aclBytes(), 0); err != nil {
		t.Logf("no ACL in this test: %v", err)
		aclKept = false
	}
	must(t, os.Chmod(path, 0o660|os.ModeSetuid|os.ModeSetgid))
	capability := []byte{1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if err := unix.Setxattr(path, "security.capability", capability, 0); err != nil {
		if testenv.IsRoot() {
			t.Fatalf("give a capability as root: %v", err)
		}
		t.Logf("no file capability in this test: %v", err)
	}
	// A default ACL must not let anybody into the new file.
	if aclKept {
		must(t, unix.Setxattr(dir, "system.posix_acl_default", aclBytes(), 0))
	}
	write(t, filepath.Join(dir, "g"), "old")
	unix.Removexattr(filepath.Join(dir, "g"), acl)
	must(t, os.Chmod(filepath.Join(dir, "g"), 0o600))

	for _, name := range []string{"f", "g"} {
		info, err := tree.Stat(bg, name)
		must(t, err)
		res, err := tree.Write(bg, name, strings.NewReader("new"), backend.WriteOptions{Replace: true, Judged: &info})
		if err != nil || res.InPlace {
			t.Fatalf("%s: %+v, %v", name, res, err)
		}
	}
	var st unix.Stat_t
	must(t, unix.Stat(path, &st))
	if st.Mode&0o7777 != 0o660 {
		t.Errorf("mode %o, want 660 without set-user-ID and set-group-ID", st.Mode&0o7777)
	}
	if got := attribute(t, path, "user.paddock"); got != long {
		t.Errorf("the attribute is %.20q", got)
	}
	if got := attribute(t, path, acl); aclKept && got != string(aclBytes()) {
		t.Errorf("the ACL is %q", got)
	}
	if got := attribute(t, path, "security.capability"); got != "" {
		t.Errorf("the new content has the capability %q", got)
	}
	must(t, unix.Stat(filepath.Join(dir, "g"), &st))
	if got := attribute(t, filepath.Join(dir, "g"), acl); got != "" || st.Mode&0o7777 != 0o600 {
		t.Errorf("the private file has mode %o and the ACL %q", st.Mode&0o7777, got)
	}
}

// attribute is empty for one that is not there.
func attribute(t *testing.T, path, name string) string {
	t.Helper()
	value, err := grow(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) })
	if err != nil && err != unix.ENODATA && err != unix.EOPNOTSUPP {
		t.Fatal(err)
	}
	return string(value)
}

func TestInPlaceDropsSetUserID(t *testing.T) {
	dir := t.TempDir()
	tree := open(t, dir)
	write(t, filepath.Join(dir, "f"), "old")
	must(t, os.Link(filepath.Join(dir, "f"), filepath.Join(dir, "g")))
	must(t, os.Chmod(filepath.Join(dir, "f"), 0o755|os.ModeSetuid|os.ModeSetgid))
	res, err := tree.Write(bg, "g", strings.NewReader("new"), backend.WriteOptions{Replace: true})
	must(t, err)
	info, err := os.Stat(filepath.Join(dir, "f"))
	must(t, err)
	if !res.InPlace || info.Mode() != 0o755 {
		t.Errorf("%+v, mode %v; want in place and 755", res, info.Mode())
	}
}
