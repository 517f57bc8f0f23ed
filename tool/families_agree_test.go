package tool_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
	"paddock/tool"
)

// twin is one policy over two trees that are alike: the rules family works on
// the first, the context family on the second.
type twin struct {
	rules, context *world
	r              *rand.Rand
	policy         string
}

func (tw *twin) pick(of ...string) string { return of[tw.r.IntN(len(of))] }

// rights are a random set, most of them more than nothing.
func (tw *twin) rights() string {
	var p policy.Permission
	for _, one := range []policy.Permission{policy.Read, policy.Write, policy.Delete} {
		if tw.r.IntN(3) > 0 {
			p |= one
		}
	}
	return p.String()
}

var twinPaths = []string{
	"/", "/a.txt", "/b.env", "/d", "/d/a.txt", "/d/e", "/d/e/b.env", "/d/e/c.txt", "/in", "/in/a.txt", "/in/d", "/in/d/c.txt", "/ref", "/ref/a.txt", "/ref/d",
	"/none", "/none/x", "/d/none.txt", "/l", "/ll/a.txt", "/out", "/../x", "d/../a.txt", "/in/none.env", "/ref/none.txt",
}

// newTwin makes a random one. fault, if not nil, changes the policy of the
// context family alone.
func newTwin(t *testing.T, seed uint64, fault func(string) string) *twin {
	tw := &twin{r: rand.New(rand.NewPCG(seed, 3))}
	allowed, inner := tw.rights(), tw.rights()
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\ndenied_names: %s\npaths:\n  - {slug: root, path: ws, allowed_permission: %s", tw.pick("hidden", "locked"), allowed)
	if tw.r.IntN(2) == 0 {
		fmt.Fprintf(&b, ", denied_path_regex: [%s]", tw.pick(`"*.env"`, `"/d/e/"`, `"*.txt", "!c.txt"`, `"l*"`))
	}
	fmt.Fprintf(&b, "}\n  - {slug: in, path: ws/in, allowed_permission: %s", inner)
	if part := tw.pick("read", "write", "delete"); tw.r.IntN(2) == 0 && strings.Contains(inner, part) {
		fmt.Fprintf(&b, ", required_permission: %s", part)
	}
	fmt.Fprintf(&b, "}\n  - {slug: ref, path: ref, allowed_permission: %s}\n", tw.rights())
	if tw.r.IntN(2) == 0 {
		fmt.Fprintf(&b, "rules:\n  - {operations: [%s], paths: [%q], mode: %s}\n", tw.pick("read", "write", "read, write"), tw.pick("/d/**", "/d/a.txt", "/in/**", "/ref/*.txt"), tw.pick("deny", "interrupt"))
	}
	if tw.r.IntN(3) == 0 {
		fmt.Fprintf(&b, "interrupt_on: {%s: true}\n", tw.pick("read_file", "write_file", "edit_file", "delete", "ls", "glob", "grep"))
	}
	tw.policy = b.String()
	build := func(text string) *world {
		w := newWorld(t, text, paddock.Options{})
		for _, name := range []string{"ws/a.txt", "ws/b.env", "ws/d/a.txt", "ws/d/e/b.env", "ws/d/e/c.txt", "ws/in/a.txt", "ws/in/d/c.txt", "ref/a.txt", "ref/d/c.txt"} {
			w.put(name, "old text of "+name+"\n")
		}
		for name, to := range map[string]string{"ws/l": "a.txt", "ws/ll": "d", "ws/out": "/etc/passwd"} {
			if err := os.Symlink(to, filepath.Join(w.base, name)); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}
	other := tw.policy
	if fault != nil {
		other = fault(other)
	}
	tw.rules, tw.context = build(tw.policy), build(other)
	return tw
}

// folder tells whether a folder is there, so which tool is for it.
func (w *world) folder(path string) bool {
	name := filepath.Join(w.base, "ws", path)
	if strings.HasPrefix(path, "/ref") {
		name = filepath.Join(w.base, path)
	}
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// step does the same by both families.
func (tw *twin) step(act, path string) (a, b tool.Result) {
	switch act {
	case "read":
		return tw.rules.call("read_file", object("file_path", path)), tw.context.use("file_tool", object("operation", act, "path", path))
	case "write":
		return tw.rules.call("write_file", object("file_path", path, "content", "new")), tw.context.use("file_tool", object("operation", act, "path", path, "content", "new"))
	case "edit":
		return tw.rules.call("edit_file", object("file_path", path, "old_string", "text", "new_string", "words")),
			tw.context.use("file_tool", object("operation", act, "path", path, "old_string", "text", "new_string", "words"))
	case "delete":
		name, args := "file_tool", []any{"operation", act, "path", path}
		if tw.context.folder(path) {
			name, args = "directory_tool", append(args, "recursive", true)
		}
		return tw.rules.call("delete", object("path", path)), tw.context.use(name, object(args...))
	case "list":
		return tw.rules.call("ls", object("path", path)), tw.context.use("directory_tool", object("operation", act, "path", path))
	case "find":
		return tw.rules.call("glob", object("path", path, "pattern", "*.txt")), tw.context.use("search_tool", object("operation", act, "path", path, "pattern", "*.txt"))
	default:
		return tw.rules.call("grep", object("path", path, "pattern", "text")), tw.context.use("search_tool", object("operation", act, "path", path, "pattern", "text"))
	}
}

// agree does the same things by both families, and tells how they differ.
func agree(t *testing.T, seed uint64, rounds, steps int, fault func(string) string) (differ []string, mix map[string]int) {
	mix = map[string]int{}
	for round := range uint64(rounds) {
		if fault != nil && len(differ) > 0 {
			break // it is found
		}
		tw := newTwin(t, seed+round, fault)
		for range steps {
			act, path := tw.pick("read", "read", "write", "edit", "delete", "list", "find", "grep"), tw.pick(twinPaths...)
			if act == "delete" && tw.r.IntN(2) == 0 {
				act = "edit" // else nothing is left soon
			}
			a, b := tw.step(act, path)
			same := a.IsError == b.IsError && a.Denied == b.Denied && a.Kind == b.Kind
			if same && (a.Denied || act != "delete" && act != "find") && !strings.Contains(a.Text, "is not a folder") {
				same = a.Text == b.Text
			}
			if !same {
				differ = append(differ, fmt.Sprintf("seed %d: %s %s: the rules family says %q, the context family %q, by\n%s", seed+round, act, path, a.Text, b.Text, tw.policy))
			}
			switch {
			case a.Kind == policy.ApprovalDenied:
				mix[act+" waits"]++
			case a.Denied:
				mix[act+" denied"]++
			case a.IsError:
				mix[act+" fails"]++
			default:
				mix[act+" works"]++
			}
		}
		one, two := bytes.ReplaceAll(snapshot(t, tw.rules.base), []byte(tw.rules.base), nil), bytes.ReplaceAll(snapshot(t, tw.context.base), []byte(tw.context.base), nil)
		if !bytes.Equal(one, two) {
			differ = append(differ, fmt.Sprintf("seed %d: the trees differ:\n%s\nand\n%s\nby\n%s", seed+round, one, two, tw.policy))
		}
	}
	return differ, mix
}

// TestFamiliesAgree does the same things by both families, on trees and by
// policies that are random and alike: they say the same, by the same words
// where the policy refuses, and the trees end alike.
func TestFamiliesAgree(t *testing.T) {
	t.Parallel()
	const seed = 20261130
	differ, mix := agree(t, seed, 18, 40, nil)
	for _, each := range differ {
		t.Error(each)
	}
	total, denied := 0, 0
	var words []string
	for word, n := range mix {
		words = append(words, fmt.Sprintf("%s %d", word, n))
		total += n
		if strings.HasSuffix(word, " denied") {
			denied += n
		}
	}
	slices.Sort(words)
	t.Logf("seed %d: %s", seed, strings.Join(words, ", "))
	for _, act := range []string{"read", "write", "edit", "delete", "list", "find", "grep"} {
		for _, how := range []string{"works", "denied"} {
			if mix[act+" "+how] < 5 {
				t.Errorf("only %d times %s %s", mix[act+" "+how], act, how)
			}
		}
	}
	if denied*10 < total*3 {
		t.Errorf("%d of %d were denied, want 30%%", denied, total)
	}
}

// TestAgreementIsMeasured plants one fault at a time in what the context family
// goes by, and sees that the test above would find it.
func TestAgreementIsMeasured(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(string) string{
		"a right more": func(text string) string {
			return strings.Replace(text, "ws/in, allowed_permission: ", "ws/in, allowed_permission: write|", 1)
		},
		"a pattern less": strings.NewReplacer("*.env", "*.none", "/d/e/", "/none/").Replace,
		"no rules":       func(text string) string { before, _, _ := strings.Cut(text, "rules:"); return before },
		"no question":    strings.NewReplacer(", required_permission: read", "", ", required_permission: write", "", ", required_permission: delete", "").Replace,
		"another question": func(text string) string {
			return strings.ReplaceAll(text, "interrupt_on: {", "interrupt_on: {none: true, other_")
		},
	} {
		differ, _ := agree(t, 20261130, 60, 25, fault)
		t.Logf("%s: %d differences", name, len(differ))
		if len(differ) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
}

// TestGatesCountForBothFamilies: who gates a tool of the rules family by
// interrupt_on has gated the operations that do the same.
func TestGatesCountForBothFamilies(t *testing.T) {
	t.Parallel()
	gates := map[string]string{
		"file_tool read": "read_file", "file_tool write": "write_file", "file_tool append": "write_file", "file_tool edit": "edit_file",
		"file_tool create": "write_file", "file_tool info": "", "file_tool copy": "write_file", "file_tool move": "delete write_file",
		"file_tool delete": "delete", "file_tool hash": "read_file", "directory_tool list": "ls", "directory_tool tree": "ls",
		"directory_tool create": "write_file", "directory_tool info": "", "directory_tool copy": "write_file", "directory_tool move": "delete write_file",
		"directory_tool delete": "delete", "search_tool find": "glob", "search_tool grep": "grep",
	}
	for _, gate := range []string{"read_file", "write_file", "edit_file", "delete", "ls", "glob", "grep", "file_tool", "directory_tool", "search_tool"} {
		a := &answers{}
		w := newWorld(t, "version: 1\npaths:\n  - {slug: root, path: ws, allowed_permission: read|write|delete}\ninterrupt_on: {"+gate+": true}\n", paddock.Options{Approver: a})
		for _, o := range operations {
			w.restore()
			a.decisions, a.asked = []paddock.Decision{{Answer: paddock.Approve}}, nil
			r := w.use(o.tool, o.args(o.target("/d")))
			asks := slices.Contains(strings.Fields(gates[o.tool+" "+o.name]), gate) || gate == o.tool && o.name != "info"
			if r.IsError || len(a.asked) > 1 || (len(a.asked) == 1) != asks {
				t.Errorf("%s %s with a gate on %s: %s, asked %d times", o.tool, o.name, gate, r.Text, len(a.asked))
			}
			if len(a.asked) == 1 && (a.asked[0].Tool != o.tool || a.asked[0].Because[0].Line != 4) {
				t.Errorf("%s %s: the question is %+v", o.tool, o.name, a.asked[0])
			}
		}
	}
}
