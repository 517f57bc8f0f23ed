package paddock

import (
	"context"
	"sync"
	"time"

	"paddock/backend"
)

// linkIndex knows every name of the files that have several, in all mounts. A
// name is what a policy judges; a hard link gives a denied file another one.
type linkIndex struct {
	mounts *mounts

	mu    sync.Mutex
	built time.Time
	took  time.Duration // to build
	files map[backend.ID]linked
	whole bool // false: there were too many names to see all
}

// linked is a file with several names, as the last walk met it.
type linked struct {
	names []string
	links uint64
	// sought says that the walk was made for this file. Another walk can have
	// met one of its names before the others came, and passed over it.
	sought bool
}

// Bounds of the index. One that could not see all names is tried again after
// linkRest. For a file of which some names lie outside every mount the walk is
// made again after linkAge, and after linkShare times as long as it took: in
// that time an outside name that somebody moves to where READ is denied goes
// unnoticed.
const (
	maxLinkWalk = 500_000
	linkAge     = time.Second
	linkShare   = 20
	linkRest    = time.Minute
	longName    = 256 // bytes; a longer name counts for several
)

var errManyNames = &toldError{text: "the file has several names, and there are too many files here to know them all"}

// of finds the names of an object that has several. Names that are as many as
// the object has are all there are; they are looked at each time.
func (x *linkIndex) of(ctx context.Context, i backend.Info) ([]string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.whole && !x.built.IsZero() && time.Since(x.built) < linkRest {
		return nil, errManyNames
	}
	known := x.files[i.ID]
	names := x.current(ctx, known.names, i.ID)
	old := time.Since(x.built) > max(linkAge, linkShare*x.took)
	if uint64(len(names)) < i.Links && (old || !known.sought || known.links != i.Links) {
		if err := x.build(ctx, i); err != nil {
			return nil, err
		}
		// A name that moved during the walk can be in it twice.
		names = x.current(ctx, x.files[i.ID].names, i.ID)
	}
	if !x.whole {
		return nil, errManyNames
	}
	return names, nil
}

// current keeps the names that still mean the object.
func (x *linkIndex) current(ctx context.Context, names []string, id backend.ID) []string {
	var still []string
	for _, real := range names {
		b, name, err := x.mounts.find(real)
		if err != nil {
			continue
		}
		if i, err := b.Stat(ctx, name); err == nil && i.ID == id {
			still = append(still, real)
		}
	}
	return still
}

// build walks all mounts for the names of every file that has several, and of
// the one that is wanted. It walks a second time for those of which it did not
// find all: the walk can have met one of their names when it was the only one.
func (x *linkIndex) build(ctx context.Context, wanted backend.Info) error {
	begun := time.Now()
	first, err := x.walk(ctx, map[backend.ID]linked{wanted.ID: {links: wanted.Links, sought: true}})
	if err != nil {
		return err
	}
	again := map[backend.ID]linked{}
	for id, f := range first.files {
		if !f.sought && uint64(len(f.names)) < f.links {
			again[id] = linked{links: f.links, sought: true}
		}
	}
	if len(again) > 0 && first.left > 0 {
		second, err := x.walk(ctx, again)
		if err != nil {
			return err
		}
		for id := range again {
			first.files[id] = second.files[id]
		}
		first.left = second.left
	}
	x.files, x.built, x.took, x.whole = first.files, time.Now(), time.Since(begun), first.left > 0
	return nil
}

// walk looks for all names of the sought files and of those that have several.
func (x *linkIndex) walk(ctx context.Context, sought map[backend.ID]linked) (*linkScan, error) {
	s := &linkScan{mounts: x.mounts, files: sought, left: maxLinkWalk}
	for real, b := range x.mounts.at {
		if x.mounts.files[real] {
			if i, err := b.Stat(ctx, "."); err == nil {
				s.add(real, i)
			}
		} else if err := s.folder(ctx, b, real, "."); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// linkScan is one walk of the index.
type linkScan struct {
	mounts *mounts
	files  map[backend.ID]linked
	left   int
}

// folder adds what a folder holds. What cannot be read is passed over: its
// names are not known, and a write that needs all of them is refused.
func (s *linkScan) folder(ctx context.Context, b backend.Backend, real, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := b.ReadDir(ctx, name)
	if err != nil {
		return nil // said above
	}
	for i := range entries {
		e := &entries[i]
		if s.left--; s.left <= 0 {
			return nil
		}
		below, inside := join(real, e.Name), e.Name
		if name != "." {
			inside = name + "/" + e.Name
		}
		switch {
		case s.mounts.at[below] != nil: // it has a walk of its own
		case e.Kind == backend.Dir:
			if err := s.folder(ctx, b, below, inside); err != nil {
				return err
			}
		case e.Kind == backend.File:
			s.add(below, e.Info)
		}
	}
	return nil
}

func (s *linkScan) add(real string, i backend.Info) {
	f, known := s.files[i.ID]
	if i.Links <= 1 && !known {
		return
	}
	f.names, f.links = append(f.names, real), max(f.links, i.Links)
	s.files[i.ID] = f
	s.left -= len(real) / longName
}
