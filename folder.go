package paddock

import (
	"context"
	"errors"
	"io/fs"

	"paddock/backend"
	"paddock/policy"
)

// folderMode is for new folders, less the process's umask.
const folderMode fs.FileMode = 0o777

// Mkdir makes a folder, with parents also those missing on the way: WRITE for
// each. fs.ErrExist when something has the name.
func (c *Call) Mkdir(ctx context.Context, path string, parents bool) (out Info, err error) {
	err = c.again(path, func() error {
		n, err := c.decide("make the folder", policy.Request{Path: path, Perm: policy.Needs(policy.ActMkdir), Folder: true})
		if err != nil {
			return err
		}
		d := &n.decision
		needs := []need{n}
		if d.Verdict != policy.Deny {
			switch {
			case d.Node.Kind != policy.Missing:
				return fs.ErrExist
			case d.Orphan && !parents:
				return policy.ErrNoFolder
			case d.Orphan:
				above, err := c.missingParents(d.Real)
				if err != nil {
					return err
				}
				needs = append(above, n)
				if _, name, err := c.guard.mounts.find(d.Real); err != nil || backend.CheckName(name) != nil {
					return backend.ErrName // before a folder is made for it
				}
			}
		}
		if err := c.permit(ctx, needs...); err != nil {
			return err
		}
		c.guard.moving.RLock()
		defer c.guard.moving.RUnlock()
		for i, n := range needs {
			b, name, err := c.guard.mounts.find(n.decision.Real)
			if err != nil {
				return err
			}
			err = b.Mkdir(ctx, name, folderMode)
			if last := i == len(needs)-1; err != nil && (last || !errors.Is(err, fs.ErrExist)) {
				return err
			}
			if i < len(needs)-1 {
				continue
			}
			made, err := b.Stat(ctx, name)
			if err != nil {
				return err
			}
			out = c.info(n.decision.Real, made)
		}
		return nil
	})
	return out, err
}
