package paddock

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"paddock/backend"
	"paddock/policy"
)

// Info is what an agent may know of an object.
type Info struct {
	Path    string // virtual: printable, and accepted back by every call
	Name    string // its last part, as the file system has it
	Kind    backend.Kind
	Size    int64 // bytes
	ModTime time.Time
	Mode    fs.FileMode // permission bits
	Links   uint64      // names the object has, 0 when unknown
	Target  string      // of a link: where it points, "" when that is not for the agent to know
	// Locked is a name without any right, shown because of denied_names:
	// locked. Nothing can be done with it.
	Locked bool
}

// swaps is how often a call begins anew when somebody changes the tree under
// its feet, before it gives up.
const swaps = 8

// again runs a step until the tree holds still for it. A step that has asked a
// person is not run again: the answer was about another tree.
func (c *Call) again(path string, step func() error) error {
	var err error
	for range swaps {
		questions := c.questions
		if err = step(); !errors.Is(err, backend.ErrSwapped) || isPartial(err) || c.questions != questions {
			break
		}
	}
	return failed(path, err)
}

// missing is the error of looking at what was judged as missing. The tree is not
// asked again: something that is not to be known of can stand on the way.
func missing(d *policy.Decision) error {
	if d.Node.Kind == policy.Missing {
		return fs.ErrNotExist
	}
	return nil
}

// info describes an object to the agent.
func (c *Call) info(real string, i backend.Info) Info {
	return Info{
		Path: c.guard.policy.Virtual(real), Name: c.guard.mounts.name(real), Kind: i.Kind, Size: i.Size, ModTime: i.ModTime, Mode: i.Mode, Links: i.Links,
	}
}

// Stat describes what a path leads to. Any right will do.
func (c *Call) Stat(ctx context.Context, path string) (Info, error) {
	return c.stat(ctx, path, false)
}

// Lstat is Stat for a link itself.
func (c *Call) Lstat(ctx context.Context, path string) (Info, error) {
	return c.stat(ctx, path, true)
}

func (c *Call) stat(ctx context.Context, path string, keepLink bool) (out Info, err error) {
	err = c.again(path, func() error {
		n, err := c.decide("stat", policy.Request{Path: path, Perm: policy.Needs(policy.ActStat), KeepLink: keepLink})
		if err != nil {
			return err
		}
		if err := c.refuse(n); err != nil {
			return err
		}
		if err := missing(&n.decision); err != nil {
			return err
		}
		b, name, err := c.guard.mounts.find(n.decision.Real)
		if err != nil {
			return err
		}
		i, err := b.Stat(ctx, name)
		if err != nil {
			return err
		}
		if i.Kind == backend.Link && !keepLink {
			return backend.ErrSwapped
		}
		if out = c.info(n.decision.Real, i); i.Kind == backend.Link {
			out.Target, _ = c.linkTarget(n.decision.Real, i.Target)
		}
		return nil
	})
	return out, err
}

// File is an open file whose READ was granted.
type File struct {
	backend.Reader
	call *Call
	real string
	info backend.Info
}

// Info describes the file as it was when it was opened.
func (f *File) Info() Info { return f.call.info(f.real, f.info) }

// Open opens a file for reading: READ. Where the backend can, the very object
// that was judged is held from the decision on and opened after it.
func (c *Call) Open(ctx context.Context, path string) (out *File, err error) {
	err = c.again(path, func() error {
		h := holding{mounts: c.guard.mounts}
		defer h.close()
		d, err := c.guard.policy.Decide(policy.Request{Path: path, Perm: policy.Needs(policy.ActOpenRead)}, &h)
		if err != nil {
			return err
		}
		if err := h.take(&d); err != nil {
			return err
		}
		if d.Verdict != policy.Allow || c.gated || c.guard.recorder != nil {
			if err := c.permit(ctx, need{decision: d, asked: "read " + path}); err != nil {
				return err
			}
		}
		if err := missing(&d); err != nil {
			return err
		}
		r, err := h.open(ctx, d.Real)
		if err != nil {
			return err
		}
		out, err = c.opened(ctx, d.Real, r)
		return err
	})
	return out, err
}

// open opens the object of exactly a judged name.
func (c *Call) open(ctx context.Context, real string) (*File, error) {
	r, err := c.guard.mounts.open(ctx, real)
	if err != nil {
		return nil, err
	}
	return c.opened(ctx, real, r)
}

// opened judges what only the open object tells: its other names.
func (c *Call) opened(ctx context.Context, real string, r backend.Reader) (*File, error) {
	i, err := r.Info()
	if err != nil {
		_ = r.Close() // nothing was written to it
		return nil, err
	}
	return c.openedAs(ctx, real, r, i)
}

