package paddock_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/policy"
)

// endless is a backend of which each folder holds a thousand objects, half of
// them folders, and all of them with several names.
type endless struct {
	backend.Backend
	lists int
}

func (e *endless) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if strings.Count(name, "/") > 2 {
		return nil, backend.ErrName // an end that nobody lives to see
	}
	e.lists++
	all := make([]backend.Entry, 1000)
	for i := range all {
		kind := backend.File
		if i%2 == 0 {
			kind = backend.Dir
		}
		all[i] = backend.Entry{Name: fmt.Sprintf("n%03d", i), Info: backend.Info{Kind: kind, ID: backend.ID{Dev: 1, Ino: uint64(e.lists*1000 + i)}, Links: 2}}
	}
	return all, nil
}

func (e *endless) Stat(_ context.Context, name string) (backend.Info, error) {
	if strings.Contains(name, "nosuch") {
		return backend.Info{}, fs.ErrNotExist
	}
	kind := backend.Dir
	if strings.HasSuffix(name, "file") {
		kind = backend.File
	}
	return backend.Info{Kind: kind, ID: backend.ID{Dev: 1, Ino: 7}, Links: 2}, nil
}

func over(t *testing.T, b backend.Backend, rules string) *paddock.Guard {
	t.Helper()
	return guardAt(t, tempDir(t), "version: 1\npaths: [{slug: root, backend: own, allowed_permission: all}]\n"+rules, paddock.Options{
		Mounts: map[string]backend.Backend{"root": b},
	})
}

