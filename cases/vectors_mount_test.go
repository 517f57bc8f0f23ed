package cases

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"paddock/policy"
)

// A composite backend of the reference is a mount table here. A route that lies
// in another one becomes an entry in the folder of that one.
type routes struct {
	slugs map[string]string // of each route
	dirs  map[string]string // below $T
}

func routesOf(list []string) routes {
	t := routes{map[string]string{}, map[string]string{}}
	sort.Slice(list, func(i, j int) bool { return len(list[i]) < len(list[j]) })
	for _, route := range list {
		plain := strings.Trim(route, "/")
		t.slugs[route] = plain[strings.LastIndexByte(plain, '/')+1:]
		t.dirs[route] = "m/" + plain
	}
	return t
}

// ours turns a path of the reference into the name that the object has here.
func (t routes) ours(name string) string {
	best := ""
	for route := range t.slugs {
		plain := "/" + strings.Trim(route, "/")
		if (name == plain || strings.HasPrefix(name, plain+"/")) && len(plain) > len(best) {
			best = plain
		}
	}
	for route, slug := range t.slugs {
		if best != "" && "/"+strings.Trim(route, "/") == best {
			return "/" + slug + name[len(best):]
		}
	}
	return name
}

func (v *vector) mountWorld() (*run, routes) {
	var names []string
	switch given := v.Given["routes"].(type) {
	case []any:
		names = texts(given)
	case map[string]any:
		for name := range given {
			names = append(names, name)
		}
	}
	t := routesOf(names)
	r := &run{world: newWorld(v.t), c: &bugCase{}, ctx: context.Background()}
	contents, _ := v.Given["contents"].(map[string]any)
	put := func(dir, prefix string, files any) {
		r.mkdir(filepath.Join(r.top, dir))
		for name, content := range filesOf(files) {
			if written, ok := contents[strings.TrimSuffix(prefix, "/")+name].(string); ok {
				content = written
			}
			r.write(filepath.Join(r.top, dir, name), []byte(content))
		}
	}
	put("proj", "", v.Given["default"])
	text := "approval: {chain: [auto_deny]}\npaths:\n  - {slug: root, path: proj, allowed_permission: all}\n"
	for _, name := range names {
		files, _ := v.Given["routes"].(map[string]any)
		put(t.dirs[name], name, files[name])
		text += fmt.Sprintf("  - {slug: %s, path: %s, allowed_permission: all}\n", quote(t.slugs[name]), quote(t.dirs[name]))
	}
	r.policy = mapped{file: filepath.Join(r.top, "policy.yaml"), text: text}
	r.load()
	if r.loadErr != nil {
		v.t.Fatal(r.loadErr)
	}
	r.before = r.snapshot(r.top)
	return r, t
}

// route compares which mount a path leads to, and where in it.
func (v *vector) route() {
	r, t := v.mountWorld()
	in := text(v.When, "path")
	e, err := r.guard.Explain(r.ctx, policy.Read, t.ours(in))
	if err != nil {
		v.t.Fatal(err)
	}
	want := "root " + text(v.Then, "backend_path")
	if route := text(v.Then, "route"); route != "" {
		want = t.slugs[route] + " " + strings.TrimSuffix("/"+t.slugs[route]+text(v.Then, "backend_path"), "/")
	}
	v.same("mount and path", e.Entry+" "+e.Virtual, want, because(strings.HasPrefix(in, "//"), weSlashes))
}

// mounted runs one call over several mounts.
func (v *vector) mounted() {
	r, t := v.mountWorld()
	switch v.Area {
	case "composite.ls":
		a := r.call("ls", map[string]any{"path": text(v.When, "ls")})
		v.comparePaths(a.listed(), t)
	case "composite.glob", "composite.grep":
		name := strings.TrimPrefix(v.Area, "composite.")
		args := map[string]any{}
		for key, value := range v.When {
			args[key] = value
		}
		a := r.call(name, args)
		if truncated, _ := v.Then["truncated"].(bool); truncated {
			v.same("truncated", a.field("truncated"), true)
			v.same("hits", len(a.listed()), v.When["max_count"])
			return
		}
		v.comparePaths(a.listed(), t)
	case "composite.read":
		a := r.call("read_file", map[string]any{"file_path": text(v.When, "read")})
		v.same("fails", a.status() == "error", v.Then["error"] != nil)
		if v.Then["error"] != nil && !strings.Contains(a.text, text(v.When, "read")) {
			v.t.Errorf("the error does not name the path as it was asked: %s", a.text)
		}
	case "composite.write":
		at := text(v.When, "write")
		a := r.call("write_file", map[string]any{"file_path": at, "content": "new\n"})
		v.same("status", a.status(), "success")
		v.same("path", a.field("path"), t.ours(text(v.Then, "path")))
	case "composite.delete":
		a := r.call("delete", map[string]any{"path": text(v.When, "delete")})
		v.same("fails", a.status() == "error", v.Then["error"] != nil, weMountStays)
		if a.status() == "error" && (r.changed(r.at["P"]) || r.changed(filepath.Join(r.top, "m"))) {
			v.t.Error("something was deleted all the same")
		}
	}
}

func (v *vector) comparePaths(ours []string, t routes) {
	var theirs []string
	for _, name := range texts(v.Then["paths"]) {
		theirs = append(theirs, t.ours(name))
	}
	slices.Sort(theirs)
	if theirs == nil {
		theirs = []string{}
	}
	_, hasNested := t.slugs["/mem/priv/"]
	v.same("paths", ours, theirs, because(v.weak(), weWeakness), because(v.When["glob"] != nil, weOneContract),
		because(hasNested && (v.Area == "composite.ls" || strings.HasPrefix(text(v.When, "path"), "/mem")), weNested), because(v.Area == "composite.glob" && strings.Contains(text(v.When, "pattern"), "/"), weOneContract))
}
