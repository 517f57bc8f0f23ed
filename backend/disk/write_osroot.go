//go:build !linux || osroot

package disk

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"paddock/backend"
)

// commits keeps the look and the change of two writers of this process apart.
// It belongs to the process because two trees may hold the same folder.
var commits sync.Mutex

// Write puts content in a file, by a temporary file that takes its name. A file
// mount and a file with several hard links are written in place.
func (t *Tree) Write(ctx context.Context, name string, content io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
	res, err := t.write(ctx, name, content, o)
	if err != nil {
		return res, failed("write", name, err)
	}
	return res, nil
}

func (t *Tree) write(ctx context.Context, name string, content io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
	var none backend.WriteResult
	if err := ctx.Err(); err != nil {
		return none, err
	}
	d, base, err := t.walk(name)
	if err != nil {
		return none, err
	}
	defer d.close()
	if base == "." {
		return none, backend.ErrIsDir
	}
	if _, _, err := d.target(base, o); err != nil {
		return none, err
	}
	stage, err := t.stage(d, o)
	if err != nil {
		return none, err
	}
	defer stage.discard()
	if err := stage.fill(ctx, content); err != nil {
		return none, err
	}
	for range 16 {
		res, err := stage.commit(base, o)
		// Without Judged the caller takes what there is.
		if !errors.Is(err, errAgain) {
			return res, err
		}
	}
	return none, backend.ErrSwapped
}

var errAgain = errors.New("look again")

// target says what a write would replace, nil for nothing, and whether the
// options allow it.
func (d folder) target(base string, o backend.WriteOptions) (backend.Info, os.FileInfo, error) {
	info, found, err := d.lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Judged != nil:
		err = backend.ErrSwapped
	case errors.Is(err, fs.ErrNotExist) && o.Create:
		return info, nil, nil
	}
	if err == nil {
		err = regular(info)
	}
	switch {
	case err != nil:
	case !o.Replace:
		err = fs.ErrExist
	case o.Judged != nil && !unchanged(*o.Judged, info):
		err = backend.ErrSwapped
	case info.Mode&0o222 == 0:
		err = fs.ErrPermission
	}
	return info, found, err
}

func unchanged(judged, got backend.Info) bool {
	return sameObject(judged, got) && judged.Size == got.Size && judged.ModTime.Equal(got.ModTime)
}

func sameObject(judged, got backend.Info) bool {
	return judged.Kind == got.Kind && (judged.ID == backend.ID{} || judged.ID == got.ID)
}

// stage is a file that takes in the whole new content before the old one is
// touched.
type stage struct {
	f     *os.File
	d     folder
	name  string // in d, while it has one there
	spool string // else its path among the temporary files
}

func tempName() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return backend.TempPrefix + hex.EncodeToString(b[:])
}

func (t *Tree) stage(d folder, o backend.WriteOptions) (*stage, error) {
	if t.base != "" {
		f, err := os.CreateTemp("", "paddock-")
		if err != nil {
			return nil, fmt.Errorf("no place to keep the new content: %w", err)
		}
		return &stage{f: f, d: d, spool: f.Name()}, nil
	}
	mode := o.Mode.Perm()
	if mode == 0 {
		mode = 0o644
	}
	name := tempName()
	f, err := d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, meaning(err)
	}
	return &stage{f: f, d: d, name: name}, nil
}

func (s *stage) fill(ctx context.Context, content io.Reader) error {
	if _, err := io.Copy(s.f, cancelable{ctx, content}); err != nil {
		return meaning(err)
	}
	return meaning(s.f.Sync())
}

// discard closes the stage and takes its name away, if it still has one.
func (s *stage) discard() {
	s.f.Close()
	if s.name != "" {
		s.d.Remove(s.name)
	}
	if s.spool != "" {
		os.Remove(s.spool)
	}
}

func (s *stage) commit(base string, o backend.WriteOptions) (backend.WriteResult, error) {
	var none backend.WriteResult
	commits.Lock()
	unlock := sync.OnceFunc(commits.Unlock)
	defer unlock()
	info, found, err := s.d.target(base, o)
	if err != nil {
		return none, err
	}
	if s.name == "" || found != nil && info.Links > 1 {
		unlock() // Save is the caller's, and may write elsewhere
		return s.inPlace(base, found, o)
	}
	if found != nil {
		if err := s.f.Chmod(info.Mode); err != nil {
			return none, meaning(err)
		}
	}
	if err := s.take(base, found == nil); err != nil {
		if errors.Is(err, fs.ErrExist) && o.Replace {
			err = errAgain
		}
		return none, meaning(err)
	}
	res := backend.WriteResult{Created: found == nil}
	res.Info, _, err = s.d.lstat(base)
	return res, errors.Join(err, s.d.sync())
}

// take gives the stage its final name, a free one if so wanted.
func (s *stage) take(base string, free bool) error {
	if free {
		// A hard link takes only a free name.
		if err := s.d.Link(s.name, base); err != nil {
			return err
		}
		err := s.d.Remove(s.name)
		s.name = ""
		return err
	}
	err := s.d.Rename(s.name, base)
	if err == nil {
		s.name = ""
	}
	return err
}

// sync makes the folder's names last, where the system has a way.
func (d folder) sync() error {
	if !folderSync {
		return nil
	}
	f, err := d.Open(".")
	if err != nil {
		return meaning(err)
	}
	defer f.Close()
	return meaning(f.Sync())
}
