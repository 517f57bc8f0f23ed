package profile_test

import (
	"slices"
	"strings"
	"testing"

	"paddock/internal/profile"
	"paddock/policy"
)

// tree is a folder at /work: names that end in a slash are folders.
type tree []string

func (t tree) Look(real string) (policy.Node, error) {
	name := strings.TrimPrefix(strings.TrimPrefix(real, "/work"), "/")
	switch {
	case name == "" || slices.Contains(t, name+"/"):
		return policy.Node{Kind: policy.Dir}, nil
	case slices.Contains(t, name):
		return policy.Node{Kind: policy.File}, nil
	}
	return policy.Node{}, nil
}

func (t tree) Plain(real string) (policy.Node, bool) {
	n, err := t.Look(real)
	return n, err == nil && n.Kind != policy.Missing
}

var work = tree{
	"main.go", ".env", ".env.example", "deploy.pem", ".git/", ".git/config", ".git/HEAD", ".git/hooks/", ".github/", ".github/workflows/",
	".github/workflows/ci.yml", "data.csv", "results/", "results/a.csv", ".ssh/", ".ssh/id_rsa",
}

func load(t *testing.T, name string) *policy.Policy {
	t.Helper()
	text, err := profile.Text(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := policy.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	if w := c.Warnings(); len(w) > 0 {
		t.Errorf("a starting policy warns: %v", w)
	}
	if c.Name != name {
		t.Errorf("its name is %q", c.Name)
	}
	places := make([]policy.Place, len(c.Paths))
	for i, e := range c.Paths {
		if e.OnDisk() {
			places[i].Real = "/work"
		}
	}
	p, err := policy.Compile(c, policy.Facts{Places: places})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProfilesDoWhatTheirCommentsSay asks each for what it promises.
func TestProfilesDoWhatTheirCommentsSay(t *testing.T) {
	for _, x := range []struct{ profile, asks, want string }{
		{"coding", "read main.go", "allow"},
		{"coding", "write main.go", "allow"},
		{"coding", "delete main.go", "allow"},
		{"coding", "write new.go", "allow"},
		{"coding", "read .env", "deny"},
		{"coding", "write .env.local", "deny"},
		{"coding", "read .env.example", "allow"},
		{"coding", "read deploy.pem", "deny"},
		{"coding", "read .ssh/id_rsa", "deny"},
		{"coding", "read .git/config", "allow"},
		{"coding", "write .git/config", "deny"},
		{"coding", "write .git/hooks/pre-commit", "deny"},
		{"coding", "write .git/HEAD", "allow"},
		{"coding", "write .github/workflows/ci.yml", "ask"},
		{"coding", "read .github/workflows/ci.yml", "allow"},
		{"coding", "command go test ./...", "allow"},
		{"coding", "command git push origin main", "ask"},
		{"coding", "command git push", "ask"},
		{"coding", "command sudo reboot", "deny"},

		{"readonly", "read main.go", "allow"},
		{"readonly", "write main.go", "deny"},
		{"readonly", "delete main.go", "deny"},
		{"readonly", "read .env", "deny"},
		{"readonly", "read .git/HEAD", "deny"},
		{"readonly", "command ls", "deny"},

		{"data", "read data.csv", "allow"},
		{"data", "write data.csv", "deny"},
		{"data", "delete data.csv", "deny"},
		{"data", "write results/b.csv", "allow"},
		{"data", "delete results/a.csv", "ask"},
		{"data", "read .env", "deny"},
		{"data", "command python3 sum.py", "allow"},
		{"data", "command python3 -m pip install x", "deny"},
		{"data", "command rm results/a.csv", "deny"},
	} {
		t.Run(x.profile+" "+x.asks, func(t *testing.T) {
			p := load(t, x.profile)
			asks, target, _ := strings.Cut(x.asks, " ")
			var got policy.Verdict
			if asks == "command" {
				got = p.Command(target).Verdict
			} else {
				right, err := policy.ParsePermission(asks)
				if err != nil {
					t.Fatal(err)
				}
				d, err := p.Decide(policy.Request{Path: target, Perm: right}, work)
				if err != nil {
					t.Fatal(err)
				}
				got = d.Verdict
			}
			if got.String() != x.want {
				t.Errorf("it says %s, want %s", got, x.want)
			}
		})
	}
}

// TestDataHasAScratchFolder stands apart: it is no folder of the tree.
func TestDataHasAScratchFolder(t *testing.T) {
	d, err := load(t, "data").Decide(policy.Request{Path: "/scratch/x", Perm: policy.Write}, work)
	if err != nil || d.Verdict != policy.Allow {
		t.Errorf("%v %v", d.Verdict, err)
	}
}

func TestNames(t *testing.T) {
	names := profile.Names()
	if strings.Join(names, " ") != "coding readonly data" {
		t.Error(names)
	}
	names[0] = "changed"
	if profile.Names()[0] != "coding" {
		t.Error("Names gives its own slice away")
	}
	if _, err := profile.Text("nosuch"); err == nil || err.Error() != `there is no profile "nosuch"; there are coding, readonly, data` {
		t.Error(err)
	}
}
