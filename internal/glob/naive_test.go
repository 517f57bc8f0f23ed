package glob

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAgainstNaive(t *testing.T) {
	const seed, n = 40, 200_000
	rng := rand.New(rand.NewPCG(seed, 1))
	matched, below := 0, 0
	for range n {
		pattern, path := randomPattern(rng)
		if wrong := disagreement(pattern, path); wrong != "" {
			t.Errorf("seed %d: %s", seed, wrong)
		}
		g, err := Compile(pattern)
		if err != nil {
			continue
		}
		if g.Match(path) {
			matched++
			// What is below is a promise about what matches.
			for dir := strings.TrimRight(path, "/"); dir != ""; dir = dir[:strings.LastIndexByte(dir, '/')] {
				if !g.MayMatchBelow(dir) {
					t.Errorf("seed %d: %q matches %q but not below %q", seed, pattern, path, dir)
				}
				if !Overlap(g.Anchor(), dir) {
					t.Errorf("seed %d: %q matches %q but its anchor %q is apart from %q", seed, pattern, path, g.Anchor(), dir)
				}
				if !g.DeleteBlocked(dir) {
					t.Errorf("seed %d: %q matches %q, yet %q may be deleted", seed, pattern, path, dir)
				}
			}
			if !g.DeleteBlocked(path + "/x/y") {
				t.Errorf("seed %d: %q matches %q, yet what is below may be deleted", seed, pattern, path)
			}
		}
		if g.CoversTree(path) {
			below++
			for _, name := range []string{"", "/x", "/.env", "/a/b/.c/d"} {
				if !g.Match(strings.TrimRight(path, "/") + name + "/") {
					t.Errorf("seed %d: %q covers %q but doesn't match %q in it", seed, pattern, path, name)
				}
			}
		}
	}
	t.Logf("seed %d: %d pairs, %d matched, %d trees covered", seed, n, matched, below)
	if matched*10 < n || below*50 < n {
		t.Errorf("the mix is too thin: %d matched and %d trees covered of %d", matched, below, n)
	}
}

// disagreement says where the compiled pattern and the naive one differ, or "".
func disagreement(pattern, path string) string {
	if g, err := Compile(pattern); err == nil {
		texts, err := expand(pattern)
		if err != nil {
			return err.Error()
		}
		want := strings.HasPrefix(path, "/") && slices.ContainsFunc(texts, func(p string) bool { return naiveMatch(p, path, false) })
		if got := g.Match(path); got != want {
			return fmt.Sprintf("%q on %q: got %v, the naive matcher says %v", pattern, path, got, want)
		}
		if got := NewSet([]*Glob{g}).First(path) == 0; got != want {
			return fmt.Sprintf("%q on %q: got %v from a set, the naive matcher says %v", pattern, path, got, want)
		}
	}
	rel := strings.TrimLeft(path, "/")
	if in, err := CompileInclude(pattern); err == nil && rel != "" {
		texts, err := expand(pattern)
		if err != nil {
			return err.Error()
		}
		want := slices.ContainsFunc(texts, func(p string) bool {
			text := rel
			if len(splitPattern(p)) == 1 {
				text = rel[strings.LastIndexByte(rel, '/')+1:]
			}
			return len(naiveComponents(p)) > 0 && naiveMatch(p, text, true)
		})
		if got := in.Match(rel); got != want {
			return fmt.Sprintf("search %q on %q: got %v, the naive matcher says %v", pattern, rel, got, want)
		}
	}
	return ""
}

// TestPlantedFault shows that the comparison sees a matcher that gets one thing wrong.
func TestPlantedFault(t *testing.T) {
	const seed, n = 43, 20_000
	for name, change := range map[string]func(g *Glob){
		"** is *": func(g *Glob) {
			for _, a := range g.alts {
				for i := range a.parts {
					if a.parts[i].kind == partDirs {
						a.parts[i] = part{kind: partWild, ops: []op{{kind: opStar}}}
					}
				}
			}
		},
		"dots hide": func(g *Glob) {
			for i := range g.alts {
				g.alts[i].visible = true
			}
		},
		"a final slash counts for nothing": func(g *Glob) {
			for i := range g.alts {
				g.alts[i].dirOnly = false
			}
		},
		"negated classes are not": func(g *Glob) {
			for _, a := range g.alts {
				for _, p := range a.parts {
					for _, o := range p.ops {
						if o.set != nil {
							o.set.negated = false
						}
					}
				}
			}
		},
	} {
		rng := rand.New(rand.NewPCG(seed, 1))
		caught := 0
		for range n {
			pattern, path := randomPattern(rng)
			g, err := Compile(pattern)
			if err != nil {
				continue
			}
			change(g)
			if g.Match(path) != (strings.HasPrefix(path, "/") && naiveMatch(pattern, path, false)) {
				caught++
			}
		}
		t.Logf("seed %d: %s: caught %d times", seed, name, caught)
		if caught == 0 {
			t.Errorf("a matcher for which %s was not caught", name)
		}
	}
}

// TestSetAgainstScan compares a set with trying one glob after the other.
func TestSetAgainstScan(t *testing.T) {
	const seed, n = 41, 3_000
	rng := rand.New(rand.NewPCG(seed, 1))
	found := 0
	for range n {
		var globs []*Glob
		var paths []string
		for range 1 + rng.IntN(20) {
			pattern, path := randomPattern(rng)
			paths = append(paths, path, path+"//x")
			if g, err := Compile(pattern); err == nil {
				globs = append(globs, g)
			}
		}
		set := NewSet(globs)
		for i, path := range paths {
			names := []string{path, paths[(i+1)%len(paths)]}
			want := slices.IndexFunc(globs, func(g *Glob) bool { return g.Match(names[0]) || g.Match(names[1]) })
			if got := set.First(names...); got != want {
				t.Fatalf("seed %d: %v on %q: got %d, want %d", seed, globs, names, got, want)
			}
			if want >= 0 {
				found++
			}
		}
	}
	t.Logf("seed %d: %d sets, %d names found", seed, n, found)
}

func FuzzMatch(f *testing.F) {
	rng := rand.New(rand.NewPCG(42, 1))
	for range 50 {
		pattern, path := randomPattern(rng)
		f.Add(pattern, path)
	}
	f.Add("/{a,b}/[[:alpha:]]*", "/a/b")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 200 || len(path) > 200 || strings.Contains(pattern, "[:") || strings.Contains(pattern, "\x00") {
			return // the naive matcher is slow and knows no named classes
		}
		if wrong := disagreement(pattern, path); wrong != "" {
			t.Error(wrong)
		}
	})
}
