//go:build !osroot

package disk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Names lists a folder by what its own entries tell. Links are read, and what a
// file system does not tell the kind of is looked at.
func (t *Tree) Names(ctx context.Context, name string) ([]backend.Entry, error) {
	entries, err := t.names(ctx, name)
	if err != nil {
		return nil, failed("list", name, err)
	}
	return entries, nil
}

func (t *Tree) names(ctx context.Context, name string) ([]backend.Entry, error) {
	at, err := t.inTop(name)
	if err != nil {
		return nil, err
	}
	fd, err := openat2(t.top, at, unix.O_RDONLY|unix.O_DIRECTORY, below)
	if err != nil {
		return nil, meaning(err)
	}
	defer unix.Close(fd)
	var entries []backend.Entry
	for buf := make([]byte, 32<<10); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := 0
		if err := retry(func() (err error) { n, err = unix.ReadDirent(fd, buf); return err }); err != nil {
			return nil, meaning(err)
		}
		if n <= 0 {
			break
		}
		if entries, err = named(fd, buf[:n], entries); err != nil {
			return nil, meaning(err)
		}
	}
	slices.SortFunc(entries, func(a, b backend.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(entries, func(a, b backend.Entry) bool { return a.Name == b.Name }), nil
}

// The fields of a record of getdents64: inode and offset of 8 bytes, then the
// record's length, the kind and the name.
const (
	atLength = unsafe.Offsetof(unix.Dirent{}.Reclen)
	atKind   = unsafe.Offsetof(unix.Dirent{}.Type)
	atName   = unsafe.Offsetof(unix.Dirent{}.Name)
)

var errRecord = errors.New("the kernel's list of the folder makes no sense")

// named adds the entries of some records.
func named(fd int, records []byte, entries []backend.Entry) ([]backend.Entry, error) {
	for len(records) > 0 {
		if len(records) < int(atName) {
			return nil, errRecord
		}
		size := int(binary.NativeEndian.Uint16(records[atLength:]))
		if size <= int(atName) || size > len(records) {
			return nil, errRecord
		}
		kind, text := records[atKind], records[atName:size]
		records = records[size:]
		if end := bytes.IndexByte(text, 0); end >= 0 {
			text = text[:end]
		}
		if s := string(text); s != "." && s != ".." && s != "" {
			info, err := told(fd, s, kind)
			if errors.Is(err, unix.ENOENT) {
				continue
			}
			if err != nil {
				return nil, err
			}
			entries = append(entries, backend.Entry{Name: s, Info: info})
		}
	}
	return entries, nil
}

// told is what an entry tells of its object.
func told(fd int, name string, kind uint8) (backend.Info, error) {
	switch kind {
	case unix.DT_REG:
		return backend.Info{Kind: backend.File}, nil
	case unix.DT_DIR:
		return backend.Info{Kind: backend.Dir}, nil
	case unix.DT_FIFO, unix.DT_SOCK, unix.DT_CHR, unix.DT_BLK:
		return backend.Info{Kind: backend.Special}, nil
	}
	return entryInfo(fd, name)
}
