package tool_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paddock"
	"paddock/tool"
)

// TestContextHostileArguments sends what no client should.
func TestContextHostileArguments(t *testing.T) {
	t.Parallel()
	w := familyWorld(t, paddock.Options{})
	before := snapshot(t, w.base)
	deep := strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000)
	for _, one := range tool.Context() {
		for _, c := range []struct{ args, want string }{
			{``, "Error: 'operation' is missing"},
			{`null`, "Error: 'operation' is missing"},
			{`[]`, "Error: the arguments must be a JSON object"},
			{`{"operation":"format","path":"/"}`, "Error: operation must be one of "},
			{`{"operation":"","path":"/"}`, "Error: operation must be one of "},
			{`{"operation":"READ","path":"/"}`, "Error: operation must be one of "},
			{`{"operation":7,"path":"/"}`, "Error: 'operation' must be a string"},
			{`{"operation":"info","operation":"delete","path":"/d/f.txt"}`, "Error: 'operation' is given twice"},
			{`{"operation":"info","Operation":"delete","path":"/d/f.txt"}`, "Error: 'operation' and 'Operation' differ in letter case alone"},
			{`{"operation":"info","path":"/d","recursiv":true}`, "Error: 'recursiv' is not known here"},
			{`{"operation":"info","path":"\ud800"}`, "Error: 'path' holds half of a surrogate pair"},
			{`{"operation":"info","path":` + deep + `}`, "Error: "},
			{"{\"operation\":\"info\",\"path\":\"\xff\"}", "Error: the arguments are not valid UTF-8"},
			{`{"operation":"` + strings.Repeat("x", 100_000) + `","path":"/"}`, "Error: operation must be one of "},
		} {
			r := w.use(one.Name, c.args)
			if !strings.HasPrefix(r.Text, c.want) || len(r.Text) > 5000 {
				t.Errorf("%s %.80s: %.200s, want %q", one.Name, c.args, r.Text, c.want)
			}
		}
	}
	for _, c := range []struct{ tool, args string }{
		{"file_tool", `{"operation":"read","path":"/d/f.txt","byte_offset":-1}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","byte_offset":9007199254740991}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","byte_offset":1e300}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","byte_limit":0}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","offset":9007199254740991}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","limit":-1}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","offset":0,"byte_offset":0}`},
		{"file_tool", `{"operation":"read","path":"/d/f.txt","encoding":"ebcdic"}`},
		{"file_tool", `{"operation":"hash","path":"/d/f.txt","algorithm":"../../etc/passwd"}`},
		{"file_tool", `{"operation":"write","path":"/d/f.txt"}`},
		{"file_tool", `{"operation":"write","path":"/d/f.txt","content":"?","encoding":"base64"}`},
		{"file_tool", `{"operation":"write","path":"/d/f.txt","content":"€","encoding":"latin-1"}`},
		{"file_tool", `{"operation":"append","path":"/d/f.txt","content":"x","encoding":"utf-16"}`},
		{"file_tool", `{"operation":"edit","path":"/d/f.txt","old_string":"old"}`},
		{"file_tool", `{"operation":"edit","path":"/d/f.txt","old_string":"old","new_string":"old"}`},
		{"file_tool", `{"operation":"copy","path":"/d/f.txt"}`},
		{"file_tool", `{"operation":"move","path":"/d/f.txt","destination":"/d/f.txt","overwrite":true}`},
		{"file_tool", `{"operation":"move","path":"/d/f.txt","destination":"/d/sub"}`},
		{"file_tool", `{"operation":"copy","path":"/d/f.txt","destination":"/d/sub","overwrite":true}`},
		{"file_tool", `{"operation":"copy","path":"/d/f.txt","destination":"/nowhere/x"}`},
		{"file_tool", `{"operation":"delete","path":"/d/f.txt/"}`},
		{"directory_tool", `{"operation":"delete","path":"/"}`},
		{"directory_tool", `{"operation":"delete","path":"/ask","recursive":true}`},
		{"directory_tool", `{"operation":"delete","path":"/d"}`},
		{"directory_tool", `{"operation":"move","path":"/d","destination":"/d/sub/d"}`},
		{"directory_tool", `{"operation":"copy","path":"/d","destination":"/d/sub/d"}`},
		{"directory_tool", `{"operation":"copy","path":"/d","destination":"/d"}`},
		{"directory_tool", `{"operation":"tree","path":"/d","depth":0}`},
		{"directory_tool", `{"operation":"tree","path":"/d","max_count":100000000}`},
		{"directory_tool", `{"operation":"tree","path":"/d","per_folder":-1}`},
		{"search_tool", `{"operation":"grep","path":"/d"}`},
		{"search_tool", `{"operation":"grep","path":"/d","pattern":"("  ,"regex":true}`},
		{"search_tool", `{"operation":"find","path":"/d","pattern":"` + strings.Repeat("{a,b}", 40) + `"}`},
		{"search_tool", `{"operation":"find","path":"/d","include":["*","` + strings.Repeat("{a,b}", 40) + `"]}`},
		{"search_tool", `{"operation":"find","path":"/d","exclude":["a\nb"]}`},
		{"search_tool", `{"operation":"find","path":"/d","exclude":["[a"]}`},
		{"search_tool", `{"operation":"find","path":"/d","exclude":["` + strings.Repeat("x", 2000) + `"]}`},
		{"search_tool", `{"operation":"find","path":"/d","exclude":["x"` + strings.Repeat(`,"x"`, 200) + `]}`},
		{"search_tool", `{"operation":"find","path":"/d","include":["x"` + strings.Repeat(`,"x"`, 200) + `]}`},
		{"directory_tool", `{"operation":"delete","recursive":true}`},
		{"directory_tool", `{"operation":"move","destination":"/x"}`},
		{"search_tool", `{"operation":"find","path":"/d","modified_after":"yesterday"}`},
		{"search_tool", `{"operation":"find","path":"/d","modified_before":"2026-13-01"}`},
		{"search_tool", `{"operation":"find","path":"/d","min_size":-1}`},
		{"search_tool", `{"operation":"find","path":"/d","depth":0}`},
		{"search_tool", `{"operation":"find","path":"/d","max_count":0}`},
		{"search_tool", `{"operation":"find","path":"/d","type":"socket"}`},
		{"search_tool", `{"operation":"grep","path":"/d","pattern":"x","context":21}`},
		{"search_tool", `{"operation":"grep","path":"/d","pattern":"x","output_mode":"json"}`},
	} {
		if r := w.use(c.tool, c.args); !r.IsError || len(r.Text) > 5000 {
			t.Errorf("%s %.120s: %.200s", c.tool, c.args, r.Text)
		}
	}
	if after := snapshot(t, w.base); !bytes.Equal(before, after) {
		t.Errorf("the tree was\n%s\nand is\n%s", before, after)
	}
}

