package house

import (
	"go/ast"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ban forbids imports to packages. A path that ends in /... stands for what is
// below it too.
type ban struct {
	in     []string
	except []string
	of     []string
	reason string
}

var bans = []ban{
	{
		in: []string{"paddock/policy/...", "paddock/internal/glob/...", "paddock/internal/gitignore/...", "paddock/internal/command/..."},
		of: []string{"os/...", "net", "net/http/...", "syscall", "golang.org/x/sys/...", "path/filepath", "io/ioutil", "log/...", "math/rand/...", "crypto/rand"},
		// net/netip and net/url only parse text.
		reason: "a decision is a pure function of the policy and the request: no disk, no network, no chance",
	},
	{
		in:     []string{"paddock/policy/...", "paddock/backend/..."},
		of:     []string{"paddock", "paddock/tool/...", "paddock/approve/...", "paddock/audit/...", "paddock/cmd/..."},
		reason: "what the Guard stands on knows nothing of it",
	},
	{
		in:     []string{"paddock/policy/..."},
		of:     []string{"paddock/backend/...", "paddock/internal/show", "paddock/internal/wire", "paddock/internal/mcpserver", "paddock/internal/trust"},
		reason: "the rules ask for the tree by their Resolver, and leave the showing to others",
	},
	{
		in:     []string{"paddock/backend/..."},
		of:     []string{"paddock/policy/..."},
		reason: "a backend acts on names that were judged already and has no opinion of its own",
	},
	{
		in:     []string{"paddock"},
		of:     []string{"os/...", "net/...", "paddock/backend/disk", "paddock/tool/...", "paddock/approve/...", "paddock/audit/...", "paddock/internal/wire", "paddock/internal/mcpserver", "paddock/cmd/..."},
		reason: "the Guard acts through backends alone: what it opened itself nothing would have judged",
	},
	{
		in:     []string{"paddock/tool/..."},
		of:     []string{"os/...", "net", "net/http/...", "syscall", "golang.org/x/sys/...", "path/filepath", "io/ioutil", "plugin", "unsafe", "paddock/backend/...", "paddock/internal/wire", "paddock/internal/trust", "paddock/approve/...", "paddock/audit/...", "paddock/cmd/..."},
		reason: "a tool has a Guard and no other way to an effect",
	},
	{
		in:     []string{"paddock/approve/...", "paddock/audit/..."},
		of:     []string{"paddock/backend/...", "paddock/tool/...", "paddock/internal/wire", "paddock/internal/mcpserver", "paddock/cmd/..."},
		reason: "to ask and to record needs no files of the agent",
	},
	{
		in:     []string{"paddock/..."},
		except: []string{"paddock/cmd/...", "paddock/internal/wire", "paddock/internal/demo/...", "paddock/examples/...", "paddock/backend/disk"},
		of:     []string{"paddock/backend/disk"},
		reason: "only a program joins a real folder to a policy",
	},
	{
		in:     []string{"paddock/..."},
		except: []string{"paddock/cmd/..."},
		of:     []string{"paddock/cmd/..."},
		reason: "a program is the end of the line",
	},
	{
		in:     []string{"paddock/..."},
		of:     []string{"io/ioutil", "plugin", "net/http/pprof", "expvar"},
		reason: "old, or code and doors that nobody asked for",
	},
}

// in tells whether a pattern of the table means a path.
func in(list []string, path string) bool {
	return slices.ContainsFunc(list, func(pattern string) bool {
		below, wild := strings.CutSuffix(pattern, "/...")
		return path == below || wild && strings.HasPrefix(path, below+"/")
	})
}

func (b *ban) broken(path, imported string) bool {
	return in(b.in, path) && !in(b.except, path) && in(b.of, imported) && path != imported
}

func TestImportDirection(t *testing.T) {
	seen := map[int]bool{}
	for _, p := range repository(t) {
		for n := range bans {
			seen[n] = seen[n] || in(bans[n].in, p.path)
			for imported, name := range p.imports() {
				if bans[n].broken(p.path, imported) {
					t.Errorf("%s imports %s: %s", name, imported, bans[n].reason)
				}
			}
		}
	}
	for n := range bans {
		if !seen[n] {
			t.Errorf("no package is meant by %v", bans[n].in)
		}
	}
}

// The table itself says no where it should.
func TestBansBite(t *testing.T) {
	for _, c := range []struct {
		path, imported string
		broken         bool
	}{
		{"paddock/tool", "os", true}, {"paddock/tool", "os/exec", true}, {"paddock/tool/sub", "net", true}, {"paddock/tool", "paddock/backend/disk", true}, {"paddock/tool", "paddock", false}, {"paddock/tool", "path", false},
		{"paddock/policy", "net/netip", false}, {"paddock/policy", "net", true}, {"paddock/policy", "os", true}, {"paddock/policy", "paddock/backend", true}, {"paddock", "paddock/policy", false}, {"paddock", "os", true}, {"paddock", "paddock/backend/disk", true},
		{"paddock/internal/wire", "paddock/backend/disk", false}, {"paddock/internal/mcpserver", "paddock/backend/disk", true}, {"paddock/backend/disk", "paddock/policy", true}, {"paddock/cmd/paddock", "paddock/backend/disk", false}, {"paddock/audit", "paddock/cmd/paddock", true},
	} {
		broken := slices.ContainsFunc(bans, func(b ban) bool { return b.broken(c.path, c.imported) })
		if broken != c.broken {
			t.Errorf("%s imports %s: broken %v", c.path, c.imported, broken)
		}
	}
}

// shared are the modules that several packages may import, and why.
var shared = map[string]string{
	"golang.org/x/sys": "the kernel's own calls: each package that speaks to the kernel makes the few that it needs",
}

// Each module of others is behind one package, which can exchange it.
func TestOneDoorForEachModule(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) v`).FindAllStringSubmatch(string(text), -1) {
		modules = append(modules, m[1])
	}
	if len(modules) < 3 {
		t.Fatalf("go.mod has only %v", modules)
	}
	doors := map[string][]string{}
	for _, p := range repository(t) {
		for imported := range p.imports() {
			for _, m := range modules {
				if (imported == m || strings.HasPrefix(imported, m+"/")) && !slices.Contains(doors[m], p.path) {
					doors[m] = append(doors[m], p.path)
				}
			}
		}
	}
	for m, packages := range doors {
		if len(packages) > 1 && shared[m] == "" {
			t.Errorf("%s is imported by %v; one package should be its only door", m, packages)
		}
	}
}

// A decision knows no time: policy uses package time for lengths alone.
func TestPolicyHasNoClock(t *testing.T) {
	for _, p := range repository(t) {
		if !in([]string{"paddock/policy/...", "paddock/internal/glob/...", "paddock/internal/gitignore/...", "paddock/internal/command/..."}, p.path) {
			continue
		}
		for _, f := range p.files {
			if f.test {
				continue
			}
			ast.Inspect(f.ast, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Sleep", "Tick", "NewTimer", "NewTicker", "AfterFunc"}, s.Sel.Name) {
						t.Errorf("%s uses time.%s", f.name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
}
