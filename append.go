package paddock

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"

	"paddock/backend"
	"paddock/internal/show"
	"paddock/policy"
)

// Append puts content behind what a file holds: WRITE. What is there goes to
// nobody, the approver included, because READ is not needed for it. The file is
// replaced as a whole, as by Write: appends that meet do not mix, and none is
// lost. A file that is not there is made when o.Create says so; o.Replace
// counts for nothing.
func (c *Call) Append(ctx context.Context, path string, content []byte, o WriteOptions) (out WriteResult, err error) {
	if len(content) > MaxFile {
		return out, failed(path, errTooLarge)
	}
	o.Replace = true
	err = c.again(path, func() error {
		n, err := c.decide("append to", policy.Request{Path: path, Perm: policy.Needs(policy.ActOpenWrite)})
		if err != nil {
			return err
		}
		// Appends to one file wait for each other, but never for a person.
		if !c.asks(&n) {
			lock := c.guard.edits.of(n.decision.Real)
			lock.Lock()
			defer lock.Unlock()
		}
		t, err := c.target(ctx, &n, o)
		if err != nil {
			return err
		}
		n.content = content
		n.detail = func() string { return show.Diff(nil, content, n.decision.Virtual(), maxDiff) }
		if err := c.permit(ctx, append([]need{n}, t.parents...)...); err != nil {
			return err
		}
		if t.judged == nil {
			out, err = c.put(ctx, t, content)
			return err
		}
		out, err = c.putBehind(ctx, t, content)
		return err
	})
	return out, err
}

// putBehind has the effect on a file that is there: the old content is read
// from the object that was judged, and what is written replaces that or
// nothing. It is streamed, so a file may be of any size.
func (c *Call) putBehind(ctx context.Context, t target, content []byte) (WriteResult, error) {
	old, err := t.b.Open(ctx, t.name)
	if err != nil {
		return WriteResult{}, err
	}
	defer old.Close() // only read
	now, err := old.Info()
	switch {
	case err != nil:
		return WriteResult{}, err
	case !same(*t.judged, now, policy.Write):
		return WriteResult{}, backend.ErrSwapped
	}
	whole := io.MultiReader(io.LimitReader(old, now.Size), bytes.NewReader(content))
	r, err := t.b.Write(ctx, t.name, whole, backend.WriteOptions{Replace: true, Judged: &now, Save: c.saver(t.real, &now)})
	if errors.Is(err, fs.ErrNotExist) {
		err = backend.ErrSwapped // taken away since it was judged
	}
	if err != nil {
		return WriteResult{}, err
	}
	return WriteResult{Info: c.info(t.real, r.Info), InPlace: r.InPlace}, nil
}
