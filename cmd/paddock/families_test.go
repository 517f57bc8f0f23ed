package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"paddock/internal/mcpserver"
)

// TestToolFamilies serves each choice of tools to a real client.
func TestToolFamilies(t *testing.T) {
	rules := []string{"ls", "read_file", "write_file", "edit_file", "glob", "grep", "delete"}
	context := []string{"file_tool", "directory_tool", "search_tool"}
	both := append(slices.Clone(rules), context...)
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{nil, rules}, {[]string{"--tools", "rules"}, rules}, {[]string{"--tools", "context"}, context}, {[]string{"--tools", "all"}, both},
	} {
		b := policyBox(t)
		client, err := mcpserver.Dial(t.Context(), b.command(append([]string{"serve"}, c.flags...)...), "2025-11-25")
		must(t, err)
		got, err := client.Tools(t.Context())
		must(t, err)
		for _, name := range both {
			if slices.Contains(got, name) != slices.Contains(c.want, name) {
				t.Errorf("%v: the tools are %q", c.flags, got)
			}
		}
		if slices.Contains(c.want, "file_tool") {
			r, err := client.Call(t.Context(), "file_tool", map[string]any{"operation": "read", "path": "notes.txt"})
			if err != nil || r.IsError || !strings.Contains(r.Text, "two") {
				t.Errorf("%v: read: %+v, %v", c.flags, r, err)
			}
			r, err = client.Call(t.Context(), "file_tool", map[string]any{"operation": "read", "path": ".env"})
			if err != nil || !r.IsError || r.Kind != "PathAccessDenied" {
				t.Errorf("%v: read of what is denied: %+v, %v", c.flags, r, err)
			}
		}
		must(t, client.Close())
	}
}

// TestCallKnowsBothFamilies from the command line.
func TestCallKnowsBothFamilies(t *testing.T) {
	b := policyBox(t)
	b.want(b.run("serve", "--tools", "none"), exitUsage, "", "--tools must be one of")
	b.want(b.run("tools"), 0, "info needs any right", "")
	b.want(b.run("call", "file_tool", `{"operation":"read","path":"/notes.txt"}`), 0, "two", "")
	b.want(b.run("call", "search_tool", `{"operation":"find","pattern":"notes*"}`), 0, "/notes.txt", "")
	b.want(b.run("call", "file_tool", `{"operation":"read","path":"/.env"}`), exitDenied, "", "Denied: ")
	if r := b.run("call", "directory_tool", `{"operation":"tree","path":"/"}`); r.code != 0 || strings.Contains(r.out, ".env") || strings.Contains(r.out, b.dir) {
		t.Errorf("exit %d: %s%s", r.code, r.out, r.err)
	}
}

// TestToolFamiliesOverHTTP: the choice counts for each client there, too.
func TestToolFamiliesOverHTTP(t *testing.T) {
	h := policyBox(t).serveHTTP("--tools", "context")
	kept, err := os.ReadFile(h.token)
	must(t, err)
	token := strings.TrimSpace(string(kept))
	if text, bad := h.call(token, "", "search_tool", map[string]any{"operation": "grep", "pattern": "two"}); bad || text != "/notes.txt" {
		t.Errorf("search_tool says %s", text)
	}
	session, err := h.connect(token, "")
	must(t, err)
	list, err := session.ListTools(t.Context(), nil)
	must(t, err)
	for _, one := range list.Tools {
		if one.Name == "ls" || one.Name == "read_file" {
			t.Errorf("%s is there", one.Name)
		}
	}
	h.stop(token)
}
