package cases

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paddock/internal/glob"
)

// pathsIn finds the virtual paths that an answer names.
var pathsIn = regexp.MustCompile(`(?m)/[^\s'",:\[\]]*`)

func pathSet(text string) []string {
	all := pathsIn.FindAllString(text, -1)
	if all == nil {
		all = []string{}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// texts turns a JSON list into texts, sorted.
func texts(list any) []string {
	all := []string{}
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, item.(string))
	}
	slices.Sort(all)
	return all
}

// listed are the paths of an answer's structured form, sorted. Folders end in a
// slash.
func (a answer) listed() []string {
	all := []string{}
	for _, key := range []string{"files", "entries"} {
		items, _ := a.field(key).([]any)
		for _, item := range items {
			switch item := item.(type) {
			case string:
				all = append(all, item)
			case map[string]any:
				name := text(item, "path")
				if text(item, "kind") == "dir" || text(item, "kind") == "folder" {
					name = strings.TrimSuffix(name, "/") + "/"
				}
				all = append(all, name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// permissionTool compares status and, where both succeed, which paths are told.
func (v *vector) permissionTool() {
	args, _ := v.When["args"].(map[string]any)
	name := text(v.When, "tool")
	r := v.world(v.Given["rules"])
	a := r.call(name, args)
	at := text(args, "path") + text(args, "file_path")
	v.same("status", a.status(), v.Then["status"], because(hasFolderRule(v.Given["rules"], at), weFolder))
	if a.status() != "success" || v.Then["status"] != "success" || name == "write_file" || name == "edit_file" || name == "read_file" || name == "delete" {
		return
	}
	theirs := pathSet(strings.SplitN(text(v.Then, "content"), "\n\nNote:", 2)[0])
	p, someRight := v.policyOf(v.Given["rules"]), name != "grep"
	for _, told := range a.listed() {
		if slices.Contains(theirs, told) {
			continue
		}
		writable := verdict(p, told, rightOf["write"]) != "deny"
		someRight = someRight && writable
		if verdict(p, told, rightOf["read"]) == "deny" && (name == "grep" || !writable) {
			v.t.Errorf("%s is told", told)
		}
	}
	v.same("paths", a.listed(), theirs, because(args["max_count"] != nil, weFilterFirst), because(someRight, weSomeRight))
}

func (v *vector) globMatch() {
	pattern := strings.Replace(text(v.Given, "pattern")+text(v.When, "pattern"), "{a,b} x40 + ", strings.Repeat("{a,b}", 40), 1)
	in, err := glob.CompileInclude(pattern)
	if _, bad := v.Then["error_prefix"]; bad {
		v.same("refused", err != nil, true)
		return
	}
	matches := err == nil && in.Match(text(v.When, "relative_path")+text(v.Given, "relative_path"))
	v.same("matches", matches, v.Then["matches"])
}

func (v *vector) globSearch() {
	r := v.world(nil)
	a := r.call("glob", v.When)
	v.same("paths", a.listed(), texts(v.Then["paths"]), v.links())
}

// links is a reason where links are about.
func (v *vector) links() string { return because(v.Given["symlinks"] != nil, weLinks) }

func (v *vector) grepSearch() {
	r := v.world(nil)
	args := map[string]any{"output_mode": "content"}
	for key, value := range v.When {
		args[key] = value
	}
	a := r.call("grep", args)
	if paths, ok := v.Then["paths"]; ok {
		v.same("paths", a.listed(), texts(paths))
	}
	if n, ok := v.Then["match_count"]; ok {
		v.same("matches", a.field("match_count"), n)
	}
	if truncated, ok := v.Then["truncated"]; ok {
		v.same("truncated", a.field("truncated"), truncated)
	}
}

func (v *vector) regexHint() {
	v.Given["files"] = map[string]any{"/a.txt": "nothing of that kind\n"}
	a := v.world(nil).call("grep", map[string]any{"pattern": text(v.When, "pattern")})
	v.same("hint", strings.Contains(a.text, "regular expression") || strings.Contains(a.text, "regex"), v.Then["hint"])
}

// exactText compares the wording too.
func (v *vector) exactText() {
	args, _ := v.When["args"].(map[string]any)
	a := v.world(v.Given["rules"]).call(text(v.When, "tool"), args)
	v.same("status", a.status(), v.Then["status"])
	v.same("text", a.text, v.Then["content"])
}

func (v *vector) statusOnly() {
	args, _ := v.When["args"].(map[string]any)
	a := v.world(v.Given["rules"]).call(text(v.When, "tool"), args)
	v.same("status", a.status(), v.Then["status"])
}

func (v *vector) readTool() {
	args, _ := v.When["args"].(map[string]any)
	a := v.world(v.Given["rules"]).call("read_file", args)
	v.same("status", a.status(), v.Then["status"])
	if a.status() == "success" && !strings.Contains(text(v.Then, "content"), "System reminder") {
		v.same("rows", rows(a.text), rows(text(v.Then, "content")))
	}
}

// aRow is a line of a file as read_file shows it.
var aRow = regexp.MustCompile(`^ *(\d+(?:\.\d+)?)  (.*)$`)

func rows(text string) []string {
	all := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if m := aRow.FindStringSubmatch(line); m != nil {
			all = append(all, m[1]+"|"+m[2])
		}
	}
	return all
}

// theRest is the note at the end of a page.
var theRest = regexp.MustCompile(`lines? \(lines (\d+)-(\d+)(?: of (\d+) total)?\)`)

func (v *vector) readSlice() {
	v.Given["files"] = map[string]any{"/f": v.Given["content"]}
	a := v.world(nil).call("read_file", map[string]any{"file_path": "/f", "offset": v.When["offset"], "limit": v.When["limit"]})
	if v.Then["error"] != nil {
		v.same("status", a.status(), "error")
		return
	}
	v.same("status", a.status(), "success")
	var shown []string
	for _, row := range rows(a.text) {
		_, line, _ := strings.Cut(row, "|")
		shown = append(shown, line)
	}
	content := strings.TrimSuffix(text(v.Then, "content"), "\n")
	if strings.TrimSpace(content) == "" {
		content = "" // blank files are shown as a reminder
		shown = nil
	}
	// A form feed or the like splits a line in the reference only.
	v.same("lines", strings.Join(shown, "\n"), content, because(strings.ContainsAny(text(v.Given, "content"), "\f\v\x1c\x1d\x1e\u0085\u2028\u2029"), "lines end at line feeds, CR LF and CR alone"))
	if note := theRest.FindStringSubmatch(a.text); note != nil && v.differs == "" {
		v.same("first line", note[1], v.Then["start_line"])
		v.same("last line", note[2], v.Then["end_line"])
		if note[3] != "" {
			v.same("lines in all", note[3], v.Then["total_lines"])
		}
	} else if next := v.Then["next_offset"]; next != nil && v.differs == "" {
		v.t.Errorf("the answer does not say that more follows from %v: %s", next, a.text)
	}
}

func (v *vector) readFormat() {
	var lines []string
	repeated := regexp.MustCompile(`^'(.*)' x (\d+)$`)
	list, _ := v.Given["lines"].([]any)
	for _, line := range list {
		if m := repeated.FindStringSubmatch(line.(string)); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				v.t.Fatal(err)
			}
			line = strings.Repeat(m[1], n)
		}
		lines = append(lines, line.(string))
	}
	start := number(v.Given, "start_line")
	content := strings.Repeat("before\n", max(0, start-1)) + strings.Join(lines, "\n")
	v.Given["files"] = map[string]any{"/f": content}
	a := v.world(nil).call("read_file", map[string]any{"file_path": "/f", "offset": max(0, start-1)})
	told := strings.Split(a.text, "\n\n[")[0]
	if want, ok := v.Then["rows"]; ok {
		all := []string{}
		for _, row := range want.([]any) {
			all = append(all, row.(string))
		}
		v.same("rows", strings.Split(told, "\n"), all)
	}
	if want, ok := v.Then["row_markers"]; ok {
		var marks []string
		for _, row := range rows(told) {
			mark, _, _ := strings.Cut(row, "|")
			marks = append(marks, mark)
		}
		v.same("marks", marks, want)
	}
}

func (v *vector) editReplace() {
	v.Given["files"] = map[string]any{"/f": v.Given["content"]}
	r := v.world(nil)
	args := map[string]any{"file_path": "/f"}
	for key, value := range v.When {
		args[key] = value
	}
	a := r.call("edit_file", args)
	idle := because(v.When["old_string"] == v.When["new_string"], weNoChange)
	v.same("fails", a.status() == "error", v.Then["error"] != nil, idle)
	if v.Then["error"] == nil {
		v.same("content", read(r.at["P"]+"/f"), v.Then["content"])
		v.same("places", a.field("replaced"), v.Then["occurrences"], idle)
	} else if r.changed(r.at["P"]) {
		v.t.Error("the file changed")
	}
}

// editDisk: the reference rewrites every line ending.
func (v *vector) editDisk() {
	args, _ := v.When["args"].(map[string]any)
	r := v.world(nil)
	before := text(v.Given, "bytes")
	r.write(r.at["P"]+"/c.txt", []byte(before))
	sent := map[string]any{"file_path": "/c.txt"}
	for key, value := range args {
		sent[key] = value
	}
	a := r.call("edit_file", sent)
	v.same("status", a.status(), v.Then["status"])
	want := strings.Replace(before, text(args, "old_string"), text(args, "new_string"), 1)
	if got := read(r.at["P"] + "/c.txt"); got != want {
		v.t.Errorf("the file is %q; want %q", got, want)
	}
	v.same("bytes", want, v.Then["bytes_after"], "the file keeps its line endings")
}

func (v *vector) writeTool() {
	args, _ := v.When["args"].(map[string]any)
	r := v.world(v.Given["rules"])
	a := r.call("write_file", args)
	v.same("status", a.status(), v.Then["status"])
	if content, ok := v.Then["content_after"]; ok {
		v.same("content", read(r.at["P"]+text(args, "file_path")), content)
	}
}

func (v *vector) deleteFiles() {
	r := v.world(nil)
	a := r.call("delete", map[string]any{"path": text(v.When, "delete")})
	v.same("fails", a.status() == "error", v.Then["error"] != nil, because(v.weak(), weWeakness), because(strings.Trim(text(v.When, "delete"), "/.") == "", weMountStays))
	if after, ok := v.Then["files_after"]; ok && v.differs == "" {
		v.same("files left", r.filesLeft(), texts(after))
	}
}

func (v *vector) list() {
	r := v.world(nil)
	a := r.call("ls", map[string]any{"path": text(v.When, "ls")})
	_, missing := os.Lstat(r.at["P"] + text(v.When, "ls"))
	v.same("fails", a.status() == "error", v.Then["error"] != nil, because(missing != nil, weMissing))
	if v.Then["error"] == nil && v.differs == "" {
		v.same("paths", a.listed(), texts(v.Then["paths"]), v.links())
	}
}
