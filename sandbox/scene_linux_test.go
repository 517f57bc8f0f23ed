//go:build amd64 || arm64

package sandbox_test

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// scene is the world in which an escape is tried: entries of a policy, what is
// around them, and services of the same user that must not be reached.
type scene struct {
	t       *testing.T
	base    string
	mark    string // in the environment of everything that a script starts
	victim  *exec.Cmd
	port    string
	reached atomic.Int64 // connections and packets that services got
	before  map[string]string
}

func (s *scene) dir(name string) string { return filepath.Join(s.base, name) }

func newScene(t *testing.T, self string) *scene {
	t.Helper()
	// Not t.TempDir(): a test's name makes a path too long for a socket.
	base, err := os.MkdirTemp("", "e")
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, base: base, mark: filepath.Base(base)}
	t.Cleanup(func() { os.RemoveAll(base) })
	for _, d := range []string{"ws/dir", "ref/sub", "ref/empty", "rw/empty", "outside/home/.ssh", "sib", "temp"} {
		if err := os.MkdirAll(s.dir(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"ws/file": "own\n", "ref/kept": "kept\n", "ref/sub/deep": "deep\n", "rw/kept": "kept\n", "outside/secret": "CANARY\n",
		"outside/home/.ssh/id": "CANARY\n", "outside/home/.bashrc": "# mine\n", "sib/secret": "CANARY\n",
		"ws/tool": string(tool), "ref/tool": string(tool), "rw/tool": string(tool),
	} {
		if err := os.WriteFile(s.dir(name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link": "outside/secret", "dirlink": "outside", "dangling": "outside/made"} {
		if err := os.Symlink(s.dir(target), s.dir("ws/"+link)); err != nil {
			t.Fatal(err)
		}
	}
	// The program that knows more attacks is this one.
	if err := os.Link(self, s.dir("ws/self")); err != nil {
		t.Fatal(err)
	}
	s.services()
	s.before = s.snapshot()
	return s
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o755)
}

// services starts what must not be reached.
func (s *scene) services() {
	s.t.Helper()
	s.victim = exec.Command("sleep", "300")
	s.victim.Dir = s.dir("outside")
	s.victim.Env = append(os.Environ(), "MARK=victim")
	if err := s.victim.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { s.victim.Process.Kill(); s.victim.Wait() })
	for _, at := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", s.dir("ws/sock")}, {"unix", "@" + s.mark}} {
		l, err := net.Listen(at[0], at[1])
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { l.Close() })
		if at[0] == "tcp" {
			s.port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				s.reached.Add(1)
				c.Close()
			}
		}()
	}
	d, err := net.ListenPacket("unixgram", s.dir("ws/dgram"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { d.Close() })
	go func() {
		var b [16]byte
		for {
			if _, _, err := d.ReadFrom(b[:]); err != nil {
				return
			}
			s.reached.Add(1)
		}
	}()
}

func (s *scene) vars() map[string]string {
	return map[string]string{
		"WS": s.dir("ws"), "REF": s.dir("ref"), "RW": s.dir("rw"), "OUT": s.dir("outside"), "SIB": s.dir("sib"), "SELF": s.dir("ws/self"),
		"HOSTPID": strconv.Itoa(s.victim.Process.Pid), "PORT": s.port, "SOCK": s.dir("ws/sock"), "DGRAM": s.dir("ws/dgram"),
		"ABSTRACT": s.mark, "MARK": s.mark,
	}
}

// snapshot describes all that a command may not change: places in no entry and
// the read-only entry whole, and what may not be removed.
func (s *scene) snapshot() map[string]string {
	seen := map[string]string{}
	for _, top := range []string{"outside", "sib", "ref", "rw"} {
		filepath.WalkDir(s.dir(top), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				seen[path] = err.Error()
				return nil
			}
			info, err := d.Info()
			if err != nil {
				seen[path] = err.Error()
				return nil
			}
			if top == "rw" {
				st := info.Sys().(*syscall.Stat_t)
				seen[path] = fmt.Sprint(st.Ino) // its content may change
				return nil
			}
			content, _ := os.ReadFile(path)
			seen[path] = fmt.Sprint(info.Mode(), info.ModTime().Unix(), len(content), string(content[:min(len(content), 32)]), attributes(path))
			return nil
		})
	}
	return seen
}

func attributes(path string) string {
	var b [512]byte
	n, _ := syscall.Listxattr(path, b[:])
	return string(b[:max(n, 0)])
}

// breach tells what got through, "" when nothing did.
func (s *scene) breach(output string) string {
	for _, word := range []string{"ESCAPED", "CANARY", "UNKNOWN ATTACK"} {
		if strings.Contains(output, word) {
			return "the output has " + word
		}
	}
	after := s.snapshot()
	for path, was := range s.before {
		if after[path] != was {
			return fmt.Sprintf("%s was %q and is %q", path, was, after[path])
		}
	}
	for path := range after {
		if _, known := s.before[path]; !known && !strings.HasPrefix(path, s.dir("rw")) {
			return path + " was made"
		}
	}
	if n := s.reached.Load(); n > 0 {
		return fmt.Sprintf("services outside were reached %d times", n)
	}
	if why := s.left(); why != "" {
		return why
	}
	return s.setuid()
}

// left tells of processes that a script left, and ends them.
func (s *scene) left() string {
	var status syscall.WaitStatus
	if pid, _ := syscall.Wait4(s.victim.Process.Pid, &status, syscall.WNOHANG|syscall.WUNTRACED, nil); pid > 0 {
		return "the process outside was ended or stopped"
	}
	why := ""
	processes, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range processes {
		env, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(env), "MARK="+s.mark+"\x00") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		syscall.Kill(pid, syscall.SIGKILL)
		why = fmt.Sprintf("process %d was left behind", pid)
	}
	return why
}

func (s *scene) setuid() string {
	why := ""
	filepath.WalkDir(s.dir("ws"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && !d.IsDir() && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeDevice) != 0 {
			why = fmt.Sprintf("%s has the mode %v", path, info.Mode())
		}
		return nil
	})
	return why
}
