package wire_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"paddock"
	"paddock/internal/wire"
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
