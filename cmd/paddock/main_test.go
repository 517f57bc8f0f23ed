package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"paddock/sandbox"
)

// actAsMain makes the test binary act as paddock itself, so that the tests run
// real processes without a build.
const actAsMain = "PADDOCK_TEST_ACT_AS_MAIN"

func TestMain(m *testing.M) {
	sandbox.MaybeInit()
	if os.Getenv(actAsMain) != "" {
		main()
	}
	os.Exit(m.Run())
}

// box is a folder to run paddock in, with a home and a state folder of its own.
type box struct {
	t   *testing.T
	dir string
	env []string
}

func newBox(t *testing.T) *box {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	b := &box{t: t, dir: filepath.Join(top, "home", "project")}
	must(t, os.MkdirAll(b.dir, 0o755))
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "PADDOCK_") && !strings.HasPrefix(kv, "XDG_") && !strings.HasPrefix(kv, "HOME=") {
			b.env = append(b.env, kv)
		}
	}
	b.env = append(b.env, actAsMain+"=1", "HOME="+filepath.Join(top, "home"), "PADDOCK_STATE="+filepath.Join(top, "state"))
	return b
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (b *box) file(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	must(b.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(b.t, os.WriteFile(path, []byte(text), 0o644))
}

// result is what a run came to.
type result struct {
	out, err string
	code     int
}

// command is a run that is not started: in a session of its own, so that the
// terminal of whoever runs the tests is not asked.
func (b *box) command(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	b.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "/proc/self/exe", args...)
	cmd.Dir, cmd.Env = b.dir, b.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

func (b *box) run(args ...string) result {
	b.t.Helper()
	return b.runWith("", args...)
}

func (b *box) runWith(stdin string, args ...string) result {
	b.t.Helper()
	cmd := b.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		b.t.Fatalf("paddock %q: %v", args, err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// want checks a run: its exit code, and what its output and messages hold.
func (b *box) want(r result, code int, out, err string) {
	b.t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.err, err) || strings.Contains(r.err, "goroutine") {
		b.t.Errorf("exit %d, want %d\noutput (want …%s…):\n%s\nmessages (want …%s…):\n%s", r.code, code, out, r.out, err, r.err)
	}
}

// decode reads a result that --json made.
func decode[T any](b *box, r result) T {
	b.t.Helper()
	var v T
	if err := json.Unmarshal([]byte(r.out), &v); err != nil {
		b.t.Fatalf("not JSON: %v\n%s\n%s", err, r.out, r.err)
	}
	return v
}

const boxPolicy = `version: 1
name: box
paths:
  - slug: root
    path: .
    allowed_permission: read|write|delete
    required_permission: delete
    denied_path_regex: [.env]
allowed_commands: ["git *"]
ask_commands: ["git push *"]
permissions: read|execute
workers:
  reader:
    paths: [{slug: root, path: ., allowed_permission: read}]
`

// policyBox has a policy that the person names.
func policyBox(t *testing.T) *box {
	t.Helper()
	b := newBox(t)
	b.file("p.yaml", boxPolicy)
	b.file("notes.txt", "one\ntwo\n")
	b.file(".env", "secret\n")
	b.env = append(b.env, "PADDOCK_POLICY=p.yaml")
	return b
}
