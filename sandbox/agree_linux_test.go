//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"paddock/policy"
	"paddock/sandbox"
)

// The claim: for the same object and the same operation the kernel says what
// the policy says, and afterwards the tree is what it would be had the allowed
// operations been done without a sandbox and the others not at all.

// shapes are the sets of rights that mounts and Landlock hold exactly.
var shapes = []policy.Permission{
	policy.Read, policy.Read | policy.Execute, policy.Read | policy.Write, policy.Read | policy.Write | policy.Execute,
	policy.Read | policy.Write | policy.Delete, policy.All, policy.None,
}

// agreement is one random policy on one random tree, and its copy.
type agreement struct {
	t          *testing.T
	rng        *rand.Rand
	tree, twin string
	rights     map[string]policy.Permission // of the entries
	p          *policy.Policy
	mounts     []string // every place where a mount is, pins too
}

func newAgreement(t *testing.T, rng *rand.Rand) *agreement {
	t.Helper()
	base := t.TempDir()
	a := &agreement{t: t, rng: rng, tree: base + "/tree", twin: base + "/twin", rights: map[string]policy.Permission{}}
	shape := func() policy.Permission { return shapes[rng.IntN(len(shapes))] }
	for _, top := range []string{"/one", "/two", "/three"} {
		a.rights[top] = shape()
		// An entry inside may only be wider.
		if inner := shape(); rng.IntN(2) == 0 && inner&^a.rights[top] != 0 && a.rights[top]&^inner == 0 {
			a.rights[top+"/d/in"] = inner
			a.mounts = append(a.mounts, top+"/d", top+"/d/in")
		}
		a.mounts = append(a.mounts, top)
	}
	a.rights["/tools"] = policy.Read | policy.Execute
	for _, root := range []string{a.tree, a.twin} {
		a.grow(root)
	}
	a.p = a.compile(a.rights)
	return a
}