// A tree without end ends every call with a clear word.
func TestEndlessTree(t *testing.T) {
	e := &endless{Backend: backend.NewMemory(1)}
	g := over(t, e, `denied_path_regex: ["*.env"]`)
	ctx := context.Background()
	if n, err := remove(g, "d", true); n != 0 || err == nil || !strings.Contains(err.Error(), "more than 200000 objects") {
		t.Errorf("delete: %d %v", n, err)
	}
	c := g.Begin("tool", nil)
	defer c.End(nil)
	if n, err := c.Copy(ctx, "d", "nosuch", false); n != 0 || err == nil || !strings.Contains(err.Error(), "more than 200000 objects") {
		t.Errorf("copy: %d %v", n, err)
	}
	if err := c.Move(ctx, "d", "nosuch", false); err == nil || !strings.Contains(err.Error(), "more than 200000 objects") {
		t.Errorf("move: %v", err)
	}
	// Neither do the names of a file; the second answer does not walk again.
	for range 2 {
		if _, err := c.Write(ctx, "file", nil, paddock.WriteOptions{Replace: true}); err == nil || !strings.Contains(err.Error(), "too many files here to know them all") {
			t.Errorf("write: %v", err)
		}
	}
	if e.lists > 1600 {
		t.Errorf("%d folders were listed", e.lists)
	}
	n := 0
	err := c.Walk(ctx, "d", paddock.WalkOptions{}, func(*paddock.Visit) error {
		if n++; n == 5000 {
			return fs.SkipAll
		}
		return nil
	})
	if n != 5000 || err != nil {
		t.Errorf("walked %d: %v", n, err)
	}
	stop, cancel := context.WithCancel(ctx)
	n = 0
	err = c.Walk(stop, "d", paddock.WalkOptions{}, func(*paddock.Visit) error {
		if n++; n == 5000 {
			cancel()
		}
		return nil
	})
	if n != 5000 || !errors.Is(err, context.Canceled) {
		t.Errorf("walked %d: %v", n, err)
	}
	if _, err := c.Delete(stop, "d", paddock.DeleteOptions{Recursive: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("delete: %v", err)
	}
}

// blind is a backend that cannot list.
type blind struct {
	*backend.Memory
}

func (blind) ReadDir(context.Context, string) ([]backend.Entry, error) {
	return nil, &fs.PathError{Op: "list", Path: "/host/name", Err: backend.ErrUnsupported}
}

// Where a folder cannot be listed, the rules are asked what they might deny in
// it, and a delete is refused when they might.
func TestDeleteWhereNothingIsListed(t *testing.T) {
	for _, c := range []struct {
		rules  string
		denied bool
	}{
		{"", false}, {`rules: [{operations: [write], paths: ["/other/**"], mode: deny}]`, false}, {`rules: [{operations: [read], paths: ["/d/x"], mode: deny}]`, false},
		{`rules: [{operations: [write], paths: ["/d/x"], mode: deny}]`, true}, {`rules: [{operations: [write], paths: ["/**/x"], mode: deny}]`, true}, {`denied_path_regex: ["*.env"]`, true},
	} {
		m := backend.NewMemory(1 << 20)
		if err := m.Mkdir(context.Background(), "d", 0); err != nil {
			t.Fatal(err)
		}
		g := over(t, blind{m}, c.rules)
		n, err := remove(g, "d", true)
		if c.denied != (kind(err) == paddock.PathAccessDenied) || c.denied == (n == 1) {
			t.Errorf("%s: %d %v", c.rules, n, err)
		}
		if _, err := list(g, "d"); !c.denied && err == nil || err != nil && strings.Contains(err.Error(), "/host") {
			t.Errorf("%s: list: %v", c.rules, err)
		}
	}
}

// A walk may leave a folder out, and opens only what was granted.
func TestWalkVisits(t *testing.T) {
	const text = `
version: 1
paths: [{slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env"]}]
rules:
  - {operations: [read], paths: ["/blind/**"], mode: deny}
  - {operations: [read], paths: ["/ask/q"], mode: interrupt}
`
	files := map[string]string{"a": "a", "blind/b": "SECRET", "ask/p": "p", "ask/q": "q", "skip/s": "s", "x.env": "SECRET", "z": "z"}
	for name, approver := range map[string]paddock.Approver{"yes": always(yes, nil), "no": nil} {
		base := tempDir(t)
		for name, text := range files {
			put(t, base+"/ws/"+name, text)
		}
		g := guardAt(t, base, text, paddock.Options{Approver: approver})
		var got []string
		err := g.Begin("grep", nil).Walk(context.Background(), "/", paddock.WalkOptions{}, func(v *paddock.Visit) error {
			if v.Name == "skip" {
				return fs.SkipDir
			}
			word := v.Rel
			if f, err := v.Open(context.Background()); err == nil {
				word += "+"
				_ = f.Close()
			} else if kind(err) != "" {
				word += "-"
			} else if !errors.Is(err, paddock.ErrIsDir) {
				t.Errorf("%s: %v", v.Rel, err)
			}
			got = append(got, word)
			return nil
		})
		want := ". a+ ask ask/p+ ask/q+ blind z+"
		if approver == nil {
			want = ""
			if kind(err) != paddock.ApprovalDenied {
				t.Errorf("nobody to ask: %v", err)
			}
		} else if err != nil {
			t.Error(err)
		}
		// What may be written and not read is seen, and not entered.
		if name == "yes" && strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	for _, path := range []string{"nosuch", "x.env"} {
		g, _ := guard(t, text, paddock.Options{Approver: always(yes, nil)})
		if names, err := walk(g, path, paddock.WalkOptions{}); err == nil || len(names) > 0 {
			t.Errorf("%s: %v %v", path, names, err)
		}
	}
}

// Of several reasons the first in the order of the decision is named.
func TestOrderOfReasons(t *testing.T) {
	const text = `version: 1
permissions: none
denied_path_regex: ["/ctx/"]
paths:
  - slug: root
    path: ws
    allowed_permission: read
    denied_permission: write
    denied_path_regex: ["*.env"]
rules:
  - {operations: [read, write], paths: ["/ruled/**", "/ctx/**", "/**/*.env"], mode: deny}
require_approval_for: read
`
	base := tempDir(t)
	for _, name := range []string{"ctx/x.env", "ruled/x.env", "ruled/f", "f"} {
		put(t, base+"/ws/"+name, "f")
	}
	g := guardAt(t, base, text, paddock.Options{Own: policy.Own{Files: []string{base + "/ws/ctx/x.env", base + "/ws/f"}}})
	for _, c := range []struct {
		right policy.Permission
		path  string
		kind  policy.Kind
		line  int
	}{
		{policy.Read, "~/ctx/x.env", paddock.PathAccessDenied, 0}, {policy.Read, "../x.env", paddock.PathAccessDenied, 4}, {policy.Write, "ctx/x.env", paddock.PathAccessDenied, 0}, {policy.Write, "f", paddock.PathAccessDenied, 0}, {policy.Read, "ctx/x.env", paddock.PathAccessDenied, 3},
		{policy.Read, "ruled/x.env", paddock.PathAccessDenied, 9}, {policy.Write, "ruled/f", paddock.PathAccessDenied, 11}, {policy.Write, "g", paddock.PathAccessDenied, 8}, {policy.Delete, "g", paddock.PermissionDenied, 7}, {policy.Read, "g", paddock.ApprovalDenied, 12},
	} {
		_, err := g.Authorize(context.Background(), paddock.Request{Tool: "t", Path: c.path, Rights: c.right})
		var denial *paddock.Denial
		if !errors.As(err, &denial) || denial.Kind != c.kind {
			t.Errorf("%s %s: %v, want %s", c.right, c.path, err, c.kind)
			continue
		}
		line := 0
		if len(denial.Because) > 0 {
			line = denial.Because[0].Line
		}
		if line != c.line {
			t.Errorf("%s %s: line %d, want %d: %v", c.right, c.path, line, c.line, denial.Because)
		}
	}
}
