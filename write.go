package paddock

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"

	"paddock/backend"
	"paddock/internal/show"
	"paddock/policy"
)

// WriteOptions say what a Write may do. A file that is there without Replace
// is fs.ErrExist, one that is not without Create fs.ErrNotExist.
type WriteOptions struct {
	Create, Replace bool
	Parents         bool // make the folders that are missing on the way
}

// WriteResult says what a write came to.
type WriteResult struct {
	Info
	Created bool
	InPlace bool // not replaced as a whole; the old content was kept aside
}

// MaxFile bounds what Write and Edit hold in memory, in bytes.
const MaxFile = 64 << 20

// Diffs shown with a question are bounded in lines.
const maxDiff = 200

var errTooLarge = &toldError{text: "the content is larger than 64 MiB"}

// Write puts content in a file, whole or not at all: WRITE, for the file and
// for each folder it makes on the way.
func (c *Call) Write(ctx context.Context, path string, content []byte, o WriteOptions) (out WriteResult, err error) {
	if len(content) > MaxFile {
		return out, failed(path, errTooLarge)
	}
	err = c.again(path, func() error {
		n, err := c.decide("write", policy.Request{Path: path, Perm: policy.Needs(policy.ActCreate)})
		if err != nil {
			return err
		}
		t, err := c.target(ctx, &n, o)
		if err != nil {
			return err
		}
		held := int64(len(content))
		if t.judged != nil && c.asks(&n) {
			held += min(t.judged.Size, MaxFile) // the question shows what is there
		}
		release, err := c.guard.room.take(held)
		if err != nil {
			return err
		}
		defer release()
		n.content = content
		n.detail = func() string { return show.Diff(c.peek(ctx, t), content, n.decision.Virtual(), maxDiff) }
		if err := c.permit(ctx, append([]need{n}, t.parents...)...); err != nil {
			return err
		}
		out, err = c.put(ctx, t, content)
		return err
	})
	return out, err
}

// target is a file about to be written.
type target struct {
	real    string
	b       backend.Backend
	name    string
	judged  *backend.Info // nil: it is to be made
	parents []need        // folders to be made, outermost first
}

// target finds out what a write would do, without an effect. Where the policy
// refuses it says so first: what is there is not for everybody to know.
func (c *Call) target(ctx context.Context, n *need, o WriteOptions) (target, error) {
	d := &n.decision
	t := target{real: d.Real}
	if err := c.refuse(*n); err != nil {
		return t, err
	}
	var err error
	if t.b, t.name, err = c.guard.mounts.find(d.Real); err != nil {
		return t, err
	}
	if err := backend.CheckName(t.name); err != nil {
		return t, err // before a folder is made for it
	}
	switch {
	case d.Slash || d.Node.Kind == policy.Dir:
		return t, backend.ErrIsDir
	case d.Node.Kind == policy.Special:
		return t, backend.ErrSpecial
	case d.Node.Kind == policy.File && !o.Replace:
		return t, fs.ErrExist
	case d.Node.Kind == policy.File:
		i, err := t.b.Stat(ctx, t.name)
		if err != nil {
			return t, err
		}
		t.judged = &i
		return t, c.hardWrite(ctx, d.Real, i)
	case !o.Create:
		return t, fs.ErrNotExist
	case d.Orphan && !o.Parents:
		return t, policy.ErrNoFolder
	case d.Orphan:
		t.parents, err = c.missingParents(d.Real)
		return t, err
	}
	return t, nil
}

// missingParents decides about each folder that is to be made for a file.
func (c *Call) missingParents(real string) ([]need, error) {
	var all []need
	for dir := path.Dir(real); ; dir = path.Dir(dir) {
		node, err := c.guard.mounts.Look(dir)
		// Something else than a folder on the way was judged as missing: it
		// is not to be known of.
		if err != nil && !errors.Is(err, backend.ErrNotDir) && !errors.Is(err, backend.ErrSwapped) {
			return nil, err
		}
		if err == nil && node.Kind == policy.Dir {
			return all, nil
		}
		d := c.guard.policy.Object(dir, policy.Node{Kind: policy.Dir}, policy.Needs(policy.ActMkdir))
		all = append([]need{{decision: d, asked: "make the folder " + d.Virtual()}}, all...)
	}
}

// peek reads what a question shows as the old content.
func (c *Call) peek(ctx context.Context, t target) []byte {
	if t.judged == nil {
		return nil
	}
	r, err := t.b.Open(ctx, t.name)
	if err != nil {
		return nil
	}
	defer r.Close() // only read
	old, err := io.ReadAll(io.LimitReader(r, MaxFile))
	if err != nil {
		return nil
	}
	return old
}

// put has the effect.
func (c *Call) put(ctx context.Context, t target, content []byte) (WriteResult, error) {
	c.guard.moving.RLock()
	defer c.guard.moving.RUnlock()
	for _, p := range t.parents {
		b, name, err := c.guard.mounts.find(p.decision.Real)
		if err == nil {
			err = b.Mkdir(ctx, name, folderMode)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return WriteResult{}, err
		}
	}
	o := backend.WriteOptions{Create: t.judged == nil, Replace: t.judged != nil, Judged: t.judged, Save: c.saver(t.real, t.judged)}
	r, err := t.b.Write(ctx, t.name, bytes.NewReader(content), o)
	if err != nil {
		if t.judged == nil && errors.Is(err, fs.ErrExist) || t.judged != nil && errors.Is(err, fs.ErrNotExist) {
			err = backend.ErrSwapped // made, or taken away, since it was judged
		}
		return WriteResult{}, err
	}
	return WriteResult{Info: c.info(t.real, r.Info), Created: r.Created, InPlace: r.InPlace}, nil
}

// saver keeps the old content of a file that must be written in place.
func (c *Call) saver(real string, judged *backend.Info) func(io.Reader) error {
	return func(old io.Reader) error {
		if judged != nil && judged.Links <= 1 {
			// A name that came since the file was judged may be one where
			// WRITE is not granted.
			if b, name, err := c.guard.mounts.find(real); err != nil {
				return err
			} else if i, err := b.Stat(context.Background(), name); err != nil || i.Links > 1 {
				return backend.ErrSwapped
			}
		}
		if c.guard.save == nil {
			return &toldError{text: "the file cannot be replaced as a whole, and there is no place to keep the old content"}
		}
		return c.guard.save(c.guard.policy.Virtual(real), old)
	}
}
