package paddock

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"paddock/backend"
	"paddock/policy"
)

// hardRead refuses to read a file that the policy denies under another of its
// names: a hard link must not open what a pattern shuts.
func (c *Call) hardRead(ctx context.Context, real string, i backend.Info) error {
	if !several(i) || c.guard.alike {
		return nil
	}
	names, err := c.guard.links.of(ctx, i)
	if err != nil {
		return err
	}
	if !slices.Contains(names, real) {
		return backend.ErrSwapped // it had this name a moment ago
	}
	own := c.guard.policy.Object(real, policy.Node{Kind: policy.File}, policy.Read).Verdict
	for _, name := range names {
		d, inside := c.readUnder(name)
		asks := d.Verdict == policy.Ask && own == policy.Allow && !c.hasAgreed(name, policy.Read)
		if inside && (d.Verdict == policy.Deny || asks) {
			return c.otherName("read", real, d)
		}
	}
	return nil
}

// stillNamed looks once more at the name by which an object with one name was
// opened. When that one is gone the name that is left is another, which may be
// a denied one: a hard link that is there for a moment opens nothing.
func (c *Call) stillNamed(ctx context.Context, real string, i backend.Info) (backend.Info, error) {
	b, name, err := c.guard.mounts.find(real)
	if err != nil {
		return i, err
	}
	if _, links := b.(rooted); !links {
		return i, nil
	}
	now, err := b.Stat(ctx, name)
	if err == nil && now.ID == i.ID {
		return now, nil
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = backend.ErrSwapped
	}
	return i, err
}

// hardWrite refuses to write a file that has a name where WRITE is not
// granted, or a name that is not known: one outside every mount.
func (c *Call) hardWrite(ctx context.Context, real string, i backend.Info) error {
	if !several(i) {
		return nil
	}
	names, err := c.guard.links.of(ctx, i)
	if err != nil {
		return err
	}
	own := c.guard.policy.Object(real, policy.Node{Kind: policy.File}, policy.Write)
	if uint64(len(names)) < i.Links {
		return c.otherName("write", real, own)
	}
	for _, name := range names {
		if d := c.guard.policy.Object(name, policy.Node{Kind: policy.File}, policy.Write); d.Verdict < own.Verdict {
			return c.otherName("write", real, d)
		}
	}
	return nil
}

// unveils refuses to take away the name by which a file may not be read, while
// it has another by which it could be once this one is gone.
func (c *Call) unveils(ctx context.Context, all []object, asked string) error {
	for _, o := range all {
		if !several(o.info) {
			continue
		}
		own := c.guard.policy.Object(o.real, o.node(), policy.Read)
		if own.Verdict == policy.Allow {
			continue
		}
		names, err := c.guard.links.of(ctx, o.info)
		if err != nil {
			return err
		}
		for _, name := range names {
			if !under(name, all[0].real) && c.guard.policy.Object(name, o.node(), policy.Read).Verdict > own.Verdict {
				return &Denial{Kind: PathAccessDenied, Asked: asked, Because: own.Because(), Reason: "a file has another name, by which it could be read then"}
			}
		}
	}
	return nil
}

// hardLinks is hardRead and hardWrite for a decision about a file.
func (c *Call) hardLinks(ctx context.Context, d *policy.Decision) error {
	if d.Verdict == policy.Deny || d.Node.Kind != policy.File {
		return nil
	}
	b, name, err := c.guard.mounts.find(d.Real)
	if err != nil {
		return err
	}
	i, err := b.Stat(ctx, name)
	if err == nil && d.Perm&policy.Read != 0 {
		err = c.hardRead(ctx, d.Real, i)
	}
	if err == nil && d.Perm&policy.Write != 0 {
		err = c.hardWrite(ctx, d.Real, i)
	}
	return err
}

// several tells whether a file is known to have several names.
func several(i backend.Info) bool {
	return i.Kind == backend.File && i.Links > 1 && i.ID != (backend.ID{})
}

// readUnder judges READ of a name of a file by the innermost context of which it
// lies in an entry, and those above that. A name that lies in none is not
// inside.
func (c *Call) readUnder(name string) (d policy.Decision, inside bool) {
	for p := c.guard.policy; p != nil; p = p.Parent() {
		d = p.Object(name, policy.Node{Kind: policy.File}, policy.Read)
		if d.Verdict != policy.Deny || d.Virtual() != "" {
			return d, true
		}
	}
	return d, false
}

func (c *Call) otherName(verb, real string, d policy.Decision) error {
	return &Denial{
		Kind: PathAccessDenied, Asked: verb + " " + c.guard.policy.Virtual(real), Because: d.Because(),
		Reason: "the file has another name, and is not granted there",
	}
}

// alike tells whether a policy grants READ on every file of its mounts,
// whatever its name.
func alike(p *policy.Policy) bool {
	for _, m := range p.Mounts() {
		d := p.Object(placeOf(m), policy.Node{Kind: policy.Dir}, policy.Read)
		if d.Verdict != policy.Allow || !p.Uniform(placeOf(m)) {
			return false
		}
	}
	return len(p.Mounts()) > 0
}

// isDenial tells whether an error is a refusal by policy.
func isDenial(err error) bool {
	var d *Denial
	return errors.As(err, &d)
}
