package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const inspector = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

// The inspector's command line, over both transports and in both eras of the
// protocol, sees the tools, reads, writes and is denied.
func TestInspector(t *testing.T) {
	p := installed(t)
	over := map[string]*served{"stdio": folder(t), "http": p.serve(t)}
	for transport, s := range over {
		for _, era := range []string{"legacy", "modern"} {
			t.Run(transport+" "+era, func(t *testing.T) {
				inspect := func(method ...string) (result map[string]any, text string) {
					t.Helper()
					target := []string{"--transport", "http", "--server-url", s.url}
					if transport == "stdio" {
						target = []string{"--transport", "stdio", "--cwd", s.dir}
						for _, own := range s.own {
							target = append(target, "-e", own)
						}
						target = append(target, p.paddock, "serve")
					}
					cmd := p.command(t, inspector, append(append(append([]string{"--cli"}, target...), "--protocol-era", era, "--quiet", "--format", "json"), method...)...)
					cmd.Env = append(s.env, "PATH="+filepath.Dir(p.node)+string(os.PathListSeparator)+os.Getenv("PATH"))
					var messages strings.Builder
					cmd.Stderr = &messages
					// A tool that reports an error makes it end with 5; the answer tells.
					out, err := cmd.Output()
					if json.Unmarshal(out, &result) != nil {
						t.Fatalf("%v: no answer: %v\n%s\n%s", method, err, out, messages.String())
					}
					return result, string(out)
				}
				list, text := inspect("--method", "tools/list")
				if tools, ok := find(list, "tools").([]any); !ok || len(tools) < 7 || !strings.Contains(text, "read_file") {
					t.Errorf("the tools: %.400s", text)
				}
				call := func(tool, args string) (string, bool) {
					t.Helper()
					result, text := inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", args)
					failed, _ := find(result, "isError").(bool)
					return text, failed
				}
				if text, failed := call("read_file", `{"file_path": "/notes.txt"}`); failed || !strings.Contains(text, "two") {
					t.Errorf("a read: %.400s", text)
				}
				name := "/by-" + era + ".txt"
				if text, failed := call("write_file", `{"file_path": "`+name+`", "content": "written"}`); failed {
					t.Errorf("a write: %.400s", text)
				}
				if got, err := os.ReadFile(filepath.Join(s.dir, name)); err != nil || string(got) != "written" {
					t.Errorf("the write left %q, %v", got, err)
				}
				if text, failed := call("read_file", `{"file_path": "/.env"}`); !failed || strings.Contains(text, "hunter2") {
					t.Errorf("a secret: %.400s", text)
				}
			})
		}
	}
}

// find looks for a key in an answer, whatever envelope it came in.
func find(value any, key string) any {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if found, ok := object[key]; ok {
		return found
	}
	for _, inner := range object {
		if found := find(inner, key); found != nil {
			return found
		}
	}
	return nil
}
