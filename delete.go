package paddock

import (
	"context"
	"fmt"
	"io/fs"

	"paddock/backend"
	"paddock/policy"
)

// DeleteOptions say what a Delete may take along.
type DeleteOptions struct {
	Recursive bool // a folder with all that it holds
}

// Delete removes a file, a link (never its target) or a folder: DELETE for it
// and for everything in it, hidden names too. Any denial refuses the whole,
// and nothing is removed. It tells how many objects were removed, also when it
// fails half way.
func (c *Call) Delete(ctx context.Context, path string, o DeleteOptions) (removed int, err error) {
	err = c.again(path, func() error {
		n, all, err := c.deletion(ctx, path)
		if err != nil {
			return err
		}
		if len(all) > 1 && !o.Recursive {
			if err := c.permit(ctx, n[0]); err != nil {
				return err
			}
			return backend.ErrNotEmpty
		}
		if err := c.permit(ctx, n...); err != nil {
			return err
		}
		for i := len(all) - 1; i >= 0; i-- {
			b, name, err := c.guard.mounts.find(all[i].real)
			if err == nil {
				err = b.Remove(ctx, name, all[i].info)
			}
			if err != nil && removed > 0 {
				return &toldError{text: fmt.Sprintf("%d of %d objects were removed, then: %v", removed, len(all), reason(err)), cause: reason(err)}
			}
			if err != nil {
				return err
			}
			removed++
		}
		return nil
	})
	return removed, err
}

// deletion decides about a delete, without an effect: the needs, that of the
// target first, and all the objects, the target first.
func (c *Call) deletion(ctx context.Context, path string) ([]need, []object, error) {
	n, err := c.decide("delete", policy.Request{Path: path, Perm: policy.Needs(policy.ActUnlink), KeepLink: true})
	if err != nil {
		return nil, nil, err
	}
	d := &n.decision
	if d.Verdict == policy.Deny {
		return []need{n}, nil, c.permit(ctx, n)
	}
	if err := c.refuseMount(&n); err != nil {
		return nil, nil, err
	}
	if d.Node.Kind == policy.Missing {
		return nil, nil, fs.ErrNotExist
	}
	b, name, err := c.guard.mounts.find(d.Real)
	if err != nil {
		return nil, nil, err
	}
	i, err := b.Stat(ctx, name)
	switch {
	case err != nil:
		return nil, nil, err
	case d.Slash && i.Kind != backend.Dir:
		return nil, nil, backend.ErrNotDir
	}
	all, err := c.descend(ctx, object{d.Real, i})
	if !enumerable(err) {
		all, err = []object{{d.Real, i}}, nil
		if c.guard.policy.MayDenyBelow(d.Real) {
			err = &Denial{Kind: PathAccessDenied, Asked: n.asked, Reason: "what it holds cannot be listed, and a rule may deny some of it"}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return append([]need{n}, c.needsBelow(all[1:], d.Perm, n.asked)...), all, nil
}
