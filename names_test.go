package paddock_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"paddock"
	"paddock/backend"
	"paddock/internal/testenv"
)

// Any name that a file system can hold is printed as text and accepted back.
func TestStrangeNames(t *testing.T) {
	strange := []string{
		"f\xff.txt", "new\nline", "tab\there", `back\slash`, `\xff`, `\x5cxff`, "caf\u00e9", "cafe\u0301", "-rf", "--", " lead", "trail ", "...", "..hidden", "a..b", "[x]", "{a,b}", "*", "?", "!x", "#x",
		"\u202eevil", "\u200b", "a:b", "C:", "~", "~x", "NUL", "ref", "root", "\xf0\x9f", "%2e%2e", "'quote'", `"dq"`, "$HOME", "`id`", "a\rb", "\x1b[31m", "\x7f",
	}
	g, base := guard(t, twoMounts, paddock.Options{})
	for _, name := range strange {
		put(t, base+"/ws/"+name, name)
		put(t, base+"/ws/in/"+name, "in "+name)
	}
	c := g.Begin("tool", nil)
	defer c.End(nil)
	seen := 0
	for _, dir := range []string{"/root", "in"} {
		all, err := c.List(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range all {
			if i.Kind != paddock.KindFile {
				continue
			}
			seen++
			if !utf8.ValidString(i.Path) {
				t.Errorf("%q is no text", i.Path)
			}
			text, err := read(t, g, i.Path)
			if err != nil || strings.TrimPrefix(text, "in ") != i.Name {
				t.Errorf("%q (%q): %q %v", i.Path, i.Name, text, err)
			}
			if i.Name == "C:" || i.Name == "~" {
				continue // as a bare name they are refused, with a hint
			}
			if text, err := read(t, g, "./"+strings.TrimPrefix(i.Path, "/")); err != nil && i.Name != "ref" && i.Name != "root" {
				t.Errorf("./%q: %q %v", i.Path, text, err)
			}
		}
	}
	// The mount ref stands before a file of that name at the top.
	if want := 2*len(strange) - 1; seen != want {
		t.Errorf("%d names were listed, want %d", seen, want)
	}
	if err := write(g, `made\xfe`, "x"); err != nil || content(t, base+"/ws/made\xfe") != "x" {
		t.Errorf("a name that is no text: %v", err)
	}
	if _, err := remove(g, "-rf", true); err != nil || content(t, base+"/ws/-rf") != "absent" || content(t, base+"/ws/--") != "--" {
		t.Errorf("-rf: %v", err)
	}
}

// What is no path is refused with a word on what to write instead.
func TestPathForms(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/a", "A")
	put(t, base+"/ws/movable", "m")
	before := tree(t, base)
	for path, want := range map[string]string{
		"": "is empty", "a\x00.txt": "NUL", "~": "not expanded", "~/x": "not expanded", `C:\x`: "drive letters", "C:/x": "drive letters", strings.Repeat("x/", 2049): "longer than",
	} {
		for _, a := range acts(g) {
			if path == "" && (a.name == "run in" || strings.HasPrefix(a.name, "authorize")) || strings.HasPrefix(a.name, "redirect") {
				continue // the default folder; no path at all; the shell's own words
			}
			if out, err := a.run(g, path); kind(err) != paddock.PathAccessDenied || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %.20q: %q %v", a.name, path, out, err)
			}
		}
	}
	if got := tree(t, base); got != before {
		t.Errorf("the tree became\n%s", got)
	}
}

// Names that are too long are an error, and the Guard goes on.
func TestLongNames(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/movable", "m")
	for _, path := range []string{strings.Repeat("n", 256), "/" + strings.Repeat("n", 300) + "/x", "new/folder/" + strings.Repeat("n", 256), strings.Repeat("0123456789/", 372) + "last"} {
		for _, a := range acts(g) {
			if strings.HasPrefix(a.name, "redirect") || strings.HasPrefix(a.name, "authorize") {
				continue
			}
			out, err := a.run(g, path)
			var pathErr *paddock.PathError
			if !errors.As(err, &pathErr) || !errors.Is(err, backend.ErrName) && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s %.20q: %q %v", a.name, path, out, err)
			}
		}
	}
	if got := tree(t, base+"/ws"); got != "movable=m" {
		t.Errorf("the tree became %s", got)
	}
	deep := strings.Repeat("d/", 300) + "f"
	if err := write(g, deep, "deep"); err != nil {
		t.Fatal(err)
	}
	if text, err := read(t, g, deep); text != "deep" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if names, err := walk(g, "/", paddock.WalkOptions{}); err != nil || len(names) != 303 {
		t.Errorf("walked %d: %v", len(names), err)
	}
	if n, err := remove(g, "d", true); n != 301 || err != nil {
		t.Errorf("removed %d: %v", n, err)
	}
}