// TestPrintedPathsAreTaken gives every path of an answer back to the tools.
func TestPrintedPathsAreTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, open, paddock.Options{})
	for _, name := range []string{"plain", "two words", "new\nline", "tab\t", "\x1b[2J", "broken\xff", `back\x41slash`, "a\u202eb", "ünï", "-dash", "*star"} {
		w.put("ws/"+name, "hit\n")
		w.put("ws/in "+name+"/f", "hit\n")
	}
	seen := 0
	for _, c := range []struct{ tool, args string }{
		{"directory_tool", `{"operation":"list"}`}, {"directory_tool", `{"operation":"tree","depth":9}`},
		{"search_tool", `{"operation":"find"}`}, {"search_tool", `{"operation":"grep","pattern":"hit"}`},
	} {
		var out struct {
			Entries, Files []struct{ Path, Kind string }
		}
		r := w.use(c.tool, c.args)
		remarshal(t, r.Structured, &out)
		for _, e := range append(out.Entries, out.Files...) {
			seen++
			if c.args != `{"operation":"tree","depth":9}` && !slices.Contains(strings.Split(r.Text, "\n"), e.Path) {
				t.Errorf("%s %s: %q is not in the text", c.tool, c.args, e.Path)
			}
			again := w.use("file_tool", object("operation", "info", "path", e.Path))
			var info struct{ Path, Kind string }
			remarshal(t, again.Structured, &info)
			if again.IsError || info.Path != strings.TrimSuffix(e.Path, "/") || e.Kind != "" && info.Kind != e.Kind {
				t.Errorf("%s: %s", e.Path, again.Text)
			}
			if e.Kind == "folder" {
				continue
			}
			for _, operation := range []string{"read", "hash"} {
				var back struct{ Path string }
				again := w.use("file_tool", object("operation", operation, "path", e.Path))
				remarshal(t, again.Structured, &back)
				if again.IsError || back.Path != e.Path {
					t.Errorf("%s %s: %s", operation, e.Path, again.Text)
				}
			}
		}
	}
	if seen != 22+33+33+22 {
		t.Errorf("%d paths were seen: %s", seen, fmt.Sprint(w.use("search_tool", `{"operation":"find"}`).Text))
	}
}
