package paddock_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"paddock"
	"paddock/policy"
)

const commandPolicy = `
version: 1
permissions: read|execute
paths:
  - {slug: root, path: ws, allowed_permission: all, denied_path_regex: ["*.env", "private/"]}
  - {slug: ref, path: ref, allowed_permission: read}
rules: [{operations: [write], paths: ["/asks/**"], mode: interrupt}]
allowed_commands: ["echo*", "cat*", "sort*", "true"]
ask_commands: ["cat secret*"]
`

// A command needs pathless EXECUTE, the lists, the files its line opens and
// EXECUTE on its working directory, in that order of refusals.
func TestAuthorizeCommand(t *testing.T) {
	base := tempDir(t)
	for _, name := range []string{"ws/sub/f", "ws/x.env", "ws/private/p", "ws/a", "ref/r", "ws/asks/f"} {
		put(t, base+"/"+name, "text")
	}
	link(t, "x.env", base+"/ws/to-env")
	link(t, "/etc", base+"/ws/to-etc")
	for _, c := range []struct {
		line, workdir string
		argv          []string
		kind          policy.Kind
		err           error
		asks          bool
	}{
		{line: "true"}, {line: "true", workdir: "/sub"}, {line: "true", workdir: "sub/"}, {argv: []string{"cat", "a b"}}, {argv: []string{"rm", "-rf"}, kind: paddock.CommandDenied}, {line: "ls", kind: paddock.CommandDenied},
		{line: "true", workdir: "/ref", kind: paddock.PermissionDenied}, {line: "true", workdir: "private", kind: paddock.PathAccessDenied}, {line: "true", workdir: "..", kind: paddock.PathAccessDenied},
		{line: "true", workdir: "nosuch", err: fs.ErrNotExist}, {line: "true", workdir: "a", err: paddock.ErrNotDir}, {line: "true", workdir: "~", kind: paddock.PathAccessDenied},
		{line: "cat < a"}, {line: "cat < x.env", kind: paddock.PathAccessDenied}, {line: "cat < sub/../x.env", kind: paddock.PathAccessDenied}, {line: "cat < to-env", kind: paddock.PathAccessDenied}, {line: "cat < ../x.env", workdir: "sub", kind: paddock.PathAccessDenied},
		{line: "cat < BASE/ws/x.env", kind: paddock.PathAccessDenied}, {line: "cat < /etc/hostname"}, {line: "cat < to-etc/hostname"}, {line: "cat < ../nosuch", workdir: "sub"},
		{line: "echo > new"}, {line: "echo >> x.env", kind: paddock.PathAccessDenied}, {line: "echo > BASE/ref/new", kind: paddock.PermissionDenied}, {line: "echo > ../../ref/new", workdir: "sub", kind: paddock.PermissionDenied}, {line: "echo > /dev/null 2>&1"},
		{line: "cat < a | sort > x.env", kind: paddock.PathAccessDenied}, {line: "echo > private/new", kind: paddock.PathAccessDenied}, {line: "cat < nosuch/x"}, {line: "ls > x.env", kind: paddock.CommandDenied},
		{line: "echo > asks/f", asks: true}, {line: "echo > ../asks/new", workdir: "sub", asks: true}, {line: "cat secret", asks: true}, {line: "cat secret > asks/f", asks: true},
	} {
		who := always(yes, nil)
		g := guardAt(t, base, commandPolicy, paddock.Options{Approver: who})
		call := g.Begin("execute", nil)
		line := strings.ReplaceAll(c.line, "BASE", base)
		dir, err := call.AuthorizeCommand(context.Background(), line, c.argv, c.workdir)
		call.End(err)
		what := strings.TrimSpace(c.line + strings.Join(c.argv, " ") + " in " + c.workdir)
		switch {
		case c.kind != "" && kind(err) != c.kind, c.err != nil && !errors.Is(err, c.err), c.kind == "" && c.err == nil && err != nil:
			t.Errorf("%s: %v, want %s %v", what, err, c.kind, c.err)
		case err == nil && dir != base+"/ws"+strings.TrimSuffix("/"+strings.Trim(c.workdir, "/"), "/"):
			t.Errorf("%s: runs in %s", what, dir)
		}
		if asks := len(who.requests); asks > 1 || c.asks != (asks == 1) {
			t.Errorf("%s: %d questions", what, asks)
		}
		if c.asks && !strings.Contains(who.requests[0].Detail, line) {
			t.Errorf("%s: the question shows %q", what, who.requests[0].Detail)
		}
		if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), line, ""), ".env") && !strings.Contains(c.line, ".env") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestCommandNeedsExecute(t *testing.T) {
	g, _ := guard(t, strings.Replace(commandPolicy, "read|execute", "read", 1), paddock.Options{})
	c := g.Begin("execute", nil)
	if _, err := c.AuthorizeCommand(context.Background(), "true", nil, ""); kind(err) != paddock.PermissionDenied {
		t.Error(err)
	}
	if _, err := c.AuthorizeCommand(context.Background(), "ls", nil, "nosuch"); kind(err) != paddock.PermissionDenied {
		t.Errorf("the first reason is the right: %v", err)
	}
}

// A tool of somebody else's gets the real path, for what every right allows.
func TestAuthorize(t *testing.T) {
	book := &recorder{}
	g, base := guard(t, commandPolicy, paddock.Options{Recorder: book})
	put(t, base+"/ws/a", "a")
	link(t, "a", base+"/ws/l")
	for _, c := range []struct {
		path   string
		rights policy.Permission
		real   string
		kind   policy.Kind
	}{
		{"l", policy.Read | policy.Write, "/ws/a", ""}, {"/ref", policy.Read, "/ref", ""}, {"/ref", policy.Read | policy.Write, "", paddock.PermissionDenied}, {"new/file", policy.Write, "/ws/new/file", ""}, {"x.env", policy.Read, "", paddock.PathAccessDenied},
		{"", policy.Execute, "", ""}, {"", policy.Write, "", paddock.PermissionDenied}, {"../../etc/passwd", policy.Read, "", paddock.PathAccessDenied},
	} {
		real, err := g.Authorize(context.Background(), paddock.Request{Tool: "custom", Path: c.path, Rights: c.rights})
		want := ""
		if c.real != "" {
			want = base + c.real
		}
		if real != want || kind(err) != c.kind || c.kind == "" && err != nil {
			t.Errorf("%s %s: %q %v", c.path, c.rights, real, err)
		}
	}
	if _, err := g.Authorize(context.Background(), paddock.Request{Tool: "custom", Path: "x.env", Asked: "send the file", Rights: policy.Read}); err == nil || !strings.HasPrefix(err.Error(), "send x.env (PathAccessDenied") {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if len(book.events) != 18 || book.events[0].Tool != "custom" {
		t.Errorf("%d events: %s", len(book.events), book.steps())
	}
}
