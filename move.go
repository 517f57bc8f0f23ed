package paddock

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

var errAcross = &toldError{text: "the two lie in different mounts; copy it and delete the original"}

// Move gives an object another name: DELETE for it and for everything in it,
// WRITE for the new name and for that of everything in it, DELETE for what is
// replaced there. Nothing may gain a right by it. A link is moved itself.
func (c *Call) Move(ctx context.Context, from, to string, replace bool) error {
	return c.again(from, func() error {
		needs, all, err := c.deletion(ctx, "move", from)
		if denied := c.refuse(needs...); denied != nil {
			return denied
		}
		if err != nil {
			return err
		}
		dest, err := c.decide("move to", policy.Request{Path: to, Perm: policy.Needs(policy.ActRenameTo), KeepLink: true, Folder: all[0].info.Kind == backend.Dir})
		if err != nil {
			return err
		}
		needs = append(needs, dest)
		if dest.decision.Node.Kind != policy.Missing {
			needs = append(needs, need{
				decision: c.guard.policy.Object(dest.decision.Real, dest.decision.Node, policy.Needs(policy.ActReplaced)), asked: "replace " + to,
			})
		}
		if err := c.refuse(dest, needs[len(needs)-1]); err != nil {
			return err
		}
		if err := c.refuseMount(&dest); err != nil {
			return err
		}
		if err := c.gains(all, dest.decision.Real, needs[0].asked); err != nil {
			return err
		}
		if err := c.movable(all, dest.decision, replace); err != nil {
			return failed(to, err)
		}
		arrivals := c.arrivals(all, dest.decision.Real, to)
		if err := c.refuse(arrivals...); err != nil {
			return err
		}
		needs = append(needs, arrivals...)
		b, fromName, toName, err := c.guard.mounts.both(all[0].real, dest.decision.Real)
		if err != nil {
			return err
		}
		if dest.decision.Node.Kind == policy.File {
			i, err := b.Stat(ctx, toName)
			if err != nil {
				return failed(to, err)
			}
			if err := c.unveils(ctx, []object{{dest.decision.Real, i}}, "replace "+to); err != nil {
				return err
			}
		}
		if err := c.permitAll(ctx, all, needs); err != nil {
			return err
		}
		release, err := c.settle(ctx, all)
		if err != nil {
			return err
		}
		defer release()
		return b.Rename(ctx, fromName, toName, all[0].info, replace)
	})
}

// settle keeps the tree as it was judged until release. What another call puts
// in a folder once it was listed would come along unjudged, to a place where it
// may not be.
func (c *Call) settle(ctx context.Context, all []object) (release func(), err error) {
	if all[0].info.Kind != backend.Dir {
		c.guard.moving.RLock()
		return c.guard.moving.RUnlock, nil
	}
	c.guard.moving.Lock()
	now, err := c.descend(ctx, all[0])
	if err == nil && !slices.EqualFunc(all, now, func(a, b object) bool { return a.real == b.real && same(a.info, b.info, policy.Read) }) {
		err = backend.ErrSwapped
	}
	if err != nil {
		c.guard.moving.Unlock()
		return nil, err
	}
	return c.guard.moving.Unlock, nil
}

// movable finds what stands in the way of a move besides the policy.
func (c *Call) movable(all []object, dest policy.Decision, replace bool) error {
	switch {
	case dest.Orphan:
		return policy.ErrNoFolder
	case dest.Node.Kind == policy.Dir:
		return fs.ErrExist
	case dest.Node.Kind != policy.Missing && !replace:
		return fs.ErrExist
	case dest.Slash && all[0].info.Kind != backend.Dir:
		return backend.ErrNotDir
	case dest.Real == all[0].real || strings.HasPrefix(dest.Real, all[0].real+"/"):
		return &toldError{text: "it cannot be moved into itself"}
	}
	return nil
}

// arrivals judges WRITE for the new name of each object in a folder: a folder
// is not a way to put a file where one may not be written.
func (c *Call) arrivals(all []object, dest, to string) []need {
	moved := make([]object, 0, len(all)-1)
	for _, o := range all[1:] {
		moved = append(moved, object{dest + o.real[len(all[0].real):], o.info})
	}
	return c.needsBelow(moved, policy.Needs(policy.ActRenameTo), "move to "+to)
}

// gains refuses a move by which something could be read, run, written or
// deleted that cannot be now: a move must not be a way around a denial.
func (c *Call) gains(all []object, to, asked string) error {
	for _, o := range all {
		gained := c.guard.policy.Gains(o.real, to+o.real[len(all[0].real):], o.node())
		if o.info.Kind == backend.Dir || len(all) > 1 {
			if gained != policy.None {
				return &Denial{Kind: PathAccessDenied, Asked: asked, Reason: "something in it would have more rights under its new name"}
			}
			continue
		}
		if gained&(policy.Read|policy.Execute) != 0 {
			return &Denial{Kind: PathAccessDenied, Asked: asked, Reason: "it would have more rights under its new name"}
		}
	}
	return nil
}

// both finds one backend that holds two real paths: the outermost mount above
// the first that is also above the second.
func (m *mounts) both(from, to string) (backend.Backend, string, string, error) {
	for dir := from; ; {
		if b := m.at[dir]; b != nil && under(to, dir) {
			return b, strings.TrimPrefix(from[len(dir):], "/"), strings.TrimPrefix(to[len(dir):], "/"), nil
		}
		i := strings.LastIndexByte(dir, '/')
		if i < 0 || dir == "/" {
			return nil, "", "", errAcross
		}
		if dir = dir[:i]; dir == "" {
			dir = "/"
		}
	}
}