// grow makes the files, the same in both trees.
func (a *agreement) grow(root string) {
	a.t.Helper()
	for _, top := range []string{"/one", "/two", "/three", "/outside"} {
		for _, dir := range []string{"", "/d", "/d/in", "/e"} {
			if err := os.MkdirAll(root+top+dir, 0o755); err != nil {
				a.t.Fatal(err)
			}
			for _, file := range []string{"/a", "/b"} {
				if err := os.WriteFile(root+top+dir+file, []byte("content of "+file), 0o644); err != nil {
					a.t.Fatal(err)
				}
			}
			if err := copyFile("/bin/true", root+top+dir+"/bin"); err != nil {
				a.t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(root+"/tools", 0o755); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agreement) compile(rights map[string]policy.Permission) *policy.Policy {
	a.t.Helper()
	c := &policy.SecurityContext{Permissions: perm(policy.None)}
	f := policy.Facts{}
	for _, place := range []string{"/one", "/one/d/in", "/two", "/two/d/in", "/three", "/three/d/in", "/tools"} {
		set, there := rights[place]
		if !there {
			continue
		}
		slug := strings.ReplaceAll(strings.Trim(place, "/"), "/", "-")
		if place == "/one" {
			slug = policy.RootSlug
		}
		c.Paths = append(c.Paths, policy.PathEntry{Slug: slug, Path: a.tree + place, AllowedPermission: perm(set)})
		f.Places = append(f.Places, policy.Place{Real: a.tree + place})
	}
	p, err := policy.Compile(c, f)
	if err != nil {
		a.t.Fatal(err)
	}
	return p
}

// operation draws one at random.
func (a *agreement) operation() operation {
	o := operation{Kind: kinds[a.rng.IntN(len(kinds))], Path: a.place(), Mode: []uint32{0o644, 0o755, 0o700}[a.rng.IntN(3)]}
	for o.To = a.place(); o.To == o.Path; o.To = a.place() {
	}
	if a.rng.IntN(2) == 0 { // mostly within one folder
		o.To = filepath.Dir(o.Path) + "/" + []string{"a", "b", "c", "x"}[a.rng.IntN(4)]
		if o.To == o.Path {
			o.To += "2"
		}
	}
	return o
}

func (a *agreement) place() string {
	top := []string{"/one", "/two", "/three", "/one", "/two", "/three", "/outside"}[a.rng.IntN(7)]
	dir := []string{"", "/d", "/d/in", "/e"}[a.rng.IntN(4)]
	return a.tree + top + dir + []string{"", "/a", "/b", "/c", "/bin", "/x"}[a.rng.IntN(6)]
}

// allowed is what the policy says, by the table of operations. The object is
// looked up in the copy, which is as the tree would be.
func (a *agreement) allowed(o operation) bool {
	at := under(a.tree, a.twin)
	may := func(path string, acts ...policy.Act) bool {
		node := policy.Node{Kind: policy.Missing}
		if info, err := os.Lstat(at(path)); err == nil {
			if node.Kind = policy.File; info.IsDir() {
				node.Kind = policy.Dir
			} else if info.Mode()&fs.ModeSymlink != 0 {
				node.Kind = policy.Link
			}
		}
		for _, act := range acts {
			if act == policy.ActStat {
				return a.p.Visible(path, node)
			}
			if d := a.p.Object(path, node, policy.Needs(act)); d.Verdict != policy.Allow {
				return false
			}
		}
		return true
	}
	_, err := os.Lstat(at(o.To))
	switch o.Kind {
	case "read":
		return may(o.Path, policy.ActOpenRead)
	case "list":
		return may(o.Path, policy.ActList)
	case "write", "append":
		return may(o.Path, policy.ActOpenWrite)
	case "truncate":
		return may(o.Path, policy.ActTruncate)
	case "create":
		return may(o.Path, policy.ActCreate)
	case "delete":
		return may(o.Path, policy.ActUnlink) && !a.p.HoldsMount(o.Path)
	case "rename":
		return may(o.Path, policy.ActRenameFrom) && may(o.To, policy.ActRenameTo) && (err != nil || may(o.To, policy.ActReplaced)) &&
			!a.p.HoldsMount(o.Path) && !a.p.HoldsMount(o.To)
	case "link":
		return may(o.Path, policy.ActOpenRead, policy.ActOpenWrite) && may(o.To, policy.ActLinkTarget)
	case "symlink":
		return may(o.Path, policy.ActSymlink)
	case "mkdir":
		return may(o.Path, policy.ActMkdir)
	case "rmdir":
		return may(o.Path, policy.ActRmdir) && !a.p.HoldsMount(o.Path)
	case "chmod":
		return may(o.Path, policy.ActChmod)
	case "exec":
		return may(o.Path, policy.ActExec)
	default:
		return may(o.Path, policy.ActStat)
	}
}

// apart tells whether two places lie in different mounts: there the kernel
// answers EXDEV to what the policy allows, and programs copy.
func (a *agreement) apart(o operation) bool {
	of := func(path string) string {
		best := ""
		for _, m := range a.mounts {
			if p := a.tree + m; (path == p || strings.HasPrefix(path, p+"/")) && len(p) > len(best) {
				best = p
			}
		}
		return best
	}
	return (o.Kind == "rename" || o.Kind == "link") && of(o.Path) != of(o.To)
}

// run does the operations in a sandbox made for a policy.
func (a *agreement) run(p *policy.Policy, ops []operation) []int {
	a.t.Helper()
	if err := copyFile("/proc/self/exe", a.tree+"/tools/self"); err != nil {
		a.t.Fatal(err)
	}
	in, err := json.Marshal(ops)
	if err != nil {
		a.t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	plan := sandbox.NewPlan(p, sandbox.Look(), policy.Own{})
	process, err := plan.Start(context.Background(), sandbox.Command{
		Argv: []string{a.tree + "/tools/self", "operations"}, Stdin: bytes.NewReader(in), Stdout: &out, Stderr: &complaints,
	})
	if err != nil {
		a.t.Fatal(err)
	}
	if r, err := process.Wait(); err != nil || r.ExitCode != 0 {
		a.t.Fatalf("%+v, %v: %s", r, err, &complaints)
	}
	var results []int
	if err := json.Unmarshal(out.Bytes(), &results); err != nil || len(results) != len(ops) {
		a.t.Fatalf("%v: %s", err, &out)
	}
	return results
}

// compare does the operations inside a sandbox made for a policy, and on the
// copy where the model allows them, and tells the first disagreement.
func (a *agreement) compare(p *policy.Policy, ops []operation, count func(o operation, allowed bool)) string {
	results := a.run(p, ops)
	at := under(a.tree, a.twin)
	for i, o := range ops {
		inside, allowed := unix.Errno(results[i]), a.allowed(o)
		count(o, allowed)
		switch {
		case !allowed:
			if inside == 0 {
				return fmt.Sprintf("operation %d, %+v: the policy denies it, the kernel did it", i, o)
			}
		case a.apart(o):
			if inside == 0 {
				return fmt.Sprintf("operation %d, %+v: it went from one mount into another", i, o)
			}
		default:
			if outside := o.perform(at); inside != outside {
				return fmt.Sprintf("operation %d, %+v: the policy allows it; inside it gave %q, outside %q", i, o, inside, outside)
			}
		}
	}
	os.Remove(a.tree + "/tools/self")
	if inside, outside := describe(a.tree), describe(a.twin); inside != outside {
		return "the trees differ at the end:\n" + inside + "and\n" + outside
	}
	return ""
}

// describe writes a tree down: names, modes, contents and where links lead.
func describe(root string) string {
	var b strings.Builder
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, root)
		info, infoErr := os.Lstat(path)
		if err != nil || infoErr != nil {
			fmt.Fprintln(&b, name, err, infoErr)
			return nil
		}
		link, _ := os.Readlink(path)
		content := ""
		if info.Mode().IsRegular() {
			bytes, err := os.ReadFile(path)
			content = fmt.Sprintf("%.40q %d %v", bytes, len(bytes), err)
		}
		fmt.Fprintln(&b, name, info.Mode(), link, content)
		return nil
	})
	return b.String()
}
