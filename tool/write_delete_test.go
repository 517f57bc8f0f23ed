package tool_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paddock"
)

func TestWriteFile(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	w.put("ws/a.txt", "x")
	w.put("ws/d/b.txt", "x")
	if err := os.Chmod(filepath.Join(w.base, "ws/a.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, content, want string }{
		{"/a.txt", "y", "Updated file /a.txt"},
		{"/new.txt", "new", "Created file /new.txt"},
		{"root/new.txt", "again", "Updated file /new.txt"},
		{"/deep/er/new.txt", "line\r\nline\n", "Created file /deep/er/new.txt"},
		{"/empty", "", "Created file /empty"},
		{"/x", "\ufeff\u0000 \u202e日本", "Created file /x"},
		{"/d", "x", "Error: '/d' is a folder, not a file"},
		{"/new/", "x", "Error: '/new/' is a folder, not a file"},
		{"/a.txt/x", "x", "Error: '/a.txt/x': a part of the path is not a folder"},
		{"/" + strings.Repeat("n", 300), "x", "Error: "},
	} {
		r := w.call("write_file", object("file_path", c.path, "content", c.content))
		if !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%s: %q, want %q", c.path, r.Text, c.want)
			continue
		}
		if r.IsError {
			continue
		}
		var out struct {
			Path  string
			Bytes int
		}
		remarshal(t, r.Structured, &out)
		if got := w.has("ws/" + out.Path); got != c.content || out.Bytes != len(c.content) {
			t.Errorf("%s holds %q, want %q", c.path, got, c.content)
		}
	}
	if info, err := os.Stat(filepath.Join(w.base, "ws/a.txt")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
}

// TestInPlace writes a file that has two names: it cannot be replaced as a
// whole without taking one of them away.
func TestInPlace(t *testing.T) {
	var kept bytes.Buffer
	w := newWorld(t, open, paddock.Options{Save: func(virtual string, old io.Reader) error {
		kept.WriteString(virtual + ": ")
		_, err := kept.ReadFrom(old)
		return err
	}})
	w.put("ws/a.txt", "old")
	if err := os.Link(filepath.Join(w.base, "ws/a.txt"), filepath.Join(w.base, "ws/b.txt")); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"write_file", `{"file_path":"/a.txt","content":"new"}`}, {"edit_file", `{"file_path":"/a.txt","old_string":"new","new_string":"newer"}`}} {
		kept.Reset()
		before := w.has("ws/a.txt")
		r := w.call(c[0], c[1])
		var out struct {
			InPlace bool `json:"in_place"`
		}
		remarshal(t, r.Structured, &out)
		if !out.InPlace || !strings.Contains(r.Text, "written in place") || kept.String() != "/a.txt: "+before || w.has("ws/b.txt") != w.has("ws/a.txt") {
			t.Errorf("%s: %q, kept is %q", c[0], r.Text, kept.String())
		}
	}
}

func TestDelete(t *testing.T) {
	w := newWorld(t, open, paddock.Options{})
	for _, name := range []string{"a.txt", "p/a", "p/s/b", "pq", "one/x", "keep.txt", "-rf"} {
		w.put("ws/"+name, "x")
	}
	if err := os.Symlink("keep.txt", filepath.Join(w.base, "ws/link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{`{"path":"/a.txt"}`, "Deleted /a.txt"},
		{`{"path":"/a.txt"}`, "Error: '/a.txt' not found"},
		{`{"path":"/p","recursive":false}`, "Error: '/p' is a folder that is not empty; with recursive true it is deleted with all it holds"},
		{`{"path":"/one"}`, "Deleted /one and the 1 object in it"},
		{`{"path":"/p/"}`, "Deleted /p/ and the 3 objects in it"},
		{`{"path":"/pq/"}`, "Error: '/pq/'"},
		{`{"path":"/link"}`, "Deleted /link"},
		{`{"path":"/-rf","recursive":false}`, "Deleted /-rf"},
		{`{"path":"/*"}`, "Error: '/*' not found"},
		{`{"path":""}`, "Denied: "},
		{`{"path":"/"}`, "Denied: "},
		{`{"path":"/."}`, "Denied: "},
	} {
		if r := w.call("delete", c.args); !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%s: %q, want %q", c.args, r.Text, c.want)
		}
	}
	if got, want := w.call("ls", `{}`).Text, "/keep.txt\n/pq"; got != want {
		t.Errorf("left are %q, want %q", got, want)
	}
}

func TestList(t *testing.T) {
	w := newWorld(t, closed, paddock.Options{})
	w.put("ws/b/x", "12345")
	w.put("ws/a.txt", "x")
	w.put("ws/.env", "x")
	for to, name := range map[string]string{"a.txt": "in", ".env": "hidden", "/etc/passwd": "out", "none": "dangling"} {
		if err := os.Symlink(to, filepath.Join(w.base, "ws", name)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := w.call("ls", `{"path":"/"}`).Text, "/a.txt\n/b/\n/dangling\n/in\n/out\n/ref/"; got != want {
		t.Errorf("/ holds %q, want %q", got, want)
	}
	var out struct {
		Path    string
		Entries []struct {
			Path, Kind, Target, Modified string
			Size                         int
		}
	}
	remarshal(t, w.call("ls", `{"path":"/"}`).Structured, &out)
	kinds := ""
	for _, e := range out.Entries {
		kinds += e.Kind + " "
		if e.Path == "/in" && e.Target != "/a.txt" || e.Path == "/out" && e.Target != "" || e.Path == "/a.txt" && (e.Size != 1 || e.Modified == "") {
			t.Errorf("%+v", e)
		}
	}
	if kinds != "file folder link link link folder " {
		t.Errorf("the kinds are %s", kinds)
	}
	for _, c := range []struct{ args, want string }{
		{`{"path":"/b"}`, "/b/x"},
		{`{"path":"/b/"}`, "/b/x"},
		{`{"path":"/b/../b/."}`, "/b/x"},
		{`{"path":"b"}`, "/b/x"},
		{`{"path":"/ref"}`, "No files found"},
		{`{"path":"/nope"}`, "Error: '/nope' not found"},
		{`{"path":"/a.txt"}`, "Error: '/a.txt'"},
	} {
		if r := w.call("ls", c.args); !strings.HasPrefix(r.Text, c.want) {
			t.Errorf("%s: %q, want %q", c.args, r.Text, c.want)
		}
	}
}
