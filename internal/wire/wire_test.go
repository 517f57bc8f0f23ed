package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paddock"
	"paddock/approve"
	"paddock/internal/trust"
	"paddock/internal/wire"
	"paddock/policy"
)

// place is a machine of its own: a home with a project in it, and a state
// folder.
type place struct {
	t                         *testing.T
	top, home, project, state string
	env                       map[string]string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, top: top, home: top + "/home", project: top + "/home/project", state: top + "/state"}
	p.env = map[string]string{"HOME": p.home, "PADDOCK_STATE": p.state}
	p.folder(p.project)
	return p
}

func (p *place) environment() wire.Environment {
	return wire.Environment{Dir: p.project, Getenv: func(name string) string { return p.env[name] }, Programs: []string{p.project + "/bin/paddock"}}
}

func (p *place) folder(path string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(path, 0o755))
}

func (p *place) file(path, text string) {
	p.t.Helper()
	p.folder(filepath.Dir(path))
	must(p.t, os.WriteFile(path, []byte(text), 0o644))
}

func (p *place) choose(flag string) *wire.Source {
	p.t.Helper()
	s, err := wire.Choose(flag, p.environment())
	must(p.t, err)
	return s
}

func (p *place) open(flag string) *wire.Setup {
	p.t.Helper()
	setup, err := wire.Open(p.choose(flag), p.environment(), wire.Options{})
	must(p.t, err)
	p.t.Cleanup(func() { setup.Guard.Close() })
	return setup
}

// loadError opens a policy that must not load.
func (p *place) loadError(text string) string {
	p.t.Helper()
	p.file(p.project+"/"+wire.FileName, text)
	setup, err := wire.Open(p.choose(wire.FileName), p.environment(), wire.Options{})
	if err == nil {
		setup.Guard.Close()
		p.t.Fatalf("the policy loads:\n%s", text)
	}
	return err.Error()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(g *paddock.Guard, path, text string) error {
	c := g.Begin("write_file", nil)
	_, err := c.Write(context.Background(), path, []byte(text), paddock.WriteOptions{Create: true, Replace: true, Parents: true})
	c.End(err)
	return err
}

func reads(g *paddock.Guard, path string) error {
	c := g.Begin("read_file", nil)
	f, err := c.Open(context.Background(), path)
	if err == nil {
		f.Close()
	}
	c.End(err)
	return err
}

func remove(g *paddock.Guard, path string) error {
	c := g.Begin("delete", nil)
	_, err := c.Delete(context.Background(), path, paddock.DeleteOptions{Recursive: true})
	c.End(err)
	return err
}

const everything = "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: all}\n"

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
	if _, err := wire.Choose("nosuch.yaml", p.environment()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `--policy: the policy "nosuch.yaml"`) {
		t.Errorf("a named file that is missing: %v", err)
	}
}

func TestChooseRefusesWhatIsNoFile(t *testing.T) {
	p := newPlace(t)
	p.file(p.home+"/paddock.yaml", everything)
	name := p.project + "/paddock.yaml"
	for kind, make := range map[string]func() error{
		"a FIFO":   func() error { return syscall.Mkfifo(name, 0o600) },
		"a folder": func() error { return os.Mkdir(name, 0o755) },
		"a loop":   func() error { return os.Symlink("paddock.yaml", name) },
	} {
		must(t, make())
		// Passing it over would load the wider one from further up.
		if s, err := wire.Choose("", p.environment()); err == nil || errors.Is(err, wire.ErrNoPolicy) {
			t.Errorf("%s: got %+v, %v", kind, s, err)
		}
		must(t, os.Remove(name))
	}
}

