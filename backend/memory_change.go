package backend

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Write puts content in a file. It is never written in place.
func (m *Memory) Write(ctx context.Context, name string, content io.Reader, o WriteOptions) (WriteResult, error) {
	res, err := m.write(ctx, name, content, o)
	if err != nil {
		return WriteResult{}, failed("write", name, err)
	}
	return res, nil
}

func (m *Memory) write(ctx context.Context, name string, content io.Reader, o WriteOptions) (WriteResult, error) {
	if err := ctx.Err(); err != nil {
		return WriteResult{}, err
	}
	// The answer may be no whatever the content; then it is not read.
	m.mu.RLock()
	_, _, err := m.target(name, o)
	m.mu.RUnlock()
	if err != nil {
		return WriteResult{}, err
	}
	text, err := m.take(ctx, content)
	if err != nil {
		return WriteResult{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	folder, old, err := m.target(name, o)
	if err != nil {
		return WriteResult{}, err
	}
	mode := o.Mode.Perm()
	switch {
	case old != nil:
		mode = old.info.Mode
	case mode == 0:
		mode = 0o644
	}
	n := m.node(File, mode)
	n.content, n.info.Size = text, int64(len(text))
	_, base := Split(name)
	if err := m.put(folder, base, n, old); err != nil {
		return WriteResult{}, err
	}
	return WriteResult{Created: old == nil, Info: n.info}, nil
}

// target finds what a write would replace, nil for nothing, and says whether
// the options allow it.
func (m *Memory) target(name string, o WriteOptions) (folder, old *node, err error) {
	if name == "." {
		return nil, nil, ErrIsDir
	}
	folder, base, err := m.around(name)
	if err != nil {
		return nil, nil, err
	}
	old = folder.entries[base]
	switch {
	case old == nil && o.Judged != nil:
		return nil, nil, ErrSwapped
	case old == nil && !o.Create:
		return nil, nil, fs.ErrNotExist
	case old == nil:
		return folder, nil, nil
	case old.info.Kind == Dir:
		return nil, nil, ErrIsDir
	case !o.Replace:
		return nil, nil, fs.ErrExist
	case o.Judged != nil && !same(*o.Judged, old):
		return nil, nil, ErrSwapped
	case old.info.Mode&0o200 == 0:
		return nil, nil, fs.ErrPermission
	}
	return folder, old, nil
}

// same compares identity. That is enough here: a write makes a new object.
func same(judged Info, n *node) bool {
	return judged.Kind == n.info.Kind && (judged.ID == ID{} || judged.ID == n.info.ID)
}

// take reads content to its end, or to where it cannot fit any more.
func (m *Memory) take(ctx context.Context, content io.Reader) (string, error) {
	var text strings.Builder
	buf := make([]byte, 32<<10)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := content.Read(buf)
		text.Write(buf[:n])
		if int64(text.Len()) > m.max {
			return "", ErrFull
		}
		if err == io.EOF {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// Mkdir makes one folder.
func (m *Memory) Mkdir(ctx context.Context, name string, mode fs.FileMode) error {
	if err := m.mkdir(ctx, name, mode); err != nil {
		return failed("make folder", name, err)
	}
	return nil
}

func (m *Memory) mkdir(ctx context.Context, name string, mode fs.FileMode) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if name == "." {
		return fs.ErrExist
	}
	folder, base, err := m.around(name)
	if err != nil {
		return err
	}
	if folder.entries[base] != nil {
		return fs.ErrExist
	}
	if mode = mode.Perm(); mode == 0 {
		mode = 0o755
	}
	return m.put(folder, base, m.node(Dir, mode), nil)
}

// Remove takes one name away.
func (m *Memory) Remove(ctx context.Context, name string, judged Info) error {
	if err := m.remove(ctx, name, judged); err != nil {
		return failed("remove", name, err)
	}
	return nil
}

func (m *Memory) remove(ctx context.Context, name string, judged Info) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	folder, base, n, err := m.judged(name, judged)
	if err != nil {
		return err
	}
	if len(n.entries) > 0 {
		return ErrNotEmpty
	}
	m.drop(folder, base)
	return nil
}

// judged finds the object of a name, if it is the judged one.
func (m *Memory) judged(name string, judged Info) (folder *node, base string, n *node, err error) {
	if name == "." {
		return nil, "", nil, fmt.Errorf("%w: this is the mount itself", ErrUnsupported)
	}
	if folder, base, err = m.around(name); err != nil {
		return nil, "", nil, err
	}
	n = folder.entries[base]
	if n == nil {
		return nil, "", nil, fs.ErrNotExist
	}
	if !same(judged, n) {
		return nil, "", nil, ErrSwapped
	}
	return folder, base, n, nil
}

// Rename gives an object another name.
func (m *Memory) Rename(ctx context.Context, from, to string, judged Info, replace bool) error {
	if err := m.rename(ctx, from, to, judged, replace); err != nil {
		return fmt.Errorf("rename %q to %q: %w", from, to, err)
	}
	return nil
}

func (m *Memory) rename(ctx context.Context, from, to string, judged Info, replace bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	folder, base, n, err := m.judged(from, judged)
	if err != nil {
		return err
	}
	if to == "." {
		return fmt.Errorf("%w: this is the mount itself", ErrUnsupported)
	}
	if n.info.Kind == Dir && strings.HasPrefix(to, from+"/") {
		return fmt.Errorf("%w: a folder cannot be moved into itself", fs.ErrInvalid)
	}
	toFolder, toBase, err := m.around(to)
	if err != nil {
		return err
	}
	old := toFolder.entries[toBase]
	if err := fits(n, old, replace); err != nil {
		return err
	}
	if m.used-int64(len(base))+int64(len(toBase)) > m.max {
		return ErrFull
	}
	m.drop(folder, base)
	return m.put(toFolder, toBase, n, old)
}

// fits says whether an object may take the place of old, which may be nil.
func fits(n, old *node, replace bool) error {
	switch {
	case old == nil:
		return nil
	case !replace || old == n:
		return fs.ErrExist
	case n.info.Kind == Dir && old.info.Kind != Dir:
		return ErrNotDir
	case n.info.Kind != Dir && old.info.Kind == Dir:
		return ErrIsDir
	case len(old.entries) > 0:
		return ErrNotEmpty
	}
	return nil
}
