package tool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paddock"
)

// caseWorld is the folder of the published cases: a mount proj with all rights,
// in which .env is denied, and ref, which is for reading.
func caseWorld(t *testing.T, perms string, deny string) *world {
	return newWorld(t, "version: 1\npaths:\n  - {slug: root, path: empty, allowed_permission: read}\n  - {slug: proj, path: p, allowed_permission: "+perms+", denied_path_regex: ["+deny+"]}\n  - {slug: ref, path: r, allowed_permission: read}\n", paddock.Options{})
}

// TestPublishedCases are reports about other agents' file tools, told by their
// identifiers, as calls of the context family.
func TestPublishedCases(t *testing.T) {
	t.Parallel()
	const all = "read|write|delete"
	type step struct{ tool, args, want string } // what the answer begins with; ~ before it: what it holds
	for _, c := range []struct {
		id, perms, deny string
		files           map[string]string
		steps           []step
		after           map[string]string // absent for none
	}{
		{"PX-01", "read", "", map[string]string{"p/a.txt": "x\n"}, []step{
			{"file_tool", `{"operation":"write","path":"/proj/a.txt","content":"x\n"}`, "Denied: "},
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"x","new_string":"y"}`, "Denied: "},
			{"file_tool", `{"operation":"append","path":"/proj/a.txt","content":"z"}`, "Denied: "},
			{"directory_tool", `{"operation":"create","path":"/proj/d"}`, "Denied: "},
			{"file_tool", `{"operation":"delete","path":"/proj/a.txt"}`, "Denied: "},
			{"file_tool", `{"operation":"move","path":"/proj/a.txt","destination":"/proj/b.txt"}`, "Denied: "},
		}, map[string]string{"p/a.txt": "x\n", "p/b.txt": "absent", "p/d": "absent"}},
		{"PX-03", "read|write", "", map[string]string{"p/a.txt": "old\n"}, []step{
			{"file_tool", `{"operation":"delete","path":"/proj/a.txt"}`, "Denied: "},
			{"file_tool", `{"operation":"write","path":"/proj/a.txt","content":"new\n"}`, "Updated file /proj/a.txt"},
		}, map[string]string{"p/a.txt": "new\n"}},
		{"PX-05", all, "", map[string]string{"p/a.txt": "A\n", "p/b.txt": "B\n"}, []step{
			{"file_tool", `{"operation":"move","path":"/proj/a.txt","destination":"/proj/b.txt"}`, "Error: '/proj/b.txt' exists already"},
		}, map[string]string{"p/b.txt": "B\n"}},
		{"PX-06", all, ".env", map[string]string{"p/.env": "CANARY"}, []step{
			{"file_tool", `{"operation":"move","path":"/proj/.env","destination":"/proj/x.txt"}`, "Denied: "},
		}, map[string]string{"p/.env": "CANARY", "p/x.txt": "absent"}},
		{"PX-08", all, ".env", map[string]string{"p/.env": "CANARY", "p/a.txt": "x\n", "p/d/.env": "CANARY", "p/d/a.txt": "x\n"}, []step{
			{"file_tool", `{"operation":"copy","path":"/proj/.env","destination":"/proj/x.txt"}`, "Denied: "},
			{"file_tool", `{"operation":"copy","path":"/proj/a.txt","destination":"/proj/.env","overwrite":true}`, "Denied: "},
			{"directory_tool", `{"operation":"copy","path":"/proj/d","destination":"/proj/d2"}`, "Copied /proj/d to /proj/d2: 1 file"},
		}, map[string]string{"p/x.txt": "absent", "p/d2/.env": "absent", "p/d2/a.txt": "x\n"}},
		{"PX-10", all, "", map[string]string{"p/a.txt": "x\n", "r/r.txt": "x\n"}, []step{
			{"file_tool", `{"operation":"move","path":"/proj/a.txt","destination":"/ref/a.txt"}`, "Denied: "},
			{"file_tool", `{"operation":"move","path":"/ref/r.txt","destination":"/proj/r.txt"}`, "Denied: "},
			{"file_tool", `{"operation":"copy","path":"/ref/r.txt","destination":"/proj/r.txt"}`, "Copied "},
		}, map[string]string{"r/r.txt": "x\n", "p/a.txt": "x\n", "p/r.txt": "x\n"}},
		{"PX-11", all, ".env", map[string]string{"p/d/a.txt": "x", "p/d/sub/.env": "CANARY", "p/d/z.txt": "x"}, []step{
			{"directory_tool", `{"operation":"delete","path":"/proj/d","recursive":true}`, "Denied: "},
		}, map[string]string{"p/d/a.txt": "x", "p/d/sub/.env": "CANARY", "p/d/z.txt": "x"}},
		{"PX-13", all, `"/*", "!/wrk/"`, map[string]string{"p/wrk/a.txt": "x", "p/b.txt": "x"}, []step{
			{"file_tool", `{"operation":"delete","path":"/proj/wrk/a.txt"}`, "Deleted "},
			{"file_tool", `{"operation":"delete","path":"/proj/b.txt"}`, "Denied: "},
		}, map[string]string{"p/wrk/a.txt": "absent", "p/b.txt": "x"}},
		{"LK-01, LK-10", all, ".env", map[string]string{"p/.env": "KEY=CANARY\n", "p/a.txt": "KEY here\n"}, []step{
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"KEY"}`, "/proj/a.txt"},
			{"search_tool", `{"operation":"grep","path":"/proj/.env","pattern":"KEY"}`, "Denied: "},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"KEY","include":[".env"]}`, "No matches found"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"A|KEY","regex":true,"output_mode":"count"}`, "/proj/a.txt: 1"},
			{"search_tool", `{"operation":"find","path":"/proj","pattern":".env"}`, "Nothing found"},
			{"file_tool", `{"operation":"hash","path":"/proj/.env"}`, "Denied: "},
			{"file_tool", `{"operation":"info","path":"/proj/.env"}`, "Denied: "},
		}, nil},
		{"LK-05", all, "", map[string]string{"p/a.txt": "x"}, []step{
			{"file_tool", `{"operation":"read","path":"/proj/missing.txt"}`, "Error: '/proj/missing.txt' not found"},
			{"file_tool", `{"operation":"read","path":"/nope/x"}`, "Error: "},
			{"directory_tool", `{"operation":"list","path":"/proj/a.txt"}`, "Error: "},
		}, nil},
		{"LK-08", all, ".env", map[string]string{"p/.env": "KEY=CANARY"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/.env","old_string":"nope","new_string":"x"}`, "Denied: "},
			{"file_tool", `{"operation":"edit","path":"/proj/.env","old_string":"nope","new_string":"x","dry_run":true}`, "Denied: "},
		}, nil},
		{"FE-01", all, "", map[string]string{"p/a.txt": "one\r\ntwo\r\nthree\r\n"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"one\ntwo","new_string":"ONE\nTWO"}`, "Successfully replaced 1"},
		}, map[string]string{"p/a.txt": "ONE\r\nTWO\r\nthree\r\n"}},
		{"FE-03", all, "", map[string]string{"p/a.txt": "a\r\nmid\nz\rz"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"mid","new_string":"MID"}`, "Successfully"},
		}, map[string]string{"p/a.txt": "a\r\nMID\nz\rz"}},
		{"FE-05, FE-06", all, "", map[string]string{"p/a.txt": "\xef\xbb\xbfhello é\n", "p/b.txt": "name = \xa9\n"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"hello","new_string":"bye"}`, "Successfully"},
			{"file_tool", `{"operation":"edit","path":"/proj/b.txt","old_string":"name","new_string":"NAME"}`, "Successfully"},
		}, map[string]string{"p/a.txt": "\xef\xbb\xbfbye é\n", "p/b.txt": "NAME = \xa9\n"}},
		{"FE-08", all, "", map[string]string{"p/a.txt": "\xff\xfeh\x00i\x00"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"h","new_string":"j"}`, "Error: "},
		}, map[string]string{"p/a.txt": "\xff\xfeh\x00i\x00"}},
		{"FE-10, FE-11, FE-13", all, "", map[string]string{"p/a.txt": "axb a.b*(c\n", "p/b.txt": "x = 1\ny\nx = 1\n"}, []step{
			{"file_tool", `{"operation":"edit","path":"/proj/b.txt","old_string":"x = 1","new_string":"x = 2"}`, "~2 times"},
			{"file_tool", `{"operation":"edit","path":"/proj/b.txt","old_string":"","new_string":"x"}`, "Error: "},
			{"file_tool", `{"operation":"edit","path":"/proj/b.txt","old_string":"y","new_string":"y"}`, "Error: "},
			{"file_tool", `{"operation":"edit","path":"/proj/a.txt","old_string":"a.b*(c","new_string":"z"}`, "Successfully"},
		}, map[string]string{"p/a.txt": "axb z\n", "p/b.txt": "x = 1\ny\nx = 1\n"}},
		{"FI-06, FI-08", all, "", map[string]string{"p/w.txt": "line1\n" + strings.Repeat("x", 15000) + "\nKEEP-ME\nline4\n", "p/empty.txt": "", "p/d/f": ""}, []step{
			{"file_tool", `{"operation":"read","path":"/proj/w.txt","offset":0,"limit":3}`, "~KEEP-ME"},
			{"file_tool", `{"operation":"read","path":"/proj/w.txt","offset":3,"limit":3}`, "4  line4"},
			{"file_tool", `{"operation":"read","path":"/proj/d"}`, "Error: '/proj/d' is a folder, not a file"},
			{"file_tool", `{"operation":"read","path":"/proj/empty.txt"}`, "System reminder: File exists but has empty contents"},
			{"directory_tool", `{"operation":"list","path":"/proj/empty.txt"}`, "Error: "},
		}, nil},
		{"FI-10, FI-11, FI-13", all, "", map[string]string{"p/min.js": strings.Repeat("a", 300_000) + "needle" + strings.Repeat("b", 300_000), "p/a.txt": "see --pre=./pre.sh and --help\n"}, []step{
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"needle","output_mode":"content"}`, "~needle"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"needle","output_mode":"content","context":1}`, "~clipped"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"--pre=./pre.sh"}`, "/proj/a.txt"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"-f/etc/hostname"}`, "No matches found"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"--help"}`, "/proj/a.txt"},
		}, nil},
		{"FI-15", all, "", map[string]string{"p/a.txt": strings.Repeat("a", 60) + "!\n"}, []step{
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"(a+)+$","regex":true}`, "No matches found"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"(x{1,1000}){1,1000}","regex":true}`, "Error: "},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"[","regex":true}`, "Error: "},
		}, nil},
		{"FI-16", all, "", map[string]string{"p/" + strings.Repeat("a", 100): "x"}, []step{
			{"search_tool", `{"operation":"find","path":"/proj","pattern":"` + strings.Repeat("{a}", 40) + `b"}`, ""},
			{"search_tool", `{"operation":"find","path":"/proj","pattern":"` + strings.Repeat("{a,b}", 25) + `"}`, "Error: "},
			{"search_tool", `{"operation":"find","path":"/proj","pattern":"` + strings.Repeat("**/", 30) + `x"}`, "Nothing found"},
			{"search_tool", `{"operation":"find","path":"/proj","pattern":"` + strings.Repeat("*a", 40) + `"}`, "/proj/a"},
			{"search_tool", `{"operation":"find","path":"/proj","exclude":["` + strings.Repeat("*a", 40) + `b"]}`, "/proj/a"},
		}, nil},
		{"FI-21", all, "", map[string]string{"p/top.py": "x\n", "p/src/a/b.py": "x\n"}, []step{
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"x","include":["**/*.py"]}`, "/proj/src/a/b.py\n/proj/top.py"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"x","include":["*.py"]}`, "/proj/src/a/b.py\n/proj/top.py"},
			{"search_tool", `{"operation":"grep","path":"/proj","pattern":"x","include":["src/**/*.py"]}`, "/proj/src/a/b.py"},
		}, nil},
	} {
		w := caseWorld(t, c.perms, c.deny)
		for name, text := range c.files {
			w.put(name, text)
		}
		for _, s := range c.steps {
			r := w.use(s.tool, s.args)
			part, anywhere := strings.CutPrefix(s.want, "~")
			if anywhere && !strings.Contains(r.Text, part) || !anywhere && !strings.HasPrefix(r.Text, s.want) || strings.Contains(r.Text, "CANARY") || len(r.Text) > 20_000 {
				t.Errorf("%s: %s %.100s: %.300s, want %s", c.id, s.tool, s.args, r.Text, s.want)
			}
		}
		for name, want := range c.after {
			got := "absent"
			if text, err := os.ReadFile(filepath.Join(w.base, name)); err == nil {
				got = string(text)
			}
			if got != want {
				t.Errorf("%s: %s holds %q, want %q", c.id, name, got, want)
			}
		}
	}
}

