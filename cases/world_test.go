package cases

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"paddock/internal/corpus"
)

// A world is the temporary folder in which a case happens.
type world struct {
	t    *testing.T
	top  string            // $T
	at   map[string]string // of each placeholder, the folder
	made []string          // what setup put there
}

var placeholder = regexp.MustCompile(`\$(GUARD_PID|PORT|[PRDLOHT])(?:\b|$)`)

func newWorld(t *testing.T) *world {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, top: top, at: map[string]string{"T": top, "L": filepath.Join(top, "link"), "PORT": "9", "GUARD_PID": fmt.Sprint(os.Getpid())}}
	for name, folder := range map[string]string{"P": "proj", "R": "ref", "D": "dst", "O": "out", "H": "home"} {
		w.at[name] = filepath.Join(top, folder)
		w.mkdir(w.at[name])
	}
	for _, folder := range []string{"root", "state", "elsewhere"} {
		w.mkdir(filepath.Join(top, folder))
	}
	w.check(os.Symlink("proj", w.at["L"]))
	return w
}

// place puts folders in the place of $P and the like, and writes out repeats.
func (w *world) place(text string) string {
	return corpus.Repeat(placeholder.ReplaceAllStringFunc(text, func(name string) string { return w.at[name[1:]] }))
}

// placeAll does so in every text of a JSON value.
func (w *world) placeAll(v any) any {
	switch v := v.(type) {
	case string:
		return w.place(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = w.placeAll(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = w.placeAll(v[k])
		}
		return out
	}
	return v
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) mkdir(dir string) { w.check(os.MkdirAll(dir, 0o755)) }

func (w *world) write(name string, content []byte) {
	w.mkdir(filepath.Dir(name))
	w.check(os.WriteFile(name, content, 0o644))
}

// setup makes what a case starts with. Modes come last, so that a folder can be
// filled before it is locked.
func (w *world) setup(steps []map[string]any) {
	for _, raw := range steps {
		w.step(w.placeAll(raw).(map[string]any))
	}
	for _, raw := range steps {
		s := w.placeAll(raw).(map[string]any)
		if mode, ok := s["mode"].(string); ok {
			var bits uint32
			_, err := fmt.Sscanf(mode, "%o", &bits)
			w.check(err)
			name := text(s, "file") + text(s, "dir")
			w.check(os.Chmod(name, os.FileMode(bits)))
			w.t.Cleanup(func() { os.Chmod(name, 0o755) }) // it may be gone
		}
	}
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func number(m map[string]any, key string) int {
	n, _ := m[key].(float64)
	return int(n)
}

func (w *world) step(s map[string]any) {
	switch {
	case s["file_name_hex"] != nil:
		name, err := hex.DecodeString(text(s, "file_name_hex"))
		w.check(err)
		w.write(text(s, "dir")+"/"+string(name), []byte(text(s, "text")))
	case s["file"] != nil:
		w.made = append(w.made, text(s, "file"))
		w.write(text(s, "file"), w.content(s))
	case s["symlink"] != nil:
		w.mkdir(filepath.Dir(text(s, "symlink")))
		w.check(os.Symlink(text(s, "to"), text(s, "symlink")))
	case s["hardlink"] != nil:
		w.mkdir(filepath.Dir(text(s, "hardlink")))
		w.check(os.Link(text(s, "to"), text(s, "hardlink")))
	case s["fifo"] != nil:
		w.mkdir(filepath.Dir(text(s, "fifo")))
		w.check(syscall.Mkfifo(text(s, "fifo"), 0o644))
	case s["socket"] != nil:
		w.socket(text(s, "socket"))
	case s["sparse"] != nil:
		w.write(text(s, "sparse"), nil)
		w.check(os.Truncate(text(s, "sparse"), int64(number(s, "size"))))
	case s["nested"] != nil:
		w.nested(text(s, "nested"), number(s, "depth"), text(s, "leaf"))
	case s["many_files"] != nil:
		for i := range number(s, "count") {
			w.write(fmt.Sprintf("%s/f%d", text(s, "many_files"), i), nil)
		}
	case s["git_repo"] != nil:
		w.gitRepo(text(s, "git_repo"), s)
	case s["go_module"] != nil:
		w.write(text(s, "go_module")+"/go.mod", []byte("module example\n\ngo 1.26\n"))
		w.write(text(s, "go_module")+"/main.go", []byte("package main\n\nfunc main() {}\n"))
	case s["tar"] != nil:
		args := []string{"-cf", text(s, "tar"), "-C", filepath.Dir(text(s, "tar"))}
		for _, m := range s["members"].([]any) {
			args = append(args, m.(string))
		}
		w.run("tar", args...)
	case s["dir"] != nil:
		w.mkdir(text(s, "dir"))
	default:
		w.t.Fatalf("the runner does not know how to make %v", s)
	}
}

// content is what a file holds: text, hex, a repeated text, or many lines.
func (w *world) content(s map[string]any) []byte {
	switch {
	case s["hex"] != nil:
		b, err := hex.DecodeString(text(s, "hex"))
		w.check(err)
		return b
	case s["repeat"] != nil:
		return []byte(strings.Repeat(text(s, "repeat"), number(s, "count")))
	case s["lines"] != nil:
		var b strings.Builder
		for i := range number(s, "lines") {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return []byte(b.String())
	}
	return []byte(text(s, "text"))
}

func (w *world) socket(name string) {
	w.mkdir(filepath.Dir(name))
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	w.check(err)
	defer unix.Close(fd)
	w.check(unix.Bind(fd, &unix.SockaddrUnix{Name: name}))
}

// nested makes folders in each other until no path is long enough to name the
// last.
func (w *world) nested(dir string, depth int, leaf string) {
	w.mkdir(dir)
	fd, err := unix.Open(dir, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	w.check(err)
	for range depth {
		w.check(unix.Mkdirat(fd, "d", 0o755))
		next, err := unix.Openat(fd, "d", unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		w.check(err)
		unix.Close(fd)
		fd = next
	}
	file, err := unix.Openat(fd, leaf, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, 0o644)
	w.check(err)
	unix.Close(file)
	unix.Close(fd)
}

func (w *world) gitRepo(dir string, s map[string]any) {
	w.mkdir(dir)
	git := func(args ...string) {
		w.run("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "--allow-empty", "-m", "first")
	if config, ok := s["config"].(map[string]any); ok {
		for key, value := range config {
			git("config", key, value.(string))
		}
	}
	if dirty, _ := s["dirty"].(bool); dirty {
		w.write(dir+"/in.txt", []byte("changed\n"))
	}
}

func (w *world) run(name string, args ...string) {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

// snapshot tells what is below a folder: kind, mode and content of each name.
func (w *world) snapshot(dir string) map[string]string {
	all := map[string]string{}
	w.check(filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return nil // a folder that cannot be read stays as it is
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		entry := info.Mode().String()
		switch {
		case info.Mode().IsRegular() && info.Size() < 1<<20:
			content, err := os.ReadFile(name)
			if err != nil {
				return nil // unreadable to the test as well
			}
			entry += string(content)
		case info.Mode()&os.ModeSymlink != 0:
			entry += w.link(name)
		}
		all[strings.TrimPrefix(name, dir)] = entry
		return nil
	}))
	return all
}

func (w *world) link(name string) string {
	target, err := os.Readlink(name)
	w.check(err)
	return " -> " + target
}

// swapping exchanges a folder and a link to another place again and again,
// until the returned function is called.
func (w *world) swapping(folder, to string) (stop func()) {
	other := folder + ".other"
	w.check(os.Symlink(to, other))
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
				if unix.Renameat2(unix.AT_FDCWD, folder, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE) != nil {
					return
				}
				time.Sleep(20 * time.Microsecond)
			}
		}
	}()
	return func() { close(done); <-ended }
}
