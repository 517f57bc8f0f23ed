package backend

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// objectCost is what a file or folder counts for besides its name and content,
// so that empty files fill a Memory too.
const objectCost = 256

// Memory keeps files in memory and forgets them with the process. It has no
// links and no special files, and a file's mode is only remembered, except that
// a file without write permission for its owner is not written.
type Memory struct {
	max int64

	mu   sync.RWMutex
	root *node
	used int64
	last uint64 // the newest object's number
}

var _ Backend = (*Memory)(nil)

// node is a file or a folder. A file's content never changes: a write makes a
// new file under the name, and who reads the old one reads it to its end.
type node struct {
	info    Info
	content string
	entries map[string]*node // of a folder
}

// NewMemory makes an empty backend that holds at most max bytes of content and
// names, a file or folder counting 256 bytes itself. More is ErrFull.
func NewMemory(max int64) *Memory {
	m := &Memory{max: max}
	m.root = m.node(Dir, 0o755)
	return m
}

// node makes an object with a number of its own.
func (m *Memory) node(kind Kind, mode fs.FileMode) *node {
	m.last++
	n := &node{info: Info{Kind: kind, ID: ID{Dev: 1, Ino: m.last}, ModTime: time.Now(), Mode: mode, Links: 1}}
	if kind == Dir {
		n.entries = map[string]*node{}
	}
	return n
}

func (n *node) cost(name string) int64 {
	return objectCost + int64(len(name)) + int64(len(n.content))
}

// find walks to an object.
func (m *Memory) find(name string) (*node, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	n := m.root
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if n.info.Kind != Dir {
			return nil, ErrNotDir
		}
		if n = n.entries[part]; n == nil {
			return nil, fs.ErrNotExist
		}
	}
	return n, nil
}

// around walks to the folder around a name that is not the mount itself.
func (m *Memory) around(name string) (folder *node, base string, err error) {
	if err := CheckName(name); err != nil {
		return nil, "", err
	}
	dir, base := Split(name)
	folder, err = m.find(dir)
	if err != nil {
		return nil, "", err
	}
	if folder.info.Kind != Dir {
		return nil, "", ErrNotDir
	}
	return folder, base, nil
}

// put gives a name to an object; old is what had it, or nil.
func (m *Memory) put(folder *node, base string, n, old *node) error {
	used := m.used + n.cost(base)
	if old != nil {
		used -= old.cost(base)
	}
	if used > m.max {
		return ErrFull
	}
	m.used = used
	folder.entries[base] = n
	folder.info.ModTime = time.Now()
	return nil
}

// drop takes a name away.
func (m *Memory) drop(folder *node, base string) {
	m.used -= folder.entries[base].cost(base)
	delete(folder.entries, base)
	folder.info.ModTime = time.Now()
}

// Stat describes an object.
func (m *Memory) Stat(ctx context.Context, name string) (Info, error) {
	if err := ctx.Err(); err != nil {
		return Info{}, failed("stat", name, err)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, err := m.find(name)
	if err != nil {
		return Info{}, failed("stat", name, err)
	}
	return n.info, nil
}

// Open opens a file as it is now.
func (m *Memory) Open(ctx context.Context, name string) (Reader, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("open", name, err)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, err := m.find(name)
	if err == nil && n.info.Kind == Dir {
		err = ErrIsDir
	}
	if err != nil {
		return nil, failed("open", name, err)
	}
	return &memoryReader{strings.NewReader(n.content), n.info}, nil
}

type memoryReader struct {
	*strings.Reader
	info Info
}

func (r *memoryReader) Info() (Info, error) { return r.info, nil }
func (r *memoryReader) Close() error        { return nil }

// ReadDir lists a folder.
func (m *Memory) ReadDir(ctx context.Context, name string) ([]Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed("list", name, err)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, err := m.find(name)
	if err == nil && n.info.Kind != Dir {
		err = ErrNotDir
	}
	if err != nil {
		return nil, failed("list", name, err)
	}
	entries := make([]Entry, 0, len(n.entries))
	for _, name := range slices.Sorted(maps.Keys(n.entries)) {
		entries = append(entries, Entry{Name: name, Info: n.entries[name].info})
	}
	return entries, nil
}

// Close forgets nothing: the memory goes with the last use of m.
func (m *Memory) Close() error { return nil }

func failed(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}
