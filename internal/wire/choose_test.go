package wire_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"paddock/internal/wire"
)

func TestChoose(t *testing.T) {
	p := newPlace(t)
	if _, err := wire.Choose("", p.environment()); !errors.Is(err, wire.ErrNoPolicy) || !strings.Contains(err.Error(), "paddock init") {
		t.Errorf("nothing there: %v", err)
	}
	p.file(p.top+"/paddock.yaml", everything+"name: above_home\n")
	if _, err := wire.Choose("", p.environment()); !errors.Is(err, wire.ErrNoPolicy) {
		t.Errorf("a policy above the home folder is found: %v", err)
	}
	p.file(p.home+"/paddock.yaml", everything+"name: home\n")
	if s := p.choose(""); s.Real != p.home+"/paddock.yaml" || s.Path != "../paddock.yaml" || s.Trusted || !s.Found {
		t.Errorf("found in the home folder: %+v", s)
	}
	p.file(p.project+"/paddock.yaml", everything+"name: project\n")
	if s := p.choose(""); s.Real != p.project+"/paddock.yaml" || s.Path != "paddock.yaml" {
		t.Errorf("the nearest one: %+v", s)
	}
	p.file(p.top+"/env.yaml", everything+"name: env\n")
	p.env["PADDOCK_POLICY"] = p.top + "/env.yaml"
	if s := p.choose(""); s.Real != p.top+"/env.yaml" || !s.Trusted || s.Found {
		t.Errorf("named by the environment: %+v", s)
	}
	p.file(p.project+"/sub/flag.yaml", everything)
	if s := p.choose("sub/flag.yaml"); s.Real != p.project+"/sub/flag.yaml" || s.Path != "sub/flag.yaml" || !s.Trusted {
		t.Errorf("named by the flag: %+v", s)
	}
	if _, err := wire.Choose("nosuch.yaml", p.environment()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `the policy "nosuch.yaml"`) {
		t.Errorf("a named file that is missing: %v", err)
	}
}

func TestChooseRefusesWhatIsNoFile(t *testing.T) {
	p := newPlace(t)
	p.file(p.home+"/paddock.yaml", everything)
	name := p.project + "/paddock.yaml"
	for kind, make := range map[string]func() error{
		"a FIFO":            func() error { return syscall.Mkfifo(name, 0o600) },
		"a folder":          func() error { return os.Mkdir(name, 0o755) },
		"a link to nothing": func() error { return os.Symlink("nosuch.yaml", name) },
		"a loop":            func() error { return os.Symlink("paddock.yaml", name) },
	} {
		must(t, make())
		// Passing it over would load the wider one from further up.
		if s, err := wire.Choose("", p.environment()); err == nil || errors.Is(err, wire.ErrNoPolicy) {
			t.Errorf("%s: got %+v, %v", kind, s, err)
		}
		must(t, os.Remove(name))
	}
}

// A link in a folder from anywhere is no way to start with the rights of a
// place that somebody vouched for.
func TestFoundLinkToThePolicyOfAnotherFolder(t *testing.T) {
	p := newPlace(t)
	p.file(p.home+"/work/paddock.yaml", everything)
	must(t, os.Symlink(p.home+"/work/paddock.yaml", p.project+"/paddock.yaml"))
	if s, err := wire.Choose("", p.environment()); err == nil || !strings.Contains(err.Error(), "--policy") {
		t.Errorf("found: %+v, %v", s, err)
	}
	if s := p.choose("paddock.yaml"); s.Real != p.home+"/work/paddock.yaml" || !s.Trusted {
		t.Errorf("named: %+v", s)
	}
	must(t, os.Remove(p.project+"/paddock.yaml"))
	p.file(p.project+"/policy.yaml", everything)
	must(t, os.Symlink("policy.yaml", p.project+"/paddock.yaml"))
	if s := p.choose(""); s.Real != p.project+"/policy.yaml" || !s.Found || s.Trusted {
		t.Errorf("a link in its own folder: %+v", s)
	}
}

func TestStateFolder(t *testing.T) {
	p := newPlace(t)
	e := p.environment()
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"PADDOCK_STATE": p.top + "/s", "XDG_STATE_HOME": p.top + "/x", "HOME": p.home}, p.top + "/s"},
		{map[string]string{"XDG_STATE_HOME": p.top + "/x", "HOME": p.home}, p.top + "/x/paddock"},
		{map[string]string{"XDG_STATE_HOME": "x", "HOME": p.home}, p.home + "/.local/state/paddock"},
		{map[string]string{"HOME": p.home}, p.home + "/.local/state/paddock"},
		{map[string]string{"PADDOCK_STATE": "s"}, ""},
		{map[string]string{}, ""},
	} {
		e.Getenv = func(name string) string { return c.env[name] }
		got, err := e.State()
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("with %v: got %q, %v; want %q", c.env, got, err, c.want)
		}
		if c.want == "" {
			continue
		}
		if info, err := os.Stat(got); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", got, info, err)
		}
	}
	e.Getenv = func(name string) string { return map[string]string{"PADDOCK_STATE": p.top + "/open"}[name] }
	p.folder(p.top + "/open")
	must(t, os.Chmod(p.top+"/open", 0o777))
	if _, err := e.State(); err == nil || !strings.Contains(err.Error(), "can be written by others") {
		t.Errorf("a state folder that anybody can write in: %v", err)
	}
}

func TestTrailIsWholeForLongLoops(t *testing.T) {
	p := newPlace(t)
	for i := range 60 {
		must(t, os.Symlink(fmt.Sprintf("l%d", (i+1)%60), fmt.Sprintf("%s/l%d", p.project, i)))
	}
	if _, err := wire.Choose("l0", p.environment()); err == nil {
		t.Error("a loop of links is read as a policy")
	}
	p.file(p.project+"/paddock.yaml", everything)
	p.env["PADDOCK_POLICY"] = p.project + "/l0"
	// The loop is a name that the next start would load: it ends all the same.
	if err := write(p.open("paddock.yaml").Guard, "/l0", "x"); err == nil {
		t.Error("a link to the next policy was written through")
	}
}
