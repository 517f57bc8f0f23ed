package gitignore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"paddock/internal/gitignore"
)

// An answer is what one side says about a path.
type answer struct {
	ignored bool
	line    int
}

// TestAgainstGit compares verdict and deciding line with git itself, on random lists over a real tree.
// PADDOCK_SOAK=N makes N times as many comparisons.
func TestAgainstGit(t *testing.T) {
	const seed = 20
	rng := rand.New(rand.NewPCG(seed, 1))
	g := newGit(t, testTree(rng))

	lists := 100_000/len(g.tree) + 1
	if n, err := strconv.Atoi(os.Getenv("PADDOCK_SOAK")); err == nil && n > 0 {
		lists *= n
	}
	var mix mix
	for range lists {
		lines := randomList(rng, g.tree)
		want := g.ask(t, lines)
		list, err := gitignore.Compile(lines)
		if err != nil {
			t.Fatalf("Compile(%q): %v", lines, err)
		}
		mix.count(lines, g.tree, want)
		if wrong := compare(g.tree, want, list.Match); wrong != "" {
			t.Errorf("seed %d, list %q: %s", seed, lines, wrong)
		}
	}
	t.Logf("seed %d, %d lists over %d names: %s", seed, lists, len(g.tree), &mix)
	if mix.all < 100_000 || mix.ignored*4 < mix.all || mix.turned*10 < mix.all {
		t.Errorf("the mix is too thin to mean anything: %s", &mix)
	}
}

// TestPlantedFault shows that the comparison sees a matcher that is wrong for one kind of pattern only.
func TestPlantedFault(t *testing.T) {
	const seed = 21
	rng := rand.New(rand.NewPCG(seed, 1))
	g := newGit(t, testTree(rng))
	faults := map[string]func(line string) bool{
		"a final slash":   func(line string) bool { return strings.HasSuffix(line, "/") },
		"a leading slash": func(line string) bool { return strings.HasPrefix(line, "/") },
		"two stars":       func(line string) bool { return strings.Contains(line, "**") },
		"a class":         func(line string) bool { return strings.Contains(line, "[") },
		"a negation":      func(line string) bool { return strings.HasPrefix(line, "!") },
	}
	caught := map[string]int{}
	for range 60 {
		lines := randomList(rng, g.tree)
		want := g.ask(t, lines)
		list, err := gitignore.Compile(lines)
		if err != nil {
			t.Fatalf("Compile(%q): %v", lines, err)
		}
		for name, hit := range faults {
			flipped := func(path string, dir bool) (bool, int) {
				ignored, line := list.Match(path, dir)
				return ignored != (line >= 0 && hit(lines[line])), line
			}
			if compare(g.tree, want, flipped) != "" {
				caught[name]++
			}
		}
	}
	for name := range faults {
		if caught[name] == 0 {
			t.Errorf("a matcher that is wrong for patterns with %s was not caught", name)
		}
	}
	t.Logf("seed %d, lists in which each fault was caught: %v", seed, caught)
}

// TestClassesAgainstGit asks for each byte whether it is in each named class.
func TestClassesAgainstGit(t *testing.T) {
	var tree []place
	for b := 1; b < 256; b++ {
		if b != '/' {
			tree = append(tree, place{"x" + string([]byte{byte(b)}), false})
		}
	}
	g := newGit(t, tree)
	for _, name := range strings.Fields("alnum alpha blank cntrl digit graph lower print punct space upper xdigit word ascii ALPHA") {
		for _, pattern := range []string{"x[[:" + name + ":]]", "x[![:" + name + ":]]", "x[[:" + name + ":]-z]"} {
			lines := []string{pattern}
			list, err := gitignore.Compile(lines)
			check(t, err)
			if wrong := compare(tree, g.ask(t, lines), list.Match); wrong != "" {
				t.Errorf("%s: %s", pattern, wrong)
			}
		}
	}
}

// compare returns the first disagreement, or "".
func compare(tree []place, want []answer, match func(path string, dir bool) (bool, int)) string {
	for i, p := range tree {
		ignored, line := match(p.path, p.dir)
		if got := (answer{ignored, line}); got != want[i] {
			return fmt.Sprintf("%q (dir %v): got %+v, git says %+v", p.path, p.dir, got, want[i])
		}
	}
	return ""
}

// A mix counts what the comparisons were about.
type mix struct{ all, ignored, matched, turned int }

func (m *mix) count(lines []string, tree []place, answers []answer) {
	// With the name a folder: the deciding line there. A name whose verdict is its parent's was not judged itself.
	byPath := map[string]answer{}
	for i, p := range tree {
		byPath[p.path] = answers[i]
	}
	for i, p := range tree {
		a := answers[i]
		m.all++
		if a.line < 0 {
			continue
		}
		m.matched++
		parent := byPath[filepath.Dir(p.path)]
		switch {
		case a.ignored:
			m.ignored++
			if parent.ignored {
				m.turned++
			}
		default:
			m.turned++
		}
	}
}

func (m *mix) String() string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(m.all, 1)) }
	return fmt.Sprintf("%d comparisons, %.1f %% matched, %.1f %% ignored, %.1f %% decided by a negation or an excluded parent",
		m.all, percent(m.matched), percent(m.ignored), percent(m.turned))
}

// git asks the real git.
type git struct {
	root string
	list string // the exclude file
	env  []string
	tree []place
}

func newGit(t *testing.T, tree []place) *git {
	t.Helper()
	dir := t.TempDir()
	g := &git{root: filepath.Join(dir, "tree"), list: filepath.Join(dir, "list"), tree: tree}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") {
			g.env = append(g.env, v)
		}
	}
	// Nothing of the user's own configuration may count.
	g.env = append(g.env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	for _, p := range tree {
		name := filepath.Join(g.root, p.path)
		if p.dir {
			check(t, os.MkdirAll(name, 0o755))
			continue
		}
		check(t, os.MkdirAll(filepath.Dir(name), 0o755))
		check(t, os.WriteFile(name, nil, 0o644))
	}
	g.run(t, nil, "init", "-q", "--template=")
	return g
}

// ask returns git's answer for each name of the tree.
func (g *git) ask(t *testing.T, lines []string) []answer {
	t.Helper()
	check(t, os.WriteFile(g.list, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	var in bytes.Buffer
	for _, p := range g.tree {
		in.WriteString(p.path)
		in.WriteByte(0)
	}
	out := g.run(t, &in, "-c", "core.excludesFile="+g.list, "-c", "core.ignorecase=false", "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if len(fields) != 4*len(g.tree) {
		t.Fatalf("git answered %d fields for %d names", len(fields), len(g.tree))
	}
	answers := make([]answer, len(g.tree))
	for i, p := range g.tree {
		f := fields[4*i : 4*i+4]
		if f[3] != p.path {
			t.Fatalf("git answered about %q, asked was %q", f[3], p.path)
		}
		answers[i] = answer{false, -1}
		if f[1] != "" {
			line, err := strconv.Atoi(f[1])
			check(t, err)
			answers[i] = answer{!strings.HasPrefix(f[2], "!"), line - 1}
		}
	}
	return answers
}

func (g *git) run(t *testing.T, in *bytes.Buffer, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = g.root, g.env
	if in != nil {
		cmd.Stdin = in
	}
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && (exit.ExitCode() != 1 || len(exit.Stderr) > 0) {
		t.Fatalf("git %q: %v: %s", args, err, exit.Stderr) // 1 only says that nothing is ignored
	} else if !ok && err != nil {
		t.Fatalf("git %q: %v", args, err)
	}
	return string(out)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
