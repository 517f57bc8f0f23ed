package paddock

import (
	"context"
	"path"
	"sync/atomic"

	"paddock/backend"
)

// nearby is the folder of the file that a walk opened last, held so that the
// next one costs one step. It is let go of before the walk enters another
// folder: who moves a folder away meanwhile wins no more than the moment in
// which its own files are visited, and where a name makes a difference it is
// looked at again once the file is open.
type nearby struct {
	dir    string
	folder *sharedFolder // nil when dir has none to be held
	over   bool          // the walk has ended
}

func (n *nearby) leave() {
	if n.folder != nil {
		n.folder.release()
	}
	n.dir, n.folder = "", nil
}

// sharedFolder is held by the walk and by those who are about to open a file of
// it.
type sharedFolder struct {
	backend.Folder
	users atomic.Int32
}

func (f *sharedFolder) release() {
	if f != nil && f.users.Add(-1) == 0 {
		_ = f.Close() // it was only looked at
	}
}

// Later is Open in two steps, of which the second may be made on another
// goroutine: it must be made, and once, before the call ends. All that is asked
// and judged happens in the first step, and where a name makes a difference the
// file is opened in it too.
func (v *Visit) Later(ctx context.Context) (open func() (*File, error), err error) {
	w := v.walk
	if !w.call.guard.alike || v.Kind != backend.File {
		f, err := v.Open(ctx)
		return func() (*File, error) { return f, nil }, err
	}
	if err := v.readable(); err != nil {
		return nil, err
	}
	folder := w.around(ctx, v.real)
	if folder != nil {
		folder.users.Add(1)
	}
	return func() (*File, error) {
		defer folder.release()
		f, err := w.openIn(ctx, folder, v.real)
		return f, failed(v.Path, err)
	}, nil
}

// open opens a file that the walk has come to.
func (w *walk) open(ctx context.Context, real string) (*File, error) {
	return w.openIn(ctx, w.around(ctx, real), real)
}

// openIn opens a file in a folder that is held, or without one.
func (w *walk) openIn(ctx context.Context, folder *sharedFolder, real string) (*File, error) {
	if folder != nil && ctx.Err() == nil {
		if r, i, ok := folder.Open(path.Base(real)); ok {
			return w.call.openedAs(ctx, real, r, i)
		}
	}
	return w.call.open(ctx, real)
}

// around holds the folder around a file; nil where that cannot be.
func (w *walk) around(ctx context.Context, real string) *sharedFolder {
	n := &w.near
	// An entry's own place may lie in another backend than the folder around.
	if n.over || w.call.guard.mounts.at[real] != nil || ctx.Err() != nil {
		return nil
	}
	dir := path.Dir(real)
	if n.dir == dir {
		return n.folder
	}
	n.leave()
	n.dir = dir
	b, name, err := w.call.guard.mounts.find(dir)
	if err != nil {
		return nil
	}
	if walker, ok := b.(backend.Walker); ok {
		if folder, ok := walker.Folder(name); ok {
			n.folder = &sharedFolder{Folder: folder}
			n.folder.users.Store(1)
		}
	}
	return n.folder
}

// entries reads a folder, no more of it than is wanted.
func (c *Call) entries(ctx context.Context, dir string, namesOnly bool) ([]backend.Entry, error) {
	b, name, err := c.guard.mounts.find(dir)
	if err != nil {
		return nil, err
	}
	if walker, ok := b.(backend.Walker); ok && namesOnly {
		return walker.Names(ctx, name)
	}
	return b.ReadDir(ctx, name)
}