func TestUntrustedPolicyIsCapped(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything+
		"  - {slug: outside, path: ../outside, allowed_permission: all}\n  - {slug: mem, backend: memory, allowed_permission: all}\n"+
		"denied_path_regex: [secret]\npermissions: all\nunlisted_commands: allow\napproval: {chain: [auto]}\n")
	p.file(p.project+"/a.txt", "a")
	p.file(p.project+"/secret", "s")
	p.file(p.home+"/outside/o.txt", "o")

	capped := p.open("")
	if len(capped.Notices) != 1 || !strings.Contains(capped.Notices[0], "paddock trust") {
		t.Errorf("notices: %q", capped.Notices)
	}
	if err := reads(capped.Guard, "/a.txt"); err != nil {
		t.Errorf("reading in the policy's own folder: %v", err)
	}
	for what, err := range map[string]error{
		"write": write(capped.Guard, "/new.txt", "x"), "delete": remove(capped.Guard, "/a.txt"),
		"outside": reads(capped.Guard, "/outside/o.txt"), "memory": write(capped.Guard, "/mem/x", "x"),
	} {
		if !errors.Is(err, policy.PathAccessDenied) && !errors.Is(err, policy.PermissionDenied) || !strings.Contains(err.Error(), "paddock trust") {
			t.Errorf("%s under an untrusted policy: %v", what, err)
		} else if strings.Contains(err.Error(), p.top) {
			t.Errorf("%s: the agent is told a host path: %v", what, err)
		}
	}
	if err := reads(capped.Guard, "/secret"); !errors.Is(err, policy.PathAccessDenied) {
		t.Errorf("what the policy itself denies: %v", err)
	}
	if e, err := capped.Guard.ExplainCommand(t.Context(), "ls"); err != nil || e.Verdict != policy.Deny {
		t.Errorf("a command under an untrusted policy: %+v, %v", e, err)
	}

	s := p.choose("")
	must(t, trust.In(p.state).Trust(s.Real, s.Content))
	full := p.open("")
	if len(full.Notices) != 0 {
		t.Errorf("notices once trusted: %q", full.Notices)
	}
	if err := write(full.Guard, "/new.txt", "x"); err != nil {
		t.Errorf("write once trusted: %v", err)
	}

	p.file(p.project+"/paddock.yaml", everything+"# changed\n")
	if err := write(p.open("").Guard, "/again.txt", "x"); err == nil {
		t.Error("trust in one content holds for another")
	}
}

func TestUntrustedPolicyDoesNotAnswerItself(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: read, required_permission: read}\napproval: {chain: [auto]}\n")
	p.file(p.project+"/a.txt", "a")
	if err := reads(p.open("").Guard, "/a.txt"); !errors.Is(err, policy.ApprovalDenied) && !errors.Is(err, policy.ApprovalTimeout) {
		t.Errorf("an untrusted policy approves its own requests: %v", err)
	}
	if err := reads(p.open("paddock.yaml").Guard, "/a.txt"); err != nil {
		t.Errorf("the same policy, named by the person: %v", err)
	}
}

func TestBrokenTrustStoreIsNoTrust(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything)
	s := p.choose("")
	must(t, trust.In(p.state).Trust(s.Real, s.Content))
	must(t, os.Chmod(p.state+"/trust", 0o777))
	if s := p.choose(""); s.Trusted || len(s.Notices) != 1 {
		t.Errorf("a store that anybody can write in is believed: %+v", s)
	}
}

