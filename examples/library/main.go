// Command library shows how a program puts its own agent behind Paddock: it
// makes a policy, opens the folder that the policy names, says who is asked,
// and runs tools. Nothing here but the Guard can reach the folder.
//
//	go run ./examples/library
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"paddock"
	"paddock/approve"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
	"paddock/tool"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	dir, err := workspace()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	guard, err := guarded(dir, out)
	if err != nil {
		return err
	}
	defer guard.Close()

	// What a model would send. Each call becomes a text for the model, also
	// when it is refused.
	for _, call := range []struct{ tool, args string }{
		{"read_file", `{"file_path": "/notes.txt"}`},
		{"read_file", `{"file_path": "/.env"}`},
		{"write_file", `{"file_path": "/notes.txt", "content": "Buy bread.\n"}`},
		{"delete", `{"path": "/notes.txt"}`},
	} {
		for _, t := range tool.Rules() {
			if t.Name == call.tool {
				result := tool.Run(ctx, guard, t, json.RawMessage(call.args), nil)
				fmt.Fprintf(out, "%s %s\n  %s\n", call.tool, call.args, result.Text)
			}
		}
	}

	// A tool of your own asks the Guard before it acts. Its file calls are the
	// better way: they act on the very object that was judged.
	c := guard.Begin("word_count", nil)
	defer c.End(nil)
	info, err := c.Stat(ctx, "/notes.txt")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s has %d bytes\n", info.Path, info.Size)
	return nil
}

// guarded joins a policy with a folder and with somebody to ask.
func guarded(dir string, out io.Writer) (*paddock.Guard, error) {
	grant, ask := policy.Read|policy.Write, policy.Write
	rules := &policy.SecurityContext{
		Name: "example",
		Paths: []policy.PathEntry{{
			Slug: policy.RootSlug, Path: dir,
			AllowedPermission: &grant, RequiredPermission: &ask, // a write needs a yes
			DeniedPathRegex: []string{".env"},
		}},
	}
	tree, err := disk.Open(dir)
	if err != nil {
		return nil, err
	}
	// approve.NewTerminal() would ask the person at the terminal instead.
	asker := approve.Callback(func(_ context.Context, r paddock.ApprovalRequest) (paddock.Decision, error) {
		fmt.Fprintf(out, "asked: may %s %s?\n%s", r.Tool, r.Asked, r.Detail)
		return paddock.Decision{Answer: paddock.Approve}, nil
	})
	return paddock.New(paddock.Options{
		Context:  rules,
		Mounts:   map[string]backend.Backend{policy.RootSlug: tree},
		Approver: asker,
		Dir:      dir,
	})
}

// workspace makes a folder for the example.
func workspace() (string, error) {
	dir, err := os.MkdirTemp("", "paddock-example-")
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{"notes.txt": "Buy milk.\n", ".env": "key=secret\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}