// openedAs is opened for an object that was described when it was opened.
func (c *Call) openedAs(ctx context.Context, real string, r backend.Reader, i backend.Info) (*File, error) {
	var err error
	if i.Links <= 1 && !c.guard.alike {
		i, err = c.stillNamed(ctx, real, i)
	}
	if err == nil {
		err = c.hardRead(ctx, real, i)
	}
	if err != nil {
		_ = r.Close() // nothing was written to it
		return nil, err
	}
	return &File{Reader: r, call: c, real: real, info: i}, nil
}

// List lists a folder: READ. Names without any right left are absent, or
// locked where the policy says so. At the top the other mounts are listed
// beside the root entry's own names.
func (c *Call) List(ctx context.Context, path string) (out []Info, err error) {
	err = c.again(path, func() error {
		n, err := c.decide("list", policy.Request{Path: path, Perm: policy.Needs(policy.ActList)})
		if err != nil {
			return err
		}
		top := n.decision.Virtual() == "/"
		only := top && c.onlyMounts(&n)
		if err := c.permit(ctx, n); err != nil {
			return err
		}
		out = nil
		if !only {
			if err := missing(&n.decision); err != nil {
				return err
			}
			if out, err = c.list(ctx, n.decision.Real, false); err != nil {
				return err
			}
		}
		if top {
			out = c.mountInfos(ctx, out)
		}
		return nil
	})
	return out, err
}

// onlyMounts turns a need of the top folder, which the policy refuses, into
// one of the mounts beside it, if there are any: their names are no secret.
func (c *Call) onlyMounts(n *need) bool {
	if n.decision.Verdict != policy.Deny || len(c.guard.policy.Mounts()) < 2 {
		return false
	}
	n.decision = c.guard.policy.Pathless(policy.None)
	return true
}

// list reads a folder and keeps what the agent may see.
func (c *Call) list(ctx context.Context, dir string, namesOnly bool) ([]Info, error) {
	entries, err := c.entries(ctx, dir, namesOnly)
	if err != nil {
		return nil, err
	}
	locked := c.guard.policy.DeniedNames() == policy.Locked
	out := make([]Info, 0, len(entries))
	for i := range entries {
		if strings.HasPrefix(entries[i].Name, backend.TempPrefix) {
			continue // somebody is writing
		}
		if info, ok := c.see(join(dir, entries[i].Name), entries[i].Info, locked); ok {
			out = append(out, info)
		}
	}
	return out, nil
}

// see tells whether a listing shows an object, and what of it.
func (c *Call) see(real string, i backend.Info, locked bool) (Info, bool) {
	visible := c.guard.policy.Visible(real, node(i))
	target := ""
	if visible && i.Kind == backend.Link {
		// A link whose target is hidden is hidden: its name and text would
		// tell of it.
		target, visible = c.linkTarget(real, i.Target)
	}
	if !visible && !locked {
		return Info{}, false
	}
	info := c.info(real, i)
	info.Name, info.Target = path.Base(real), target
	if !visible {
		info.Locked, info.Mode = true, 0
	}
	return info, true
}

// linkTarget is what may be told of where a link points, and whether the link
// may be shown. One that leads outside every mount is shown without a target.
func (c *Call) linkTarget(link, target string) (string, bool) {
	d, err := c.guard.policy.DecideFrom(path.Dir(link), target, policy.Needs(policy.ActReadlink), c.guard.mounts)
	switch {
	case err != nil:
		return "", true // dangling in the middle, or a loop: it leads nowhere
	case d.Verdict == policy.Deny:
		return "", d.Entry() == ""
	default:
		return d.Virtual(), true
	}
}

func join(dir, name string) string {
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// mountInfos adds the other mounts to a listing of the top. Where a name of
// the root entry is the same the mount shadows it.
func (c *Call) mountInfos(ctx context.Context, out []Info) []Info {
	for _, m := range c.guard.policy.Mounts() {
		if m.Slug == policy.RootSlug {
			continue
		}
		real := placeOf(m)
		b, name, err := c.guard.mounts.find(real)
		if err != nil {
			continue
		}
		i, err := b.Stat(ctx, name)
		if err != nil || !c.guard.policy.Visible(real, node(i)) {
			continue
		}
		info := c.info(real, i)
		info.Path, info.Name = "/"+m.Slug, m.Slug
		out = insert(out, info)
	}
	return out
}

// insert puts an Info in its place in a list sorted by name, over one of the
// same name.
func insert(list []Info, info Info) []Info {
	for i := range list {
		switch {
		case list[i].Name == info.Name:
			list[i] = info
			return list
		case list[i].Name > info.Name:
			return append(list[:i], append([]Info{info}, list[i:]...)...)
		}
	}
	return append(list, info)
}
