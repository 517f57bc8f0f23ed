package paddock_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"paddock"
	"paddock/policy"
)

// list compares a listing. Beside the children of a folder, the top shows the
// mounts, which the rows leave out. Of a folder that is only passed through the
// rows tell what is visible in it, and no tool lists it.
func (r *diskRow) list(ctx context.Context, text string, whole bool) {
	c := r.g.Begin("ls", nil)
	dir := text
	if !whole {
		dir = "/" + strings.TrimLeft(filepath.Dir(text), "/")
	}
	infos, err := c.List(ctx, dir)
	c.End(err)
	names := []string{}
	for _, info := range infos {
		names = append(names, info.Name)
	}
	if whole {
		names = slices.DeleteFunc(names, func(name string) bool { return r.isMount(name) && !slices.Contains(r.want.Names, name) })
		slices.Sort(names)
		if e, explainErr := r.g.Explain(ctx, policy.Read, dir); explainErr == nil && e.Verdict == policy.Deny {
			if len(names) > 0 {
				r.t.Errorf("%q are listed and reading is denied", names)
			}
			return
		}
		if err != nil && len(r.want.Names) > 0 || !slices.Equal(names, r.want.Names) && err == nil {
			r.t.Errorf("%q are listed, %v; want %q", names, err, r.want.Names)
		}
		return
	}
	if got := slices.Contains(names, filepath.Base(text)); got != *r.want.Yes {
		r.t.Errorf("%s is listed: %v, %v", text, got, err)
	}
}

func (r *diskRow) isMount(name string) bool {
	return slices.ContainsFunc(r.g.Policy().Mounts(), func(m policy.Mount) bool { return m.Slug == name })
}

// walk tells whether walking a folder has to ask. Nobody answers here, so that
// what needs approval is refused.
func (r *diskRow) walk(ctx context.Context, text string) {
	c := r.g.Begin("grep", nil)
	err := c.Walk(ctx, text, paddock.WalkOptions{}, func(v *paddock.Visit) error { return nil })
	c.End(err)
	if got := errors.Is(err, policy.ApprovalDenied); got != *r.want.Yes {
		r.t.Errorf("it asks: %v, %v", got, err)
	}
}
