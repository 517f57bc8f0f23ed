package wire_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paddock/approve"
	"paddock/internal/wire"
	"paddock/policy"
)

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
