package wire

import (
	"fmt"
	"os"
	"path/filepath"

	"paddock/policy"
)

// Warnings are what can be told only with the real folders at hand: see
// policy.SecurityContext.Warnings for the others.
func (setup *Setup) Warnings() []policy.Problem {
	c, mounts := setup.Context, setup.Guard.Policy().Mounts()
	var out []policy.Problem
	first := map[string]policy.Mount{}
	root := ""
	for _, m := range mounts {
		if m.Slug == policy.RootSlug && !m.File {
			root = m.Real
		}
		if m.Slug == policy.RootSlug && m.File {
			at := fmt.Sprintf("paths[%d].path", m.Index)
			out = append(out, problem(c, at, "%s: the root mount is a single file: the agent names it /root, and / holds nothing", at))
		}
		if m.Real == "" {
			continue
		}
		if before, twice := first[m.Real]; twice {
			at := fmt.Sprintf("paths[%d]", m.Index)
			out = append(out, problem(c, at+".path", "%s: the mounts %s and %s are one place; what both allow is allowed, and what either restricts is restricted", at, before.Slug, m.Slug))
			continue
		}
		first[m.Real] = m
	}
	if root == "" {
		return out
	}
	for _, m := range mounts {
		child := filepath.Join(root, m.Slug)
		if m.Slug == policy.RootSlug || child == m.Real {
			continue
		}
		if _, err := os.Lstat(child); err == nil {
			at := fmt.Sprintf("paths[%d].slug", m.Index)
			out = append(out, problem(c, at, "%s: the root mount has something named %s too: /%s means this mount, and the other is /root/%s", at, m.Slug, m.Slug, m.Slug))
		}
	}
	return out
}