// FIFOs, sockets and devices are refused without being opened. They can be
// seen, and taken away.
func TestSpecialFiles(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/movable", "m")
	if err := syscall.Mkfifo(base+"/ws/fifo", 0o644); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd) // a test
	// A socket's path is bounded, so it is made from inside its folder.
	t.Chdir(base + "/ws")
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: "sock"}); err != nil {
		t.Fatal(err)
	}
	link(t, "fifo", base+"/ws/to-fifo")
	for _, name := range []string{"fifo", "sock", "to-fifo"} {
		for _, act := range []string{"open", "write", "edit", "copy from", "copy to"} {
			if out, err := find(t, g, act).run(g, name); !errors.Is(err, paddock.ErrSpecial) {
				t.Errorf("%s %s: %q %v", act, name, out, err)
			}
		}
	}
	names, err := walk(g, "/", paddock.WalkOptions{})
	if err != nil || strings.Join(names, " ") != ". fifo movable sock to-fifo" {
		t.Errorf("%v %v", names, err)
	}
	put(t, base+"/ws/d/f", "f")
	if err := syscall.Mkfifo(base+"/ws/d/fifo", 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := g.Begin("copy", nil).Copy(context.Background(), "d", "e", false); n != 1 || err != nil || tree(t, base+"/ws/e") != "f=f" {
		t.Errorf("a folder with a FIFO: copied %d: %v", n, err)
	}
	for _, name := range []string{"fifo", "sock", "d"} {
		if _, err := remove(g, name, true); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
}

// What the user may not read is an error of its own name, and the walk goes
// on beside it.
func TestUnreadable(t *testing.T) {
	if !testenv.AsNobody(t) {
		return
	}
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/shut/f", "f")
	put(t, base+"/ws/closed.txt", "c")
	put(t, base+"/ws/z.txt", "z")
	put(t, base+"/ws/fixed/f", "f")
	for name, mode := range map[string]fs.FileMode{"shut": 0, "closed.txt": 0, "fixed": 0o555} {
		path := filepath.Join(base, "ws", name)
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o755) })
	}
	for _, c := range []struct{ act, path string }{
		{"open", "closed.txt"}, {"open", "shut/f"}, {"list", "shut"}, {"create", "fixed/new"}, {"delete", "fixed/f"}, {"delete recursive", "shut"}, {"copy from", "closed.txt"}, {"copy from", "shut"},
		{"edit", "closed.txt"}, {"write", "closed.txt"}, {"create", "shut/new"}, {"mkdir", "fixed/new"}, {"stat", "shut/f"},
	} {
		out, err := find(t, g, c.act).run(g, c.path)
		if !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), base) || !strings.HasSuffix(err.Error(), "permission denied") {
			t.Errorf("%s %s: %q %v", c.act, c.path, out, err)
		}
	}
	names, err := walk(g, "/", paddock.WalkOptions{})
	if err != nil || strings.Join(names, " ") != ". closed.txt fixed fixed/f shut! z.txt" {
		t.Errorf("walked %v: %v", names, err)
	}
	before := tree(t, base+"/ws/fixed")
	if n, err := remove(g, "fixed", true); n != 0 || err == nil || tree(t, base+"/ws/fixed") != before {
		t.Errorf("removed %d: %v", n, err)
	}
}

// A file that grows while it is read ends when the reader says so, and a copy
// of it has the size it had.
func TestGrowingFile(t *testing.T) {
	g, base := guard(t, twoMounts, paddock.Options{})
	put(t, base+"/ws/log", "0123456789")
	c := g.Begin("read_file", nil)
	f, err := c.Open(context.Background(), "log")
	if err != nil {
		t.Fatal(err)
	}
	put(t, base+"/ws/log", "0123456789 and more")
	if i := f.Info(); i.Size != 10 || i.Path != "/log" || i.Name != "log" {
		t.Errorf("%+v", i)
	}
	b, err := io.ReadAll(f)
	if string(b) != "0123456789 and more" || err != nil {
		t.Errorf("%q %v", b, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(base+"/ws/log", paddock.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Edit(context.Background(), "log", func(old []byte) ([]byte, error) { return old, nil }); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("an edit of a huge file: %v", err)
	}
	c.End(nil)
}
