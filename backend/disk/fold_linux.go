//go:build !osroot

package disk

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// casefold is FS_CASEFOLD_FL, the flag of a folder (ext4, f2fs, tmpfs) that
// takes no notice of letter case.
const casefold = 0x40000000

// foldsNames says whether the folder, or its whole file system, takes several
// spellings for one name. A folder below of another kind is not noticed.
func foldsNames(top int) bool {
	var fs unix.Statfs_t
	if unix.Fstatfs(top, &fs) != nil {
		return true
	}
	switch uint32(fs.Type) {
	case unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC,
		0x7366746e,     // NTFS
		0x482b, 0x4858, // HFS+ and HFSX
		0x5346544e: // NTFS, the old driver
		return true
	}
	fd, err := openat2(top, ".", unix.O_RDONLY|unix.O_DIRECTORY, below)
	if err != nil {
		return true // who cannot know takes the careful way
	}
	defer unix.Close(fd)
	flags, err := unix.IoctlGetUint32(fd, unix.FS_IOC_GETFLAGS)
	return err == nil && flags&casefold != 0
}

// spelled refuses a name one part of which is there under another spelling. A
// part that is not there at all is free.
func (t *Tree) spelled(at string) error {
	if !t.folds || at == "." {
		return nil
	}
	for end := 0; end < len(at); end++ {
		rest := strings.IndexByte(at[end:], '/')
		if rest < 0 {
			rest = len(at) - end
		}
		dir, part := ".", at[end:end+rest]
		if end > 0 {
			dir = at[:end-1]
		}
		if there, err := t.exact(dir, part); err != nil || !there {
			return err
		}
		end += rest
	}
	return nil
}

// exact says whether the folder has exactly this name. A name that comes or goes
// between the two questions gets a second and a third look.
func (t *Tree) exact(dir, part string) (bool, error) {
	for range 3 {
		there, err := t.exactNow(dir, part)
		if there || !errors.Is(err, errSpelling) {
			return there, err
		}
	}
	return false, errSpelling
}

func (t *Tree) exactNow(dir, part string) (bool, error) {
	fd, err := openat2(t.top, dir, unix.O_RDONLY|unix.O_DIRECTORY, below)
	if errors.Is(err, unix.EACCES) {
		return false, meaning(err)
	}
	if err != nil {
		return false, nil // the call itself says it better
	}
	f := os.NewFile(uintptr(fd), fileName)
	defer f.Close()
	var st unix.Stat_t
	if err := statAt(fd, part, &st); errors.Is(err, unix.ENOENT) {
		return false, nil
	} else if err != nil {
		return false, meaning(err)
	}
	there, err := listed(f, part)
	if err == nil && !there {
		err = errSpelling
	}
	return there, meaning(err)
}
