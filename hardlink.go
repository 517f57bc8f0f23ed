package paddock

import (
	"context"
	"errors"
	"sync"
	"time"

	"paddock/backend"
	"paddock/policy"
)

// linkIndex knows every name of the files that have several, in all mounts. A
// name is what a policy judges; a hard link gives a denied file another one.
type linkIndex struct {
	mounts *mounts

	mu    sync.Mutex
	built time.Time
	names map[backend.ID][]string
	whole bool // false: there were too many names to see all
}

// Bounds of the index. An index younger than linkAge is taken as current for a
// file that it knows; one that it does not know is always looked for anew.
const (
	maxLinkWalk = 500_000
	linkAge     = time.Second
)

var errManyNames = &toldError{text: "the file has several names, and there are too many files here to know them all"}

// of finds the names of an object that has several.
func (x *linkIndex) of(ctx context.Context, i backend.Info) ([]string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	names := x.names[i.ID]
	if names == nil || uint64(len(names)) < i.Links && time.Since(x.built) > linkAge {
		if err := x.build(ctx); err != nil {
			return nil, err
		}
		names = x.names[i.ID]
	}
	if !x.whole {
		return nil, errManyNames
	}
	return names, nil
}

func (x *linkIndex) build(ctx context.Context) error {
	names, left := map[backend.ID][]string{}, maxLinkWalk
	for real, b := range x.mounts.at {
		if x.mounts.files[real] {
			if i, err := b.Stat(ctx, "."); err == nil && i.Links > 1 {
				names[i.ID] = appendNew(names[i.ID], real)
			}
			continue
		}
		if err := x.scan(ctx, b, real, ".", names, &left); err != nil {
			return err
		}
	}
	x.names, x.built, x.whole = names, time.Now(), left > 0
	return nil
}

// scan adds what a folder holds. What cannot be read is passed over: its names
// are not known, and a write that needs all of them is refused.
func (x *linkIndex) scan(ctx context.Context, b backend.Backend, real, name string, names map[backend.ID][]string, left *int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := b.ReadDir(ctx, name)
	if err != nil {
		return nil //nolint:nilerr // said above
	}
	for i := range entries {
		e := &entries[i]
		if *left--; *left <= 0 {
			return nil
		}
		below, inside := join(real, e.Name), e.Name
		if name != "." {
			inside = name + "/" + e.Name
		}
		switch {
		case e.Kind == backend.Dir && x.mounts.at[below] == nil:
			if err := x.scan(ctx, b, below, inside, names, left); err != nil {
				return err
			}
		case e.Kind == backend.File && e.Links > 1:
			names[e.ID] = appendNew(names[e.ID], below)
		}
	}
	return nil
}

func appendNew(list []string, name string) []string {
	for _, known := range list {
		if known == name {
			return list
		}
	}
	return append(list, name)
}

// hardRead refuses to read a file that the policy denies under another of its
// names: a hard link must not open what a pattern shuts.
func (c *Call) hardRead(ctx context.Context, real string, i backend.Info) error {
	if i.Links <= 1 || i.Kind != backend.File || i.ID == (backend.ID{}) {
		return nil
	}
	names, err := c.guard.links.of(ctx, i)
	if err != nil {
		return err
	}
	for _, name := range names {
		d := c.guard.policy.Object(name, policy.Node{Kind: policy.File}, policy.Read)
		if d.Verdict == policy.Deny || d.Verdict == policy.Ask && !c.hasAgreed(name, policy.Read) && c.verdict(real, policy.Read) == policy.Allow {
			return c.otherName("read", real, d)
		}
	}
	return nil
}

// hardWrite refuses to write a file that has a name where WRITE is not
// granted, or a name that is not known: one outside every mount.
func (c *Call) hardWrite(ctx context.Context, real string, i backend.Info) error {
	if i.Links <= 1 || i.Kind != backend.File || i.ID == (backend.ID{}) {
		return nil
	}
	names, err := c.guard.links.of(ctx, i)
	if err != nil {
		return err
	}
	if uint64(len(names)) < i.Links {
		d := c.guard.policy.Object(real, policy.Node{Kind: policy.File}, policy.Write)
		return c.otherName("write", real, d)
	}
	for _, name := range names {
		if d := c.guard.policy.Object(name, policy.Node{Kind: policy.File}, policy.Write); d.Verdict < c.verdict(real, policy.Write) {
			return c.otherName("write", real, d)
		}
	}
	return nil
}

func (c *Call) verdict(real string, perm policy.Permission) policy.Verdict {
	return c.guard.policy.Object(real, policy.Node{Kind: policy.File}, perm).Verdict
}

func (c *Call) otherName(verb, real string, d policy.Decision) error {
	return &Denial{
		Kind: PathAccessDenied, Asked: verb + " " + c.guard.policy.Virtual(real), Because: d.Because(),
		Reason: "the file has another name, and is not granted there",
	}
}

// isDenial tells whether an error is a refusal by policy.
func isDenial(err error) bool {
	var d *Denial
	return errors.As(err, &d)
}
