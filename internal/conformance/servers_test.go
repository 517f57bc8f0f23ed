package conformance

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"paddock"
	"paddock/backend"
	"paddock/internal/httpserver"
	"paddock/internal/mcpserver"
)

const servedPolicy = `version: 1
name: conformance
paths:
  - {slug: root, path: ., allowed_permission: read|write, denied_path_regex: [.env]}
`

// served is a paddock that runs, over HTTP, in a folder of its own.
type served struct {
	dir, url string
	own      []string // variables that make it paddock's own folder
	env      []string // with all the others
}

// folder makes one with a policy, a file and a secret.
func folder(t *testing.T) *served {
	t.Helper()
	s := &served{dir: t.TempDir()}
	for name, text := range map[string]string{"paddock.yaml": servedPolicy, "notes.txt": "one\ntwo\n", ".env": "KEY=hunter2\n"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	state := t.TempDir()
	s.own = []string{"HOME=" + state, "PADDOCK_STATE=" + filepath.Join(state, "state"), "PADDOCK_POLICY=" + filepath.Join(s.dir, "paddock.yaml")}
	s.env = append(os.Environ(), s.own...)
	return s
}

// serve starts paddock serve --http. The suite sends no token.
func (p programs) serve(t *testing.T) *served {
	t.Helper()
	s := folder(t)
	cmd := exec.Command(p.paddock, "--json", "serve", "--http", "127.0.0.1:0", "--no-token")
	cmd.Dir, cmd.Env, cmd.Stderr = s.dir, s.env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Errorf("the server ended before it was told to: %v", err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	var where struct{ URL string }
	if err := json.NewDecoder(out).Decode(&where); err != nil {
		t.Fatalf("the server does not say where it is: %v", err)
	}
	s.url = where.URL
	return s
}

// serveFixture starts paddock's MCP server, over paddock's HTTP server, with
// the tools that the suite calls by name.
func serveFixture(t *testing.T) string {
	t.Helper()
	g, err := paddock.NewUnrestricted(backend.NewMemory(1 << 20))
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := mcpserver.NewHTTP(map[string]mcpserver.Face{"local": {Guard: g, Tools: fixtureTools()}}, "1")
	if err != nil {
		t.Fatal(err)
	}
	server, err := httpserver.New(httpserver.Options{Tokens: httpserver.NoToken("local")}, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	l, err := httpserver.Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("the fixture ended with %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the fixture does not stop")
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + httpserver.Path
}
