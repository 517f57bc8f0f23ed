//go:build !osroot

package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Write puts content in a file, by a temporary file that takes its name. Where
// that cannot be (a file mount, a folder we may not write in, an owner we cannot
// give, several hard links, a mount point) the file is written in place and the
// result says so.
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
	at, err := t.inTop(name)
	if err != nil {
		return none, err
	}
	if at == "." {
		return none, backend.ErrIsDir
	}
	dir, base, err := t.openFolder(at)
	if err != nil {
		return none, err
	}
	defer dir.close()

	w := writing{t: t, ctx: ctx, dir: dir, base: base, o: o}
	// The answer may be no whatever the content; then it is not read.
	there, err := w.look()
	if err != nil {
		return none, err
	}
	there.release()
	if err := w.prepare(there == nil); err != nil {
		return none, err
	}
	defer func() { w.stage.close() }()
	if err := w.stage.fill(ctx, content); err != nil {
		return none, meaning(err)
	}
	// Names come and go; a caller without Judged takes what there is.
	for range 16 {
		res, err := w.commit()
		if !errors.Is(err, errAgain) {
			return res, meaning(err)
		}
	}
	return none, backend.ErrSwapped
}

// errAgain says that the name changed between look and act, and that the
// caller did not mind what was under it.
var errAgain = errors.New("look again")

// writing is one Write.
type writing struct {
	t     *Tree
	ctx   context.Context
	dir   folder
	base  string
	o     backend.WriteOptions
	stage *stage
}

// look finds what the name means now and whether the options allow a write to
// it. Nothing there is no error, if it may be made.
func (w *writing) look() (*handle, error) {
	h, err := look(w.dir.fd, w.base)
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case w.o.Judged != nil:
			return nil, backend.ErrSwapped
		case !w.o.Create:
			return nil, fs.ErrNotExist
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := w.allows(&h); err != nil {
		h.close()
		return nil, err
	}
	return &h, nil
}

func (w *writing) allows(h *handle) error {
	if err := h.regular(); err != nil {
		return err
	}
	if !w.o.Replace {
		return fs.ErrExist
	}
	if w.o.Judged != nil && !unchanged(*w.o.Judged, h.info()) {
		return backend.ErrSwapped
	}
	// A folder would let us replace a file that its owner made read-only.
	err := unix.Faccessat(h.fd, "", unix.W_OK, unix.AT_EACCESS|unix.AT_EMPTY_PATH)
	if err == unix.ENOSYS || err == unix.EINVAL {
		return nil // before Linux 5.8
	}
	return meaning(err)
}

// prepare makes the stage. Without a right to make files in the folder an
// existing file can still be written in place.
func (w *writing) prepare(create bool) (err error) {
	if !w.t.IsFile() {
		mode := uint32(0o600)
		if create {
			mode = permissions(w.o.Mode, 0o644)
		}
		w.stage, err = newStage(w.dir, mode)
		if err == nil {
			w.stage.public = create
		}
		if err == nil || create || !inPlaceInstead(err) {
			return meaning(err)
		}
	}
	w.stage, err = newSpool()
	return err
}

// permissions is the mode for a new object; the kernel takes the umask off.
func permissions(mode fs.FileMode, unset uint32) uint32 {
	if mode == 0 {
		return unset
	}
	return uint32(mode.Perm())
}

// inPlaceInstead tells the errors of making or moving a temporary file that do
// not speak against writing the old file itself.
func inPlaceInstead(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) ||
		errors.Is(err, unix.EROFS) || errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EXDEV)
}

// unchanged says that got is the judged file with the judged content, as far as
// size and time tell.
func unchanged(judged, got backend.Info) bool {
	return sameObject(judged, got) && judged.Size == got.Size && judged.ModTime.Equal(got.ModTime)
}

// sameObject compares identity alone.
func sameObject(judged, got backend.Info) bool {
	return judged.Kind == got.Kind && (judged.ID == backend.ID{} || judged.ID == got.ID)
}
