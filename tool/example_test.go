package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"paddock"
	"paddock/backend"
	"paddock/policy"
	"paddock/tool"
)

// A policy, the place that keeps the files, and two calls of an agent.
func ExampleRun() {
	ctx, err := policy.Parse("paddock.yaml", []byte(`
version: 1
paths:
  - {slug: root, backend: memory, allowed_permission: read|write, denied_path_regex: [.env]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	guard, err := paddock.New(paddock.Options{Context: ctx, Mounts: map[string]backend.Backend{"root": backend.NewMemory(1 << 20)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer guard.Close() // nothing is kept
	for _, one := range tool.Rules() {
		if one.Name != "write_file" {
			continue
		}
		for _, args := range []string{`{"file_path":"/todo.txt","content":"rest"}`, `{"file_path":"/.env","content":"KEY=1"}`} {
			fmt.Println(tool.Run(context.Background(), guard, one, json.RawMessage(args), nil).Text)
		}
	}
	// Output:
	// Created file /todo.txt
	// Denied: write /.env (PathAccessDenied, policy line 4)
}
