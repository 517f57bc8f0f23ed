package tool_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"paddock"
	"paddock/tool"
)

// fileAnswer is the structured content of file_tool, as a client has it.
type fileAnswer struct {
	Path, Destination, Kind, Mode, Target, Encoding, Content, MIME, Digest string
	TargetKind                                                             string `json:"target_kind"`
	TotalLines                                                             *int   `json:"total_lines"`
	Lines, Replaced, Names                                                 int
	Size, Bytes                                                            int64
	Next                                                                   *int64
	Truncated, Created                                                     bool
}

// file calls file_tool and reads its answer.
func (w *world) file(pairs ...any) (fileAnswer, tool.Result) {
	w.t.Helper()
	r := w.use("file_tool", object(pairs...))
	var a fileAnswer
	if r.Structured != nil {
		remarshal(w.t, r.Structured, &a)
	}
	return a, r
}

func TestFileWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "old\n")
	for _, c := range []struct {
		args        []any
		want, after string
	}{
		{[]any{"operation", "write", "path", "/a.txt", "content", "one\n"}, "Updated file /a.txt", "one\n"},
		{[]any{"operation", "append", "path", "/a.txt", "content", "two\n"}, "Appended 4 bytes to /a.txt, which has 8 now", "one\ntwo\n"},
		{[]any{"operation", "append", "path", "/a.txt", "content", "aé", "encoding", "utf-16le"}, "Appended 4 bytes to /a.txt, which has 12 now", "one\ntwo\na\x00\xe9\x00"},
		{[]any{"operation", "create", "path", "/a.txt", "content", "x"}, "Error: '/a.txt' exists already; write replaces its content", "one\ntwo\na\x00\xe9\x00"},
		{[]any{"operation", "write", "path", "/a.txt", "content", ""}, "Updated file /a.txt", ""},
		{[]any{"operation", "create", "path", "/b/c.txt"}, "Created file /b/c.txt", ""},
		{[]any{"operation", "append", "path", "/d/e.txt", "content", "x"}, "Created file /d/e.txt", "x"},
		{[]any{"operation", "edit", "path", "/d/e.txt", "old_string", "x", "new_string", "yy"}, "Successfully replaced 1 instance(s) of the string in '/d/e.txt'", "yy"},
		{[]any{"operation", "edit", "path", "/d/e.txt", "old_string", "y", "new_string", "z"}, "Error: String 'y' appears 2 times in file.", "yy"},
		{[]any{"operation", "edit", "path", "/d/e.txt", "old_string", "y", "new_string", "z", "replace_all", true}, "Successfully replaced 2 instance(s)", "zz"},
		{[]any{"operation", "write", "path", "/d", "content", "x"}, "Error: '/d' is a folder, not a file", "-"},
	} {
		a, r := w.file(c.args...)
		if !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%v: %s, want %s", c.args, r.Text, c.want)
		}
		path := c.args[3].(string)
		if c.after != "-" && w.has("ws"+path) != c.after {
			t.Errorf("%v: the file holds %q", c.args, w.has("ws"+path))
		}
		if !r.IsError && (a.Path != path || a.Size != int64(len(c.after)) || a.Created != strings.HasPrefix(r.Text, "Created")) {
			t.Errorf("%v: %+v", c.args, a)
		}
	}
}

