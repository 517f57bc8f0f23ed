//go:build !osroot

package disk

import (
	"context"
	"strings"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// Stat describes an object, a link itself.
func (t *Tree) Stat(ctx context.Context, name string) (backend.Info, error) {
	info, err := t.stat(ctx, name)
	if err != nil {
		return backend.Info{}, failed("stat", name, err)
	}
	return info, nil
}

func (t *Tree) stat(ctx context.Context, name string) (backend.Info, error) {
	if err := ctx.Err(); err != nil {
		return backend.Info{}, err
	}
	at, err := t.inTop(name)
	if err != nil {
		return backend.Info{}, err
	}
	if strings.IndexByte(at, '/') < 0 {
		// One part below a held folder has no middle to be swapped.
		var st unix.Stat_t
		if err := statAt(t.top, at, &st); err != nil {
			return backend.Info{}, meaning(err)
		}
		if info := infoOf(&st); info.Kind != backend.Link {
			return info, nil
		}
	}
	h, err := look(t.top, at)
	if err != nil {
		return backend.Info{}, err
	}
	defer h.close()
	info := h.info()
	if info.Kind == backend.Link {
		if info.Target, err = linkText(h.fd, ""); err != nil {
			return backend.Info{}, meaning(err)
		}
	}
	return info, nil
}

// Plain describes an object no part of whose name is a link. In every other
// case, whatever it is, ok is false.
func (t *Tree) Plain(name string) (info backend.Info, ok bool) {
	at, err := t.inTop(name)
	if err != nil {
		return backend.Info{}, false
	}
	var st unix.Stat_t
	if strings.IndexByte(at, '/') < 0 {
		err = statAt(t.top, at, &st)
	} else {
		var h handle
		if h, err = look(t.top, at); err == nil {
			st = h.st
			h.close()
		}
	}
	if err != nil || st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return backend.Info{}, false
	}
	return infoOf(&st), true
}
