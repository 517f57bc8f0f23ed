package disk

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"paddock/backend"
)

// careless looks for links and then uses the path: the fault in question.
type careless struct{ root string }

func (c careless) path(name string) (string, error) {
	path := c.root
	for part := range strings.SplitSeq(name, "/") {
		path = filepath.Join(path, part)
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", backend.ErrSwapped
		}
	}
	runtime.Gosched() // on one processor the attacker needs a turn here
	return path, nil
}

func (c careless) Stat(_ context.Context, name string) (backend.Info, error) {
	path, err := c.path(name)
	if err != nil {
		return backend.Info{}, err
	}
	_, err = os.Lstat(path)
	return backend.Info{}, err
}

func (c careless) Open(_ context.Context, name string) (backend.Reader, error) {
	path, err := c.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	return reader{f}, err
}

func (c careless) ReadDir(_ context.Context, name string) ([]backend.Entry, error) {
	path, err := c.path(name)
	if err != nil {
		return nil, err
	}
	list, err := os.ReadDir(path)
	var entries []backend.Entry
	for _, e := range list {
		entries = append(entries, backend.Entry{Name: e.Name()})
	}
	return entries, err
}

func (c careless) Write(_ context.Context, name string, content io.Reader, _ backend.WriteOptions) (backend.WriteResult, error) {
	path, err := c.path(name)
	if err != nil {
		return backend.WriteResult{}, err
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return backend.WriteResult{}, err
	}
	return backend.WriteResult{}, os.WriteFile(path, data, 0o644)
}

func (c careless) Mkdir(_ context.Context, name string, mode fs.FileMode) error {
	path, err := c.path(name)
	if err != nil {
		return err
	}
	return os.Mkdir(path, mode)
}

func (c careless) Remove(_ context.Context, name string, _ backend.Info) error {
	path, err := c.path(name)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func (c careless) Rename(_ context.Context, from, to string, _ backend.Info, _ bool) error {
	old, err := c.path(from)
	if err != nil {
		return err
	}
	path, err := c.path(to)
	if err != nil {
		return err
	}
	return os.Rename(old, path)
}

func (c careless) Close() error { return nil }