func TestFileInfoAndHash(t *testing.T) {
	t.Parallel()
	w := newWorld(t, closed, paddock.Options{})
	content := strings.Repeat("0123456789abcdef", 200_000)
	w.put("ws/big", content)
	w.put("ws/.env", "CANARY")
	for name, to := range map[string]string{"to-big": "big", "to-dir": ".", "nowhere": "none", "outside": "/etc/passwd", "secret": ".env"} {
		if err := os.Symlink(to, filepath.Join(w.base, "ws", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(w.base, "ws/big"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(w.base, "ws/big"), filepath.Join(w.base, "ws/big2")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/big":       "/big: file, 3200000 bytes, 2 names, mode 0640, modified ",
		"/root/big":  "/big: file, 3200000 bytes, 2 names, mode 0640, modified ",
		"/":          "/: folder, mode 0755, modified ",
		"/to-big":    "/to-big: link to /big (a file), mode ",
		"/to-dir":    "/to-dir: link to / (a folder), mode ",
		"/nowhere":   "/nowhere: link to /none, mode ",
		"/ref/r.txt": "Error: '/ref/r.txt' not found",
		"/.env":      "Denied: ",
		"/.env2":     "Error: '/.env2' not found",
	} {
		if _, r := w.file("operation", "info", "path", path); !strings.HasPrefix(r.Text, want) {
			t.Errorf("%s: %s", path, r.Text)
		}
	}
	for _, path := range []string{"/outside", "/secret"} {
		if a, r := w.file("operation", "info", "path", path); a.Target != "" || strings.Contains(r.Text, "passwd") || strings.Contains(r.Text, ".env") {
			t.Errorf("%s: %s", path, r.Text)
		}
	}
	s1, s5, m5, s2 := sha1.Sum([]byte(content)), sha512.Sum512([]byte(content)), md5.Sum([]byte(content)), sha256.Sum256([]byte(content))
	for algorithm, sum := range map[string][]byte{"sha1": s1[:], "sha512": s5[:], "md5": m5[:], "sha256": s2[:]} {
		a, r := w.file("operation", "hash", "path", "/big", "algorithm", algorithm)
		if want := hex.EncodeToString(sum); a.Digest != want || a.Size != 3_200_000 || !strings.HasPrefix(r.Text, want+"  /big\n") {
			t.Errorf("%s: %s", algorithm, r.Text)
		}
	}
	if a, _ := w.file("operation", "hash", "path", "/to-big"); a.Digest != hex.EncodeToString(s2[:]) {
		t.Errorf("the default: %+v", a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, one := range tool.Context()[:1] {
		if r := tool.Run(ctx, w.guard, one, json.RawMessage(`{"operation":"hash","path":"/big"}`), nil); r.Text != "Error: the call was cancelled" {
			t.Error(r.Text)
		}
	}
}

func TestFileCopyMoveDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "version: 1\npaths:\n  - {slug: root, path: ws, allowed_permission: read|write|delete, denied_path_regex: [.env]}\n  - {slug: ref, path: ref, allowed_permission: read}\n", paddock.Options{})
	w.put("ws/a.txt", "A")
	w.put("ws/b.txt", "B")
	w.put("ws/.env", "CANARY")
	w.put("ws/d/.env", "CANARY")
	w.put("ws/d/x.txt", "x")
	w.put("ref/r.txt", "R")
	link := func(name, to string) {
		if err := os.Symlink(to, filepath.Join(w.base, "ws", name)); err != nil {
			t.Fatal(err)
		}
	}
	link("to-a", "a.txt")
	link("to-d", "d")
	fifo := filepath.Join(w.base, "ws/pipe")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		op, path, to string
		more         []any
		want         string
	}{
		{"move", "/a.txt", "/b.txt", nil, "Error: '/b.txt' exists already; with overwrite true it is replaced"},
		{"move", "/a.txt", "/d", nil, "Error: '/d' exists already and is a folder: destination is the new name itself"},
		{"copy", "/a.txt", "/b.txt", nil, "Error: '/b.txt' exists already; with overwrite true"},
		{"copy", "/.env", "/x.txt", nil, "Denied: copy /.env (PathAccessDenied"},
		{"copy", "/a.txt", "/.env", nil, "Denied: copy to /.env (PathAccessDenied"},
		{"move", "/.env", "/x.txt", nil, "Denied: move /.env (PathAccessDenied"},
		{"move", "/a.txt", "/ref/a.txt", nil, "Denied: move to /ref/a.txt (PermissionDenied"},
		{"move", "/ref/r.txt", "/r.txt", nil, "Denied: move /ref/r.txt (PermissionDenied"},
		{"copy", "/to-d", "/d2", nil, "Error: '/d' is a folder, not a file; use directory_tool"},
		{"copy", "/pipe", "/p2", nil, "Error: '/pipe' is a FIFO, a socket or a device"},
		{"delete", "/d", "", nil, "Denied: delete /d"},
		{"copy", "/ref/r.txt", "/r.txt", nil, "Copied /ref/r.txt to /r.txt"},
		{"copy", "/a.txt", "/b.txt", []any{"overwrite", true, "dry_run", true}, "Dry run, nothing was done. This would copy /a.txt to /b.txt and replace the file that is there.\n\nIt is decided:\n- copy /a.txt: allowed (read)\n- copy to /b.txt: allowed (write)"},
		{"copy", "/a.txt", "/b.txt", []any{"overwrite", true}, "Copied /a.txt to /b.txt"},
		{"copy", "/to-a", "/c.txt", nil, "Copied /to-a to /c.txt"},
		{"move", "/to-a", "/to-a2", nil, "Moved /to-a to /to-a2"},
		{"move", "/b.txt", "/c.txt", []any{"overwrite", true}, "Moved /b.txt to /c.txt"},
		{"delete", "/to-d", "", nil, "Deleted /to-d"},
		{"delete", "/c.txt", "", []any{"dry_run", true}, "Dry run, nothing was done. This would delete /c.txt.\n\nIt is decided:\n- delete /c.txt: allowed (delete)"},
		{"delete", "/c.txt", "", nil, "Deleted /c.txt"},
		{"delete", "/pipe", "", nil, "Deleted /pipe"},
	} {
		args := append([]any{"operation", c.op, "path", c.path}, c.more...)
		if c.to != "" {
			args = append(args, "destination", c.to)
		}
		if _, r := w.file(args...); !strings.HasPrefix(r.Text, c.want) || strings.Contains(r.Text, "CANARY") {
			t.Errorf("%s %s %s: %s\nwant %s", c.op, c.path, c.to, r.Text, c.want)
		}
	}
	var names []string
	for _, e := range strings.Split(w.use("directory_tool", `{"operation":"list"}`).Text, "\n") {
		names = append(names, strings.TrimPrefix(e, "/"))
	}
	if got, want := strings.Join(names, " "), "a.txt d/ r.txt ref/ to-a2"; got != want {
		t.Errorf("there are %q, want %q", got, want)
	}
	if w.has("ws/r.txt") != "R" || w.has("ws/.env") != "CANARY" || w.has("ws/d/.env") != "CANARY" {
		t.Error("the contents are wrong")
	}
}

// TestFileOperationsOnSpecialFiles: a FIFO is refused at once, not opened.
func TestFileOperationsOnSpecialFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	if err := syscall.Mkfifo(filepath.Join(w.base, "ws/pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.put("ws/a.txt", "a")
	for _, o := range operations {
		if o.tool != "file_tool" || o.name == "create" || o.name == "move" || o.name == "delete" {
			continue
		}
		r := w.use("file_tool", o.args("/pipe"))
		if o.name == "info" && !strings.HasPrefix(r.Text, "/pipe: special, mode ") || o.name != "info" && !strings.HasPrefix(r.Text, "Error: '/pipe' is a FIFO, a socket or a device") {
			t.Errorf("%s: %s", o.name, r.Text)
		}
	}
	for _, args := range []string{`"operation":"copy"`, `"operation":"move"`} {
		if r := w.use("file_tool", `{"path":"/a.txt","destination":"/pipe",`+args+`}`); !r.IsError {
			t.Errorf("%s onto a FIFO: %s", args, r.Text)
		}
	}
	if r := w.use("search_tool", `{"operation":"grep","pattern":"a"}`); r.Text != "/a.txt" {
		t.Errorf("grep: %s", r.Text)
	}
	if r := w.use("directory_tool", `{"operation":"tree"}`); r.Text != "/\n  a.txt\n  pipe (special)" {
		t.Errorf("tree: %q", r.Text)
	}
}

// TestFileAppendsAtTheSameTime appends from many callers; each that was told it
// worked is in the file once.
func TestFileAppendsAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	var wg sync.WaitGroup
	var mu sync.Mutex
	told := map[string]bool{}
	append_ := tool.Context()[0]
	for i := range 24 {
		wg.Go(func() {
			text := fmt.Sprintf("line %02d\n", i)
			r := tool.Run(context.Background(), w.guard, append_, json.RawMessage(object("operation", "append", "path", "/log", "content", text)), nil)
			mu.Lock()
			defer mu.Unlock()
			told[text] = !r.IsError
		})
	}
	wg.Wait()
	got := w.has("ws/log")
	worked := 0
	for text, ok := range told {
		if ok {
			worked++
		}
		if n := strings.Count(got, text); ok && n != 1 || !ok && n != 0 {
			t.Errorf("%q: told %v, and it is there %d times", text, ok, n)
		}
	}
	if worked < 20 || len(got) != worked*len("line 00\n") {
		t.Errorf("%d worked, and the file is %q", worked, got)
	}
}

// TestDryRunOfAnEdit: it says what an edit would change, but nothing of what is in
// a file for which a person would be asked. Nothing is changed.
func TestDryRunOfAnEdit(t *testing.T) {
	t.Parallel()
	w := familyWorld(t, paddock.Options{})
	before := snapshot(t, w.base)
	for _, c := range []struct{ path, old, want string }{
		{"/d/f.txt", "old", "Dry run, nothing was done. This would change 1 place in /d/f.txt."},
		{"/d/f.txt", "none", "Error: String not found in file: 'none'"},
		{"/ask/f.txt", "old", "Dry run, nothing was done. This would change /ask/f.txt, if the text is there."},
		{"/ask/f.txt", "none", "Dry run, nothing was done. This would change /ask/f.txt, if the text is there."},
		{"/ref/f.txt", "none", "Denied: "},
		{"/shut/f.txt", "old", "Denied: "},
	} {
		_, r := w.file("operation", "edit", "path", c.path, "old_string", c.old, "new_string", "x", "dry_run", true)
		if !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%s %s: %s", c.path, c.old, r.Text)
		}
	}
	for _, c := range []struct{ op, path, want string }{
		{"write", "/d/f.txt", "This would replace the 11 bytes of /d/f.txt by 3."},
		{"write", "/d/new.txt", "This would create /d/new.txt with 3 bytes."},
		{"append", "/d/f.txt", "This would append 3 bytes to the 11 of /d/f.txt."},
		{"create", "/d/f.txt", "Error: '/d/f.txt' exists already; write replaces its content"},
		{"create", "/d/x/y/new.txt", "- make the folder /d/x: allowed (write)\n- make the folder /d/x/y: allowed (write)"},
	} {
		_, r := w.file("operation", c.op, "path", c.path, "content", "new", "dry_run", true)
		if !strings.Contains(r.Text, c.want) {
			t.Errorf("%s %s: %s", c.op, c.path, r.Text)
		}
	}
	if after := snapshot(t, w.base); !bytes.Equal(before, after) {
		t.Errorf("the tree was\n%s\nand is\n%s", before, after)
	}
}