// LK-03: a denied name that is there and one that is not are told apart by no
// operation.
func TestDeniedNamesAreNotTold(t *testing.T) {
	t.Parallel()
	w := caseWorld(t, "read|write|delete", ".env")
	w.put("p/.env", "CANARY")
	w.put("p/there/x", "")
	w.put("p/none/x", "")
	w.put("p/there/.env/deep", "CANARY")
	for _, o := range operations {
		for _, more := range [][]any{nil, {"dry_run", true}} {
			if more != nil && !o.changes {
				continue
			}
			there, none := w.use(o.tool, o.args("/proj/there/.env", more...)), w.use(o.tool, o.args("/proj/none/.env", more...))
			if strings.ReplaceAll(there.Text, "/there/", "/none/") != none.Text {
				t.Errorf("%s %s: %q and %q", o.tool, o.name, there.Text, none.Text)
			}
		}
	}
}

// FE-18 and FE-21: edits at the same time lose nothing, and modes stay.
func TestEditsByTheContextFamily(t *testing.T) {
	t.Parallel()
	w := caseWorld(t, "read|write|delete", "")
	w.put("p/a.txt", "k0=0\nk1=0\nk2=0\nk3=0\nk4=0\nk5=0\n")
	worked := make([]bool, 6)
	var wg sync.WaitGroup
	for i := range worked {
		wg.Go(func() {
			worked[i] = !w.use("file_tool", object("operation", "edit", "path", "/proj/a.txt", "old_string", fmt.Sprintf("k%d=0", i), "new_string", fmt.Sprintf("k%d=1", i))).IsError
		})
	}
	wg.Wait()
	for i, ok := range worked {
		if changed := strings.Contains(w.has("p/a.txt"), fmt.Sprintf("k%d=1", i)); changed != ok {
			t.Errorf("k%d: told %v, and changed %v", i, ok, changed)
		}
	}
	for name, mode := range map[string]os.FileMode{"run.sh": 0o755, "key.txt": 0o600} {
		w.put("p/"+name, "echo a\n")
		path := filepath.Join(w.base, "p", name)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{`"operation":"edit","old_string":"a","new_string":"b"`, `"operation":"append","content":"c"`, `"operation":"write","content":"d"`} {
			if r := w.use("file_tool", `{"path":"/proj/`+name+`",`+args+`}`); r.IsError {
				t.Error(r.Text)
			}
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
