package policy_test

import (
	"path"
	"sort"
	"strings"
	"testing"

	"paddock/policy"
)

// tree is an imagined file system. It holds its caller to the Resolver's
// contract: a name is asked for by a clean path of which no folder is a link.
type tree struct {
	t     testing.TB
	nodes map[string]policy.Node
	// slow makes Plain never answer, so that each path is walked.
	slow bool
}

func newTree(t testing.TB) *tree {
	return &tree{t: t, nodes: map[string]policy.Node{"/": {Kind: policy.Dir}}}
}

// add puts a node at a path and folders above it.
func (f *tree) add(name string, n policy.Node) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if _, there := f.nodes[dir]; !there {
			f.nodes[dir] = policy.Node{Kind: policy.Dir}
		}
		if dir == "/" {
			break
		}
	}
	if _, there := f.nodes[name]; !there || n.Kind != policy.Dir {
		f.nodes[name] = n
	}
}

func (f *tree) Look(real string) (policy.Node, error) {
	if real != path.Clean(real) || !strings.HasPrefix(real, "/") {
		f.t.Errorf("the tree was asked for %q, which is no clean path", real)
	}
	for dir := path.Dir(real); dir != "/"; dir = path.Dir(dir) {
		if f.nodes[dir].Kind != policy.Dir {
			f.t.Errorf("the tree was asked for %q and %q is no folder", real, dir)
		}
	}
	return f.nodes[real], nil
}

func (f *tree) Plain(real string) (policy.Node, bool) {
	if f.slow {
		return policy.Node{}, false
	}
	for dir := real; dir != "/"; dir = path.Dir(dir) {
		n := f.nodes[dir]
		if n.Kind == policy.Link || dir != real && n.Kind != policy.Dir {
			return policy.Node{}, false
		}
	}
	return f.nodes[real], true
}

// resolve follows the links in a path, as the caller of Compile does for the
// places of entries. What is not there is made a folder.
func (f *tree) resolve(name string) (real string, file bool) {
	real = "/"
	pending := strings.Split(name, "/")
	for n := 0; len(pending) > 0; n++ {
		if n > 1000 {
			f.t.Fatalf("%s is a loop", name)
		}
		part := pending[0]
		pending = pending[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			real = path.Dir(real)
			continue
		}
		next := path.Join(real, part)
		node := f.nodes[next]
		switch node.Kind {
		case policy.Link:
			if strings.HasPrefix(node.Target, "/") {
				real = "/"
			}
			pending = append(strings.Split(node.Target, "/"), pending...)
			continue
		case policy.Missing:
			f.add(next, policy.Node{Kind: policy.Dir})
		}
		real = next
	}
	return real, f.nodes[real].Kind == policy.File
}

// children lists the real paths directly below a folder, sorted.
func (f *tree) children(dir string) []string {
	var all []string
	for name := range f.nodes {
		if name != "/" && path.Dir(name) == dir {
			all = append(all, name)
		}
	}
	sort.Strings(all)
	return all
}
