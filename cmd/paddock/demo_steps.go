package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paddock/internal/mcpserver"
)

const (
	demoSecret = "sk-demo-4f1e"
	demoOld    = "retries = 1\n"
	demoNew    = "retries = 3\n"
)

// demoFiles is the folder that the agent works in.
var demoFiles = map[string]string{
	"notes.txt":  "The service is down when retries run out.\nAsk for the api_key in the office.\n",
	"app.conf":   "host = example.org\n" + demoOld + "timeout = 10s\n",
	".env":       "api_key=" + demoSecret + "\n",
	"src/app.py": "import os\n\napi_key = os.environ['api_key']\n",
}

// demoStep is one thing that the agent does, and what must come of it.
type demoStep struct {
	title string
	tool  string
	args  map[string]any
	asks  bool // a person is asked, and agrees
	// wrong tells what is not as it should be, "" if all is.
	wrong func(workspace string, r mcpserver.Reply) string
}

var demoSteps = []demoStep{
	{
		title: "The agent reads a file that the policy lets it read.",
		tool:  "read_file", args: map[string]any{"file_path": "/notes.txt"},
		wrong: func(_ string, r mcpserver.Reply) string {
			return unless(!r.IsError && strings.Contains(r.Text, "retries run out"), "the content was not read")
		},
	}, {
		title: "It tries a secret, and is refused. It would get the same answer if there were no such file.",
		tool:  "read_file", args: map[string]any{"file_path": "/.env"},
		wrong: func(_ string, r mcpserver.Reply) string {
			return unless(r.IsError && r.Kind == "PathAccessDenied" && !strings.Contains(r.Text, demoSecret), "the secret was not refused")
		},
	}, {
		title: "It searches everything for api_key. The secret holds that word too, and is not in the answer.",
		tool:  "grep", args: map[string]any{"pattern": "api_key", "path": "/", "output_mode": "content"},
		wrong: func(_ string, r mcpserver.Reply) string {
			return unless(!r.IsError && strings.Contains(r.Text, "/src/app.py") && strings.Contains(r.Text, "/notes.txt") &&
				!strings.Contains(r.Text, "/.env") && !strings.Contains(r.Text, demoSecret), "the search saw too much or too little")
		},
	}, {
		title: "It edits a file. The policy wants a person to agree, who sees the change first.",
		tool:  "edit_file", args: map[string]any{"file_path": "/app.conf", "old_string": demoOld, "new_string": demoNew},
		asks: true,
		wrong: func(workspace string, r mcpserver.Reply) string {
			text, err := os.ReadFile(filepath.Join(workspace, "app.conf"))
			return unless(!r.IsError && err == nil && strings.Contains(string(text), demoNew), "the edit is not in the file")
		},
	}, {
		title: "It tries to delete a file, and is refused: nothing is removed here.",
		tool:  "delete", args: map[string]any{"path": "/notes.txt"},
		wrong: func(workspace string, r mcpserver.Reply) string {
			_, err := os.Stat(filepath.Join(workspace, "notes.txt"))
			return unless(r.IsError && r.Kind == "PathAccessDenied" && err == nil, "the file was not kept")
		},
	},
}

func unless(ok bool, text string) string {
	if ok {
		return ""
	}
	return text
}

// demoFolder makes the folder of the demo in a temporary place.
func demoFolder() (dir string, err error) {
	dir, err = os.MkdirTemp("", "paddock-demo-")
	if err != nil {
		return "", fmt.Errorf("demo: %w", err)
	}
	for name, text := range demoFiles {
		path := filepath.Join(dir, "workspace", name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "paddock.yaml"), []byte(demoPolicy), fs.FileMode(0o644)))
	if err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("demo: %w", err)
	}
	return dir, nil
}
