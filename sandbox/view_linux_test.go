//go:build amd64 || arm64

package sandbox_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paddock/policy"
	"paddock/sandbox"
)

func entry(slug, path string, rights policy.Permission) policy.PathEntry {
	return policy.PathEntry{Slug: slug, Path: path, AllowedPermission: perm(rights)}
}

// folders makes folders below a new one.
func folders(t *testing.T, names ...string) string {
	t.Helper()
	base := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(base, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

// Folders between a closed entry and what lies in it are made inside and
// closed there: never the ones outside.
func TestClosedFoldersStayOutside(t *testing.T) {
	both(t, func(t *testing.T) {
		base := folders(t, "no/way/in/deep/er", "no/other")
		w := newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{
			entry("root", base+"/no", policy.None), entry("in", base+"/no/way/in", policy.Read), entry("er", base+"/no/way/in/deep/er", policy.All),
		}})
		out, _ := w.run("ls " + base + "/no; ls " + base + "/no/way; cd " + base + "/no/way/in && ls && touch deep/er/made && echo made; touch x; mv deep gone; stat -c %a " + base + "/no/way")
		if want := "deep\nmade\n"; !strings.Contains(out, want) || !strings.HasSuffix(out, "111\n") || strings.Contains(out, "other") {
			t.Errorf("got\n%s", out)
		}
		for _, dir := range []string{"no", "no/way", "no/way/in", "no/way/in/deep", "no/way/in/deep/er"} {
			if info, err := os.Stat(base + "/" + dir); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("outside %s has %v, %v", dir, info.Mode(), err)
			}
		}
		if _, err := os.Stat(base + "/no/way/in/deep/er/made"); err != nil {
			t.Error(err)
		}
	})
}

// The folders above an inner entry cannot be moved away, and the entry cannot.
func TestPins(t *testing.T) {
	both(t, func(t *testing.T) {
		base := folders(t, "w/a/b/in")
		w := newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{
			entry("root", base+"/w", policy.Read|policy.Write|policy.Delete), entry("in", base+"/w/a/b/in", policy.All),
		}})
		out, _ := w.run("mv a x; mv a/b a/y; mv a/b/in a/b/z; rm -rf a; rmdir a/b/in; mv /root/a /root/x; mkdir c && mv c d && touch a/b/f && rm a/b/f && ls . a a/b")
		if !strings.HasSuffix(out, ".:\na\nd\n\na:\nb\n\na/b:\nin\n") {
			t.Errorf("got\n%s", out)
		}
		if _, err := os.Stat(base + "/w/a/b/in"); err != nil {
			t.Error(err)
		}
	})
}

func TestFileEntry(t *testing.T) {
	both(t, func(t *testing.T) {
		base := folders(t, "w", "f")
		for _, name := range []string{"rw.txt", "ro.txt", "no.txt"} {
			if err := os.WriteFile(base+"/f/"+name, []byte(name+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		w := newWorld(t, &policy.SecurityContext{Paths: []policy.PathEntry{
			entry("root", base+"/w", policy.All), entry("rw", base+"/f/rw.txt", policy.Read|policy.Write), entry("ro", base+"/f/ro.txt", policy.Read),
		}})
		f := base + "/f/"
		out, _ := w.run("cat /rw /ro; echo new >>/rw; echo new >>" + f + "ro.txt; chmod 600 " + f + "ro.txt; rm " + f + "rw.txt; mv " + f + "ro.txt x; ls " + f + "; cat " + f + "rw.txt")
		if !strings.HasPrefix(out, "rw.txt\nro.txt\n") || !strings.HasSuffix(out, "ro.txt\nrw.txt\nrw.txt\nnew\n") {
			t.Errorf("got\n%s", out)
		}
		if b, err := os.ReadFile(f + "ro.txt"); err != nil || string(b) != "ro.txt\n" {
			t.Errorf("%q, %v", b, err)
		}
	})
}

// With exec: mounts-only nothing runs but the system's programs and those in
// entries that grant it, however a file comes to be.
func TestMountsOnly(t *testing.T) {
	both(t, func(t *testing.T) {
		attack := `cp /bin/true $TMPDIR/t && $TMPDIR/t && echo RAN tmp; cp /bin/true $HOME/t && $HOME/t && echo RAN home
			cp /bin/true /dev/shm/t && /dev/shm/t && echo RAN shm; ./self attack memfd-exec; cp /bin/true here && ./here && echo here`
		for _, mode := range []string{"anywhere", "mounts-only"} {
			w := openWorld(t, policy.Limits{Exec: mode})
			if err := copyFile("/proc/self/exe", w.root+"/self"); err != nil {
				t.Fatal(err)
			}
			out, _ := w.run(attack)
			ran := strings.Count(out, "RAN") + strings.Count(out, "ESCAPED")
			if want := map[string]int{"anywhere": 3, "mounts-only": 0}[mode]; ran != want || !strings.Contains(out, "here") {
				t.Errorf("%s: %d ways, want %d:\n%s", mode, ran, want, out)
			}
		}
	})
}

// A command on a terminal has one of its own, with job control.
func TestTerminal(t *testing.T) {
	both(t, func(t *testing.T) {
		w := openWorld(t, policy.Limits{})
		p := w.start(context.Background(), sandbox.Command{Line: "stty -echo; tty; test -t 0 && test -t 1 && test -t 2 && echo all; read x; echo got:$x; echo on the errors >/dev/stderr; echo on the tty >/dev/tty; sleep 100", TTY: true})
		terminal := p.Terminal()
		if _, err := terminal.WriteString("word\n"); err != nil {
			t.Fatal(err)
		}
		var seen strings.Builder
		buf := make([]byte, 1024)
		for !strings.Contains(seen.String(), "on the tty") || !strings.Contains(seen.String(), "on the errors") {
			n, err := terminal.Read(buf)
			if seen.Write(buf[:n]); err != nil {
				t.Fatalf("%v after %q", err, &seen)
			}
		}
		// The key for an interrupt, as a person types it: more than once, for a
		// shell that is about to start its next command may swallow it.
		ended := make(chan struct{})
		go func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(20 * time.Millisecond):
					terminal.Write([]byte{3})
				}
			}
		}()
		io.Copy(&seen, terminal)
		close(ended)
		terminal.Close()
		r, err := p.Wait()
		if err != nil || r.Signal != 2 || !strings.Contains(seen.String(), "/dev/pts/0") || !strings.Contains(seen.String(), "got:word") || !strings.Contains(seen.String(), "all") {
			t.Errorf("%+v, %v, %q", r, err, &seen)
		}
	})
}
