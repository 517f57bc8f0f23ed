package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// memoryCap is how many bytes a mount with backend memory may hold.
const memoryCap = 64 << 20

// opened are the backends of a policy, and where they were asked for.
type opened struct {
	backends map[string]backend.Backend // by slug
	paths    []string                   // of each entry, absolute; "" when not on disk
}

// mounts opens what the entries name. Every entry that cannot be opened is a
// problem at its place in the file.
func mounts(c *policy.SecurityContext, dir string) (*opened, error) {
	o := &opened{backends: map[string]backend.Backend{}, paths: make([]string, len(c.Paths))}
	var problems []policy.Problem
	for i := range c.Paths {
		e := &c.Paths[i]
		at := fmt.Sprintf("paths[%d]", i)
		switch {
		case e.OnDisk():
			path := e.Path
			if !filepath.IsAbs(path) {
				path = dir + "/" + path // not cleaned: a/.. is not nothing when a is a link
			}
			o.paths[i] = path
			tree, err := disk.Open(path)
			if err != nil {
				problems = append(problems, problem(c, at+".path", "%s: %q (in %s) %s", at+".path", e.Path, dir, openReason(err)))
				continue
			}
			o.backends[e.Slug] = tree
		case e.Backend == "memory":
			o.backends[e.Slug] = backend.NewMemory(memoryCap)
		default:
			problems = append(problems, problem(c, at+".backend", "%s: this version has no backend %q; write disk or memory", at+".backend", e.Backend))
		}
	}
	if c.UnrestrictedPaths && len(c.Paths) == 0 {
		// The name "" stands for the whole machine.
		tree, err := disk.Open("/")
		if err != nil {
			problems = append(problems, problem(c, "unrestricted_paths", "unrestricted_paths: %v", err))
		} else {
			o.backends[""] = tree
		}
	}
	if len(problems) > 0 {
		o.close()
		return nil, &policy.LoadError{Problems: problems}
	}
	return o, nil
}

func (o *opened) close() {
	for _, b := range o.backends {
		b.Close()
	}
}

// openReason says why an entry's path cannot be a mount, and what to do.
func openReason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is not there; make the folder, or mend the path"
	case errors.Is(err, fs.ErrPermission):
		return "may not be opened by the user that runs paddock"
	case errors.Is(err, backend.ErrSpecial):
		return "is neither a folder nor a regular file; a FIFO, socket or device cannot be a mount"
	default:
		return "cannot be opened: " + bare(err).Error()
	}
}

// problem is one thing that is wrong at the place of a value.
func problem(c *policy.SecurityContext, address, format string, args ...any) policy.Problem {
	at := c.Where(address)
	if at == (policy.Position{}) {
		at = c.Where(address[:len(address)-len(filepath.Ext(address))])
	}
	return policy.Problem{Position: at, Text: fmt.Sprintf(format, args...)}
}

// writableLinks refuses a mount whose path runs through a link that the policy
// lets the agent replace: the next start would open what the agent chose.
func writableLinks(c *policy.SecurityContext, o *opened, p *policy.Policy) error {
	var problems []policy.Problem
	for i, path := range o.paths {
		if path == "" {
			continue
		}
		links, _ := trail(path)
		for _, link := range links {
			if p.Rights(link, policy.Node{Kind: policy.Link})&(policy.Write|policy.Delete) == 0 {
				continue
			}
			at := fmt.Sprintf("paths[%d].path", i)
			problems = append(problems, problem(c, at, "%s: %q runs through the link %s, which the agent may replace; name the folder that it leads to", at, c.Paths[i].Path, link))
		}
	}
	if len(problems) > 0 {
		return &policy.LoadError{Problems: problems}
	}
	return nil
}
