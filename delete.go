package paddock

import (
	"context"
	"io/fs"
	"slices"

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
		needs, all, err := c.deletion(ctx, "delete", path)
		if denied := c.refuse(needs...); denied != nil {
			return denied
		}
		if err != nil {
			return err
		}
		if len(all) > 1 && !o.Recursive {
			return backend.ErrNotEmpty
		}
		if err := c.unveils(ctx, all, needs[0].asked); err != nil {
			return err
		}
		if err := c.permitAll(ctx, all, needs); err != nil {
			return err
		}
		removed, err = c.remove(ctx, all)
		return halfway(removed, len(all), "removed", err)
	})
	return removed, err
}

// permitAll is permit for a folder: who agreed to what it holds has not agreed
// to what came in while he was asked.
func (c *Call) permitAll(ctx context.Context, all []object, needs []need) error {
	if c.plan != nil && needs[0].decision.Perm.Has(policy.Delete) {
		c.plan.Objects = len(all) // each was judged, so none of them is hidden
	}
	questions := c.questions
	if err := c.permit(ctx, needs...); err != nil || c.questions == questions {
		return err
	}
	now, err := c.descend(ctx, all[0])
	if err != nil {
		return err
	}
	if !slices.EqualFunc(all, now, func(a, b object) bool { return a.real == b.real && same(a.info, b.info, policy.Delete) }) {
		return backend.ErrSwapped
	}
	return nil
}

// remove has the effect: what a folder holds before the folder.
func (c *Call) remove(ctx context.Context, all []object) (removed int, err error) {
	for _, o := range slices.Backward(all) {
		b, name, err := c.guard.mounts.find(o.real)
		if err == nil {
			err = b.Remove(ctx, name, o.info)
		}
		if err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// deletion decides about a delete, without an effect: the needs, that of the
// target first, and all the objects, the target first. Of a need that is
// denied the objects are not told. The needs come with an error too, if there
// are any.
func (c *Call) deletion(ctx context.Context, verb, path string) ([]need, []object, error) {
	n, err := c.decide(verb, policy.Request{Path: path, Perm: policy.Needs(policy.ActUnlink), KeepLink: true})
	if err != nil {
		return nil, nil, err
	}
	needs := []need{n}
	d := &n.decision
	if d.Verdict == policy.Deny {
		return needs, nil, nil
	}
	if err := c.refuseMount(&n); err != nil {
		return needs, nil, err
	}
	if d.Node.Kind == policy.Missing {
		return needs, nil, fs.ErrNotExist
	}
	b, name, err := c.guard.mounts.find(d.Real)
	if err != nil {
		return needs, nil, err
	}
	i, err := b.Stat(ctx, name)
	if err != nil {
		return needs, nil, err
	}
	if node(i).Kind != d.Node.Kind {
		return needs, nil, backend.ErrSwapped
	}
	all, err := c.descend(ctx, object{d.Real, i})
	if !enumerable(err) {
		all, err = []object{{d.Real, i}}, nil
		if c.guard.policy.MayDenyBelow(d.Real) {
			err = &Denial{Kind: PathAccessDenied, Asked: n.asked, Reason: "what it holds cannot be listed, and a rule may deny some of it"}
		}
	}
	if err != nil {
		return needs, nil, err
	}
	return append(needs, c.needsBelow(all[1:], d.Perm, n.asked)...), all, nil
}
