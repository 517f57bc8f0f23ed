package paddock

import (
	"context"
	"errors"
	"path"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

// maxDescend bounds how many objects one delete, move or copy is about.
const maxDescend = 200_000

var errTooMany = &toldError{text: "the folder holds more than 200000 objects; go about it in parts"}

// object is one thing that a call is about, by its real path.
type object struct {
	real string
	info backend.Info
}

func (o object) node() policy.Node { return node(o.info) }

// descend lists everything below a folder, what it holds before the folder's
// own siblings, hidden names too: what may not be seen must still be judged.
// The folder itself is first.
func (c *Call) descend(ctx context.Context, top object) ([]object, error) {
	all := []object{top}
	for i := 0; i < len(all); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if all[i].info.Kind != backend.Dir {
			continue
		}
		dir := all[i].real
		b, name, err := c.guard.mounts.find(dir)
		if err != nil {
			return nil, err
		}
		entries, err := b.ReadDir(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(all)+len(entries) > maxDescend {
			return nil, errTooMany
		}
		for j := range entries {
			all = append(all, object{join(dir, entries[j].Name), entries[j].Info})
		}
	}
	return all, nil
}

// needs judges DELETE, or another right, for every object of a folder. Only
// what is not simply allowed is of interest: the first denial ends it.
func (c *Call) needsBelow(all []object, perm policy.Permission, asked string) []need {
	var needs []need
	for _, o := range all {
		if strings.HasPrefix(path.Base(o.real), backend.TempPrefix) {
			continue // what a killed process left must not keep its folder
		}
		d := c.guard.policy.Object(o.real, o.node(), perm)
		switch d.Verdict {
		case policy.Deny:
			// It is named by its folder: its own name may be hidden.
			return []need{{decision: d, asked: asked + " (something in it)"}}
		case policy.Ask:
			needs = append(needs, need{decision: d, asked: asked + " (" + d.Virtual() + ")"})
		}
	}
	return needs
}

// refuseMount refuses to delete or move a folder that is an entry's place, or
// holds one.
func (c *Call) refuseMount(n *need) error {
	if !c.guard.policy.HoldsMount(n.decision.Real) {
		return nil
	}
	return &Denial{Kind: PathAccessDenied, Asked: n.asked, Reason: "a mount of the policy is here"}
}

// enumerable tells whether what a folder holds can be listed at all.
func enumerable(err error) bool { return !errors.Is(err, backend.ErrUnsupported) }
