package paddock

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

// Copy copies a file, or a folder with what may be read in it: READ for each
// source, WRITE for each new name. What READ hides, links and special files
// are left out. It tells how many files were copied.
func (c *Call) Copy(ctx context.Context, from, to string, replace bool) (copied int, err error) {
	err = c.again(from, func() error {
		source, err := c.decide("copy", policy.Request{Path: from, Perm: policy.Needs(policy.ActOpenRead)})
		if err != nil {
			return err
		}
		dest, err := c.decide("copy to", policy.Request{Path: to, Perm: policy.Needs(policy.ActCreate), Folder: source.decision.Node.Kind == policy.Dir})
		if err != nil {
			return err
		}
		if source.decision.Verdict == policy.Deny || dest.decision.Verdict == policy.Deny {
			return c.permit(ctx, source, dest)
		}
		plan, err := c.planCopy(ctx, source.decision, dest.decision, to, replace)
		if err != nil {
			if denied := c.permit(ctx, source, dest); denied != nil {
				return denied
			}
			return err
		}
		if err := c.permit(ctx, append(append([]need{source, dest}, plan.asks...), plan.writes...)...); err != nil {
			return err
		}
		c.agreed = append(c.agreed, agreement{source.decision.Real, policy.Read})
		copied, err = c.runCopy(ctx, plan)
		return err
	})
	return copied, err
}

// copyPlan is a copy that is decided: folders to be made and files to be
// copied, in order.
type copyPlan struct {
	steps  []copyStep
	asks   []need // of sources
	writes []need // of new names
}

type copyStep struct {
	from object
	to   string // real
}

func (c *Call) planCopy(ctx context.Context, source, dest policy.Decision, to string, replace bool) (copyPlan, error) {
	var plan copyPlan
	switch {
	case source.Node.Kind == policy.Missing:
		return plan, fs.ErrNotExist
	case dest.Orphan:
		return plan, failed(to, policy.ErrNoFolder)
	case dest.Node.Kind == policy.Dir, dest.Node.Kind == policy.File && !replace:
		return plan, failed(to, fs.ErrExist)
	case dest.Node.Kind == policy.Special:
		return plan, failed(to, backend.ErrSpecial)
	case strings.HasPrefix(dest.Real, source.Real+"/"):
		return plan, failed(to, &toldError{text: "it cannot be copied into itself"})
	}
	b, name, err := c.guard.mounts.find(source.Real)
	if err != nil {
		return plan, err
	}
	i, err := b.Stat(ctx, name)
	if err != nil {
		return plan, err
	}
	all, err := c.descend(ctx, object{source.Real, i})
	if err != nil {
		return plan, err
	}
	left := map[string]bool{} // folders that are not copied, with what they hold
	for _, o := range all {
		d := c.guard.policy.Object(o.real, o.node(), policy.Read)
		if left[path.Dir(o.real)] || d.Verdict == policy.Deny || o.info.Kind != backend.File && o.info.Kind != backend.Dir {
			left[o.real] = true
			continue
		}
		if d.Verdict == policy.Ask {
			plan.asks = append(plan.asks, need{decision: d, asked: "read " + d.Virtual()})
		}
		step := copyStep{o, dest.Real + o.real[len(source.Real):]}
		plan.steps = append(plan.steps, step)
		if w := c.guard.policy.Object(step.to, o.node(), policy.Needs(policy.ActCreate)); w.Verdict != policy.Allow {
			plan.writes = append(plan.writes, need{decision: w, asked: "copy to " + to})
		}
	}
	return plan, nil
}

func (c *Call) runCopy(ctx context.Context, plan copyPlan) (copied int, err error) {
	for _, s := range plan.steps {
		b, name, err := c.guard.mounts.find(s.to)
		if err != nil {
			return copied, err
		}
		if s.from.info.Kind == backend.Dir {
			if err := b.Mkdir(ctx, name, folderMode); err != nil {
				return copied, err
			}
			continue
		}
		if err := c.copyFile(ctx, s, b, name); err != nil {
			// A file that only its open handle shows to be denied, by a
			// hard link, is left out like one that READ hides.
			if isDenial(err) && len(plan.steps) > 1 {
				continue
			}
			return copied, err
		}
		copied++
	}
	return copied, nil
}

func (c *Call) copyFile(ctx context.Context, s copyStep, b backend.Backend, name string) error {
	f, err := c.open(ctx, s.from.real)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	o := backend.WriteOptions{Create: true, Mode: s.from.info.Mode}
	switch i, err := b.Stat(ctx, name); {
	case err == nil && i.Kind == backend.File:
		if err := c.hardWrite(ctx, s.to, i); err != nil {
			return err
		}
		o = backend.WriteOptions{Replace: true, Judged: &i}
	case err == nil:
		return backend.ErrSwapped
	}
	_, err = b.Write(ctx, name, f, o)
	return err
}
