package paddock_test

import (
	"context"
	"strings"
	"testing"

	"paddock"
)

// No path, however it is written, leads to what is outside or denied, and what
// a path is printed as leads back to the same object.
func FuzzPath(f *testing.F) {
	for _, p := range append([]string{"a.txt", "/ref/r", "d//b", "./d/./b", "d/../a.txt", "../ws/a.txt", "/..", "....//x", `f\xff`, `\x5cx`, "in/nosuch", "to-out/o", "~root", "a.txt\n", "/root/root", "ws"}, hiddenPaths...) {
		f.Add(p)
	}
	base := tempDir(f)
	for name, text := range map[string]string{
		"ws/a.txt": "fine", "ws/d/b": "fine", "ws/f\xff": "fine", `ws/\xff`: "fine", "ref/r": "fine", "out/o": canary, "ws/x.env": canary, "ws/private/p.txt": canary, "ws/shut/s.txt": canary, "paddock": canary,
	} {
		put(f, base+"/"+name, text)
	}
	for name, target := range map[string]string{"to-env": "x.env", "to-private": "private", "to-out": "../out", "to-d": "d", "to-top": "/", "loop": "loop"} {
		link(f, target, base+"/ws/"+name)
	}
	g := guardAt(f, base, hiddenPolicy, paddock.Options{})
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, path string) {
		c := g.Begin("fuzz", nil)
		defer c.End(nil)
		text, err := read(t, g, path)
		if strings.Contains(text, canary) {
			t.Fatalf("%q: read %q", path, text)
		}
		if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), path, ""), base) {
			t.Errorf("%q: the error names the host: %v", path, err)
		}
		i, err := c.Stat(ctx, path)
		if err != nil {
			return
		}
		if back, err := c.Stat(ctx, i.Path); err != nil || back != i {
			t.Errorf("%q: %+v comes back as %+v, %v", path, i, back, err)
		}
		all, err := c.List(ctx, path)
		for _, e := range all {
			if e.Name == "x.env" || e.Name == "private" || e.Name == "shut" || e.Name == "o" {
				t.Errorf("%q: lists %s", path, e.Name)
			}
		}
		if err == nil && i.Kind != paddock.KindDir {
			t.Errorf("%q: a file was listed", path)
		}
	})
}
