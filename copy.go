package paddock

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"

	"paddock/backend"
	"paddock/policy"
)

var (
	errOntoItself = &toldError{text: "it cannot be copied onto itself"}
	errIntoItself = &toldError{text: "it cannot be copied into itself"}
)

// Copy copies a file, or a folder with what may be read in it: READ for each
// source, WRITE for each new name. What READ hides, links and special files
// are left out; a file that grows meanwhile is copied as far as it was. It
// tells how many files were copied, also when it fails half way.
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
		if err := c.refuse(source, dest); err != nil {
			return err
		}
		plan, err := c.planCopy(ctx, source.decision, dest.decision, to, replace)
		if err != nil {
			return err
		}
		plan.needs = append([]need{source, dest}, plan.needs...)
		if err := c.permitAll(ctx, plan.all, plan.needs); err != nil {
			return err
		}
		for i := range plan.needs {
			if d := &plan.needs[i].decision; d.Verdict == policy.Ask && d.Perm == policy.Read {
				c.agreed = append(c.agreed, agreement{d.Real, d.Perm})
			}
		}
		var done int
		done, copied, err = c.runCopy(ctx, plan)
		return halfway(done, len(plan.steps), "copied", err)
	})
	return copied, err
}

// copyPlan is a copy that is decided: folders to be made and files to be
// copied, in order.
type copyPlan struct {
	all     []object // of the source
	steps   []copyStep
	needs   []need
	replace *backend.Info // what a single file replaces
}

type copyStep struct {
	from object
	to   string // real
}

func (c *Call) planCopy(ctx context.Context, source, dest policy.Decision, to string, replace bool) (plan copyPlan, err error) {
	switch {
	case source.Node.Kind == policy.Missing:
		return plan, fs.ErrNotExist
	case source.Node.Kind == policy.Special:
		return plan, backend.ErrSpecial
	case dest.Real == source.Real:
		return plan, errOntoItself
	case strings.HasPrefix(dest.Real, source.Real+"/"):
		return plan, failed(to, errIntoItself)
	case dest.Orphan:
		return plan, failed(to, policy.ErrNoFolder)
	case dest.Node.Kind == policy.Special:
		return plan, failed(to, backend.ErrSpecial)
	case dest.Node.Kind == policy.Dir, dest.Node.Kind == policy.File && (!replace || source.Node.Kind == policy.Dir):
		return plan, failed(to, fs.ErrExist)
	}
	if plan.replace, err = c.replaced(ctx, dest); err != nil {
		return plan, failed(to, err)
	}
	b, name, err := c.guard.mounts.find(source.Real)
	if err != nil {
		return plan, err
	}
	i, err := b.Stat(ctx, name)
	if err != nil {
		return plan, err
	}
	if plan.all, err = c.descend(ctx, object{source.Real, i}); err != nil {
		return plan, err
	}
	return plan, c.planSteps(ctx, &plan, dest.Real, to)
}

// replaced describes the file that a copy replaces, nil for none.
func (c *Call) replaced(ctx context.Context, dest policy.Decision) (*backend.Info, error) {
	if dest.Node.Kind != policy.File {
		return nil, nil
	}
	b, name, err := c.guard.mounts.find(dest.Real)
	if err != nil {
		return nil, err
	}
	i, err := b.Stat(ctx, name)
	if err != nil {
		return nil, err
	}
	return &i, c.hardWrite(ctx, dest.Real, i)
}

func (c *Call) planSteps(ctx context.Context, plan *copyPlan, dest, to string) error {
	left := map[string]bool{} // folders that are not copied, with what they hold
	for i, o := range plan.all {
		d := c.guard.policy.Object(o.real, o.node(), policy.Read)
		if left[path.Dir(o.real)] || d.Verdict == policy.Deny || o.info.Kind != backend.File && o.info.Kind != backend.Dir {
			left[o.real] = true
			continue
		}
		if err := c.hardRead(ctx, o.real, o.info); isDenial(err) && i > 0 {
			continue
		} else if err != nil {
			return err
		}
		if d.Verdict == policy.Ask && i > 0 {
			plan.needs = append(plan.needs, need{decision: d, asked: "read " + d.Virtual()})
		}
		step := copyStep{o, dest + o.real[len(plan.all[0].real):]}
		plan.steps = append(plan.steps, step)
		if w := c.guard.policy.Object(step.to, o.node(), policy.Needs(policy.ActCreate)); w.Verdict != policy.Allow && i > 0 {
			plan.needs = append(plan.needs, need{decision: w, asked: "copy to " + to})
		}
	}
	return nil
}

// runCopy has the effect. It tells how many steps were done, and how many of
// them were files.
func (c *Call) runCopy(ctx context.Context, plan copyPlan) (done, files int, err error) {
	for _, s := range plan.steps {
		if err := c.copyOne(ctx, s, plan.replace); err != nil {
			return done, files, err
		}
		if done++; s.from.info.Kind != backend.Dir {
			files++
		}
	}
	return done, files, nil
}

func (c *Call) copyOne(ctx context.Context, s copyStep, replace *backend.Info) error {
	c.guard.moving.RLock()
	defer c.guard.moving.RUnlock()
	b, name, err := c.guard.mounts.find(s.to)
	if err != nil {
		return err
	}
	if s.from.info.Kind == backend.Dir {
		return b.Mkdir(ctx, name, s.from.info.Mode|0o700)
	}
	return c.copyFile(ctx, s, b, name, replace)
}

func (c *Call) copyFile(ctx context.Context, s copyStep, b backend.Backend, name string, replace *backend.Info) error {
	f, err := c.open(ctx, s.from.real)
	if err != nil {
		return err
	}
	defer f.Close() // only read
	if !same(s.from.info, f.info, policy.Read) {
		return backend.ErrSwapped
	}
	o := backend.WriteOptions{Create: replace == nil, Replace: replace != nil, Judged: replace, Mode: s.from.info.Mode, Save: c.saver(s.to, replace)}
	_, err = b.Write(ctx, name, io.LimitReader(f, f.info.Size), o)
	return err
}
