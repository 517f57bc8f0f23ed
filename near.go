package paddock

import (
	"context"
	"path"

	"paddock/backend"
)

// nearby is the folder of the file that a walk opened last, held so that the
// next one costs one step. It is let go of before the walk enters another
// folder: who moves a folder away meanwhile wins no more than the moment in
// which its own files are visited, and where a name makes a difference it is
// looked at again once the file is open.
type nearby struct {
	dir    string
	folder backend.Folder // nil when dir has none to be held
	over   bool           // the walk has ended
}

func (n *nearby) leave() {
	if n.folder != nil {
		_ = n.folder.Close() // it was only looked at
	}
	n.dir, n.folder = "", nil
}

// open opens a file that the walk has come to.
func (w *walk) open(ctx context.Context, real string) (*File, error) {
	c := w.call
	// An entry's own place may lie in another backend than the folder around.
	if dir, base := path.Split(real); !w.near.over && c.guard.mounts.at[real] == nil && base != "" && ctx.Err() == nil {
		if folder := w.folderAt(path.Clean(dir)); folder != nil {
			if r, i, ok := folder.Open(base); ok {
				return c.openedAs(ctx, real, r, i)
			}
		}
	}
	return c.open(ctx, real)
}

func (w *walk) folderAt(dir string) backend.Folder {
	n := &w.near
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
			n.folder = folder
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
