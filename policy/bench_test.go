package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"paddock/policy"
)

// known answers at once, as a compiled policy is asked about objects whose
// place is known: no tree is walked.
type known struct{}

func (known) Look(string) (policy.Node, error) { return policy.Node{Kind: policy.File}, nil }
func (known) Plain(string) (policy.Node, bool) { return policy.Node{Kind: policy.File}, true }

func compileBench(b *testing.B, c *policy.SecurityContext) *policy.Policy {
	b.Helper()
	places := make([]policy.Place, len(c.Paths))
	for i := range c.Paths {
		places[i] = policy.Place{Real: c.Paths[i].Path}
	}
	p, err := policy.Compile(c, policy.Facts{Places: places})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// benchContext is a small policy to which one list of n is added.
func benchContext(what string, n int) *policy.SecurityContext {
	all := policy.All
	c := &policy.SecurityContext{Permissions: &all, Paths: []policy.PathEntry{{Slug: "root", Path: "/home/me/project", AllowedPermission: &all}}}
	for i := range n {
		switch what {
		case "entries":
			c.Paths = append(c.Paths, policy.PathEntry{Slug: fmt.Sprintf("m%d", i), Path: fmt.Sprintf("/home/me/project/packages/p%d", i), AllowedPermission: &all})
		case "patterns":
			// As people write them, one in ten with a wildcard in the middle.
			c.DeniedPathRegex = append(c.DeniedPathRegex, []string{"*.ext%d", "/dir%d/", "name%d.txt", "/a/b/c%d/**", "**/deep%d", "pre%d-*", "/x/y%d", "*.%d.log", "secret%d", "a*b%d*c"}[i%10])
			c.DeniedPathRegex[i] = fmt.Sprintf(c.DeniedPathRegex[i], i)
		case "rules":
			c.Rules = append(c.Rules, policy.Rule{Operations: []policy.Operation{policy.OpRead, policy.OpWrite}, Mode: policy.ModeDeny, Paths: []string{fmt.Sprintf([]string{"/dir%d/**", "/**/*.ext%d", "/a/b%d", "/**/name%d"}[i%4], i)}})
		}
	}
	return c
}

// Budget: 1 us and no allocation on allow; a list of 10,000 at most 50 us.
func BenchmarkDecision(b *testing.B) {
	for _, what := range []string{"entries", "patterns", "rules"} {
		for _, n := range []int{10, 100, 1000, 10000} {
			p := compileBench(b, benchContext(what, n))
			real := "/home/me/project/packages/p7/src/main.go"
			node := policy.Node{Kind: policy.File}
			b.Run(fmt.Sprintf("%s/%d", what, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if d := p.Object(real, node, policy.Read); d.Verdict != policy.Allow {
						b.Fatal(d.Because())
					}
				}
			})
		}
	}
}

// A typed path, resolved by a tree that answers at once.
func BenchmarkDecide(b *testing.B) {
	p := compileBench(b, benchContext("patterns", 10))
	for _, path := range []string{"/src/main.go", "src/main.go", "/root/src/main.go", "/home/me/project/src/main.go"} {
		b.Run(strings.ReplaceAll(path, "/", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d, err := p.Decide(policy.Request{Path: path, Perm: policy.Write}, known{})
				if err != nil || d.Verdict != policy.Allow {
					b.Fatal(d.Because(), err)
				}
			}
		})
	}
}

// Budget: 10,000 patterns load within 200 ms.
func BenchmarkCompile(b *testing.B) {
	for _, what := range []string{"entries", "patterns", "rules"} {
		b.Run(what+"/10000", func(b *testing.B) {
			c := benchContext(what, 10000)
			for b.Loop() {
				compileBench(b, c)
			}
		})
	}
}

// No decision that allows costs an allocation.
func TestAllowAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates by itself: the plain run counts")
	}
	for _, what := range []string{"entries", "patterns", "rules"} {
		var b testing.B
		p := compileBench(&b, benchContext(what, 100))
		if n := testing.AllocsPerRun(100, func() {
			if p.Object("/home/me/project/packages/p7/src/main.go", policy.Node{Kind: policy.File}, policy.Write).Verdict != policy.Allow {
				t.Error("not allowed")
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}
