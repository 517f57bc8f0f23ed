package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paddock"
)

// described is the part of an answer that info has.
type described struct {
	Kind       string  `json:"kind,omitempty"`
	Size       *int64  `json:"size,omitempty"`
	Modified   string  `json:"modified,omitempty"`
	Mode       string  `json:"mode,omitempty"`
	Names      *uint64 `json:"names,omitempty"`
	Target     string  `json:"target,omitempty"`
	TargetKind string  `json:"target_kind,omitempty"`
}

// describedOf tells what may be known of an object.
func describedOf(info paddock.Info) described {
	d := described{Kind: kindName(info.Kind), Mode: fmt.Sprintf("%04o", info.Mode.Perm())}
	if info.Kind == paddock.KindFile {
		d.Size = &info.Size
		if info.Links > 0 {
			d.Names = &info.Links
		}
	}
	if !info.ModTime.IsZero() {
		d.Modified = info.ModTime.UTC().Format(time.RFC3339)
	}
	if info.Target != "" {
		d.Target = Spell(info.Target)
	}
	return d
}

func (d *described) text(path string) string {
	parts := []string{path + ": " + d.Kind}
	if d.Target != "" {
		parts[0] += " to " + d.Target
	}
	if d.TargetKind != "" {
		parts[0] += " (a " + d.TargetKind + ")"
	}
	if d.Size != nil {
		parts = append(parts, fmt.Sprintf("%d bytes", *d.Size))
	}
	if d.Names != nil && *d.Names > 1 {
		parts = append(parts, fmt.Sprintf("%d names", *d.Names))
	}
	parts = append(parts, "mode "+d.Mode)
	if d.Modified != "" {
		parts = append(parts, "modified "+d.Modified)
	}
	return strings.Join(parts, ", ")
}

// look describes an object: a link as itself, with what it leads to where that
// may be known.
func look(ctx context.Context, c *paddock.Call, path string) (paddock.Info, described, error) {
	info, err := c.Lstat(ctx, path)
	if err != nil {
		return info, described{}, err
	}
	d := describedOf(info)
	if info.Kind == paddock.KindLink && info.Target != "" {
		if there, err := c.Stat(ctx, path); err == nil {
			d.TargetKind = kindName(there.Kind)
		}
	}
	return info, d, nil
}

func fileInfo(ctx context.Context, c *paddock.Call, path string) (Result, error) {
	info, d, err := look(ctx, c, path)
	if err != nil {
		return Result{}, err
	}
	out := fileAnswer{Operation: "info", Path: Spell(info.Path), described: d}
	return Result{Text: d.text(out.Path), Structured: out}, nil
}
