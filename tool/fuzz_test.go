package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
	"paddock/tool"
)

// FuzzArgs gives tools arguments of any kind under a policy that grants
// nothing but a name that is not there. Nothing may panic, and nothing may be
// told or changed.
func FuzzArgs(f *testing.F) {
	for _, args := range []string{
		`{"file_path":"/CANARY.txt"}`, `{"file_path":"/none/../CANARY.txt","offset":1e3,"limit":-1}`, `{"path":"/","recursive":true}`,
		`{"pattern":"CANARY","path":"/","output_mode":"content","context":20,"regex":true}`, `{"pattern":"**","path":"//"}`,
		`{"file_path":"/CANARY.txt","old_string":"","new_string":"x","replace_all":true}`, `{"file_path":"/d/x","content":"y"}`,
		`{"PATH":"/","path":"/"}`, `{"path":"/d/\\x0a\\xff"}`, `{"path":null}`, `[]`, `{`, ``, "{\"path\":\"\\ud800\"}", `{"pattern":"(((((((((("}`, `{"pattern":"{a,b}{c,{d}","glob":"[!a-"}`,
	} {
		f.Add(uint8(len(args)), args)
	}
	w := fuzzWorld(f)
	before := w.tree()
	tools := tool.Rules()
	f.Fuzz(func(t *testing.T, which uint8, args string) {
		one := tools[int(which)%len(tools)]
		w.t = t
		r := tool.Run(context.Background(), w.guard, one, json.RawMessage(args), nil)
		w.check(one, r)
		shown := r.Text
		// What the arguments say themselves may come back in an error.
		for _, secret := range []string{"CANARY-1", "CANARY-2"} {
			if strings.Contains(shown, secret) && !strings.Contains(args, secret) {
				t.Errorf("%s %s tells %q", one.Name, args, shown)
			}
		}
		if len(r.Images) > 0 || len(shown) > 90_000 {
			t.Errorf("%s %s: %d images, %d characters", one.Name, args, len(r.Images), len(shown))
		}
		if after := w.tree(); !bytes.Equal(before, after) {
			t.Errorf("%s %s: the tree is\n%s", one.Name, args, after)
		}
	})
}

// denying grants nothing in each way there is: no right, a pattern, a rule.
const denying = `
version: 1
paths:
  - {slug: root, path: ws, allowed_permission: none}
  - {slug: pat, path: pat, allowed_permission: read|write|delete, denied_path_regex: ["*"]}
  - {slug: rule, path: rule, allowed_permission: read|write|delete}
rules:
  - {operations: [read, write], paths: ["/rule/**"], mode: deny}
`

func fuzzWorld(f *testing.F) *world {
	w := newWorld(f, denying, paddock.Options{})
	for _, mount := range []string{"ws", "pat", "rule"} {
		w.put(mount+"/CANARY.txt", "CANARY-1\n")
		w.put(mount+"/d/CANARY.txt", "CANARY-2\n")
	}
	return w
}

func (w *world) tree() []byte {
	w.t.Helper()
	return snapshot(w.t, w.base)
}

// FuzzCalls gives tools well-formed arguments of any content under a policy
// that grants one folder. Nothing may panic, and nothing beside the folder may
// be told or changed.
func FuzzCalls(f *testing.F) {
	for _, path := range []string{"/", "/a.txt", "/../out/CANARY.txt", "root/d", "/d/./..//a.txt", "~", `/\x0a`, "/link/CANARY.txt", "/x/y/z", "/\x00", "/d/"} {
		f.Add(uint8(len(path)), path, "needle", "*", 1, true)
	}
	f.Add(uint8(3), "/a.txt", "needle\n", "\r\n", 0, true)
	f.Add(uint8(5), "/", `(\w+|[^a]*){3}$`, "{a,b}*/**", 7, true)
	w := newWorld(f, open, paddock.Options{})
	w.put("ws/a.txt", "some needle\r\nand \xff more\n")
	w.put("ws/d/b.txt", "needle\x00")
	w.put("out/CANARY.txt", "CANARY-1\n")
	if err := os.Symlink(filepath.Join(w.base, "out"), filepath.Join(w.base, "ws/link")); err != nil {
		f.Fatal(err)
	}
	outside := snapshot(f, filepath.Join(w.base, "out"))
	tools := tool.Rules()
	f.Fuzz(func(t *testing.T, which uint8, path, text, other string, n int, flag bool) {
		one := tools[int(which)%len(tools)]
		w.t = t
		all := map[string]any{
			"path": path, "file_path": path, "content": text, "old_string": text, "new_string": other, "replace_all": flag, "recursive": flag,
			"pattern": text, "glob": other, "regex": flag, "ignore_case": n%2 == 0, "context": n % 21, "offset": n, "limit": n,
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(one.InputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		args := map[string]any{}
		for name := range schema.Properties {
			if value, ok := all[name]; ok {
				args[name] = value
			}
		}
		encoded, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		r := tool.Run(context.Background(), w.guard, one, encoded, nil)
		w.check(one, r)
		if strings.Contains(r.Text, "CANARY-1") && !strings.Contains(string(encoded), "CANARY-1") {
			t.Errorf("%s %s tells %q", one.Name, encoded, r.Text)
		}
		if strings.Contains(r.Text, "mistake of its own") {
			t.Errorf("%s %s panics", one.Name, encoded)
		}
		if now := snapshot(t, filepath.Join(w.base, "out")); !bytes.Equal(outside, now) {
			t.Errorf("%s %s: beside the folder there is\n%s", one.Name, encoded, now)
		}
	})
}
