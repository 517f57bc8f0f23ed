package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/tool"
)

// FuzzContext sends anything to the context family. Whatever it is, the answer
// is one of those there are, fits its schema, holds no path of the host and
// nothing of what is denied, and what is only read or run dry changes nothing.
func FuzzContext(f *testing.F) {
	for i, o := range operations {
		f.Add(i, o.args(o.target("/d")))
		f.Add(i, o.args("/shut/f.txt", "dry_run", true))
	}
	f.Add(0, `{"operation":"read","path":"/d/f.txt","encoding":"utf-16","byte_offset":2,"byte_limit":1}`)
	f.Add(17, `{"operation":"find","pattern":"{a,b}/**","exclude":["!x","/y/"],"ignore_files":true,"depth":2}`)
	f.Fuzz(func(t *testing.T, which int, args string) {
		tools := tool.Context()
		one := tools[uint(which)%uint(len(tools))]
		w := newWorld(t, familyPolicy, paddock.Options{})
		for _, dir := range []string{"ws/d", "ws/shut", "ref"} {
			w.put(dir+"/f.txt", "old text\n")
		}
		w.put("ws/shut/secret.txt", "CANARY\n")
		before := snapshot(t, w.base)
		r := tool.Run(context.Background(), w.guard, one, json.RawMessage(args), nil)
		w.check(one, r)
		if strings.Contains(r.Text, "CANARY") || strings.Contains(r.Text, "mistake of its own") {
			t.Errorf("%s %s tells %q", one.Name, args, r.Text)
		}
		if dry := strings.HasPrefix(r.Text, "Dry run"); one.ReadOnly || r.Denied || dry {
			if after := snapshot(t, w.base); !bytes.Equal(before, after) {
				t.Errorf("%s %s: the tree was\n%s\nand is\n%s", one.Name, args, before, after)
			}
		}
	})
}

// FuzzContextCalls gives operations arguments that go with them, of any
// content. Nothing may panic, what is denied stays as it is and untold, and a
// dry run changes nothing at all.
func FuzzContextCalls(f *testing.F) {
	for i := range operations {
		f.Add(uint8(i), "/d/f.txt", "/d/sub", "old", "new", 1, i%2 == 0)
		f.Add(uint8(i), "/d/sub", "/d/x/../made", "*.txt", "utf-16", 3, true)
		f.Add(uint8(i), "/shut/f.txt", "~", "(a|b)*$", "base64", 1<<40, false)
	}
	encodings := []string{"utf-8", "base64", "latin-1", "utf-16", "utf-16le", "utf-16be"}
	w := newWorld(f, familyPolicy, paddock.Options{})
	w.put("ws/shut/f.txt", "CANARY\n")
	w.put("ref/f.txt", "old\n")
	closed := string(snapshot(f, filepath.Join(w.base, "ws/shut"))) + string(snapshot(f, filepath.Join(w.base, "ref")))
	f.Fuzz(func(t *testing.T, which uint8, path, to, text, other string, n int, flag bool) {
		o := operations[int(which)%len(operations)]
		w.t = t
		w.restore()
		all := map[string]any{
			"path": path, "destination": to, "content": text, "old_string": text, "new_string": other, "replace_all": flag, "recursive": flag,
			"encoding": encodings[uint(n)%6], "algorithm": other, "overwrite": flag, "dry_run": n%3 == 0, "depth": n % 60, "max_count": n, "per_folder": n,
			"pattern": text, "include": []string{other}, "exclude": []string{text, other}, "ignore_files": flag, "regex": flag, "context": n % 21,
		}
		if flag {
			all["byte_offset"], all["byte_limit"] = n, n/2+1
		} else {
			all["offset"], all["limit"] = n, n
		}
		args := map[string]any{"operation": o.name}
		for _, name := range argumentsOf(t, o) {
			if value, ok := all[name]; ok {
				args[name] = value
			}
		}
		encoded, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		before := w.tree()
		r := w.use(o.tool, string(encoded))
		if strings.Contains(r.Text, "mistake of its own") || strings.Contains(r.Text, "CANARY") && !strings.Contains(string(encoded), "CANARY") {
			t.Errorf("%s %s: %s", o.tool, encoded, r.Text)
		}
		if args["dry_run"] == true || !o.changes {
			if after := w.tree(); !bytes.Equal(before, after) {
				t.Errorf("%s %s: the tree was\n%s\nand is\n%s", o.tool, encoded, before, after)
			}
		}
		if now := string(snapshot(t, filepath.Join(w.base, "ws/shut"))) + string(snapshot(t, filepath.Join(w.base, "ref"))); now != closed {
			t.Errorf("%s %s: what is closed is now\n%s", o.tool, encoded, now)
		}
	})
}

// argumentsOf are the arguments that an operation takes: it says so itself.
func argumentsOf(t *testing.T, o operation) []string {
	t.Helper()
	for _, one := range tool.Context() {
		var s struct{ Properties map[string]any }
		if one.Name != o.tool {
			continue
		}
		if err := json.Unmarshal(one.InputSchema, &s); err != nil {
			t.Fatal(err)
		}
		var names []string
		for name := range s.Properties {
			if tool.Takes(o.tool, o.name, name) {
				names = append(names, name)
			}
		}
		return names
	}
	t.Fatalf("no tool %q", o.tool)
	return nil
}