func TestOwnFilesAreClosed(t *testing.T) {
	p := newPlace(t)
	// Everything is in one mount: the worst case.
	p.env["PADDOCK_STATE"] = p.project + "/state"
	p.env["PADDOCK_POLICY"] = p.project + "/named.yaml"
	p.file(p.project+"/policies/real.yaml", everything)
	p.file(p.project+"/policies/real2.yaml", strings.Replace(everything, "path: .", "path: ..", 1))
	must(t, os.Symlink("policies", p.project+"/link"))
	must(t, os.Symlink("link/real2.yaml", p.project+"/policy.yaml"))
	p.file(p.project+"/bin/paddock", "binary")
	p.file(p.project+"/free.txt", "x")
	setup := p.open("policy.yaml")
	must(t, trust.In(p.project+"/state").Trust("/x", nil))

	for _, path := range []string{"/policies/real2.yaml", "/policy.yaml", "/paddock.yaml", "/named.yaml", "/bin/paddock", "/link/real2.yaml"} {
		if err := write(setup.Guard, path, "x"); !errors.Is(err, policy.PathAccessDenied) {
			t.Errorf("write %s: %v", path, err)
		}
	}
	for _, path := range []string{"/policies/real2.yaml", "/policies", "/policy.yaml", "/link", "/bin/paddock", "/bin", "/state", "/state/trust"} {
		if err := remove(setup.Guard, path); !errors.Is(err, policy.PathAccessDenied) {
			t.Errorf("delete %s: %v", path, err)
		}
	}
	if err := reads(setup.Guard, "/policies/real2.yaml"); err != nil {
		t.Errorf("reading the policy, which it grants: %v", err)
	}
	if err := reads(setup.Guard, "/state/trust"); !errors.Is(err, policy.PathAccessDenied) {
		t.Errorf("reading the state folder: %v", err)
	}
	if err := write(setup.Guard, "/free.txt", "y"); err != nil {
		t.Errorf("another file in the same mount: %v", err)
	}
	if err := write(setup.Guard, "/policies/real.yaml", "y"); err != nil {
		t.Errorf("a file beside the policy: %v", err)
	}
	_, err := os.Lstat(p.project + "/paddock.yaml")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a policy for the next start was made: %v", err)
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

func TestLoadErrorsNameThePlace(t *testing.T) {
	p := newPlace(t)
	must(t, syscall.Mkfifo(p.project+"/fifo", 0o600))
	p.folder(p.project + "/data")
	p.folder(p.home + "/elsewhere")
	must(t, os.Symlink("../elsewhere", p.project+"/away"))
	head := "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: all}\n"
	for _, c := range []struct{ text, want string }{
		{"version: 1\npaths:\n  - {slug: root, path: nosuch}\n", `paddock.yaml:3:24: paths[0].path: "nosuch"`},
		{head + "  - {slug: pipe, path: fifo}\n", `paddock.yaml:4:24: paths[1].path: "fifo"`},
		{head + "  - {slug: pipe, path: fifo}\n  - {slug: none, path: nosuch}\n", `paddock.yaml:5:24: paths[2].path: "nosuch"`},
		{head + "  - {slug: store, backend: store}\n", `paddock.yaml:4:28: paths[1].backend: this version has no backend "store"`},
		{head + "  - slug: away\n    path: ./away\n", `paddock.yaml:5:11: paths[1].path: "./away" runs through the link`},
		{head + "approval: {chain: [auto, inbox]}\n", `approval.chain[1]: this version cannot ask by "inbox"`},
		{head + "workers:\n  big:\n    permissions: all\n", `workers.big: sub_context cannot grant permissions the parent lacks`},
		{"", "paddock.yaml"},
		{"version: 1\npahts: []\n", `unknown key "pahts"`},
		{"version: 1\npaths: []\n", "there is no mount"},
	} {
		got := p.loadError(c.text)
		if !strings.Contains(got, c.want) || !strings.Contains(got, "paddock.yaml:") {
			t.Errorf("policy:\n%s\nsays: %s\nwant: %s", c.text, got, c.want)
		}
	}
}

func TestMountsBeginAtThePolicy(t *testing.T) {
	p := newPlace(t)
	p.file(p.top+"/conf/p.yaml", "version: 1\npaths:\n  - {slug: root, path: ./work, allowed_permission: read}\n  - {slug: mem, backend: memory, allowed_permission: read|write}\n  - {slug: one, path: work/in.txt, allowed_permission: read|write}\n")
	p.file(p.top+"/conf/work/in.txt", "in")
	setup := p.open(p.top + "/conf/p.yaml")
	if err := reads(setup.Guard, "/in.txt"); err != nil {
		t.Errorf("a path relative to the policy: %v", err)
	}
	if err := write(setup.Guard, "/mem/x.txt", "x"); err != nil {
		t.Errorf("a mount in memory: %v", err)
	}
	if err := reads(setup.Guard, "/mem/x.txt"); err != nil {
		t.Errorf("a mount in memory: %v", err)
	}

	// An entry on a file is written in place; the old content is kept.
	if err := write(setup.Guard, "/one", "new"); err != nil {
		t.Fatal(err)
	}
	saved, err := filepath.Glob(p.state + "/saved/*")
	if err != nil || len(saved) != 1 {
		t.Fatalf("kept: %v, %v", saved, err)
	}
	if old, err := os.ReadFile(saved[0]); err != nil || string(old) != "in" {
		t.Errorf("kept content: %q, %v", old, err)
	}
	if info, err := os.Stat(saved[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kept file: %v, %v", info, err)
	}
}

func TestUnrestrictedPaths(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", "version: 1\nunrestricted_paths: true\npermissions: read|write\n")
	p.file(p.top+"/far/x.txt", "x")
	if err := reads(p.open("paddock.yaml").Guard, p.top+"/far/x.txt"); err != nil {
		t.Errorf("named by the person: %v", err)
	}
	if err := reads(p.open("").Guard, p.top+"/far/x.txt"); !errors.Is(err, policy.PathAccessDenied) {
		t.Errorf("found and untrusted: %v", err)
	}
}

func TestDryRunMakesNothing(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything)
	for _, env := range []map[string]string{{"PADDOCK_STATE": p.state}, {}} {
		p.env = env
		setup, err := wire.Open(p.choose("paddock.yaml"), p.environment(), wire.Options{DryRun: true, Approver: approve.None})
		must(t, err)
		setup.Guard.Close()
	}
	p.file(p.project+"/paddock.yaml", everything+"approval: {chain: [inbox]}\n")
	if setup, err := wire.Open(p.choose("paddock.yaml"), p.environment(), wire.Options{DryRun: true, Approver: approve.None}); err == nil {
		setup.Guard.Close()
		t.Error("a question about a policy that would not start is answered")
	}
	if _, err := os.Lstat(p.state); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a question made the state folder: %v", err)
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
