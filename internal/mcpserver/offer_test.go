package mcpserver_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"paddock/internal/httpserver"
)

// What a server does not say it has, it does not answer for either.
func TestOnlyWhatIsOfferedIsAnswered(t *testing.T) {
	for _, version := range versions {
		check := func(face string, session *mcp.ClientSession) {
			said, err := json.Marshal(session.InitializeResult().Capabilities)
			if err != nil {
				t.Fatal(err)
			}
			var has map[string]any
			if err := json.Unmarshal(said, &has); err != nil || len(has) != 1 || has["tools"] == nil {
				t.Errorf("%s, %s: the server says it has %s", version, face, said)
			}
			_, prompts := session.ListPrompts(t.Context(), nil)
			_, resources := session.ListResources(t.Context(), nil)
			_, templates := session.ListResourceTemplates(t.Context(), nil)
			for name, err := range map[string]error{"prompts": prompts, "resources": resources, "templates": templates} {
				var wire *jsonrpc.Error
				if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeMethodNotFound {
					t.Errorf("%s, %s: a list of %s: %v", version, face, name, err)
				}
			}
			if _, err := session.ListTools(t.Context(), nil); err != nil {
				t.Errorf("%s, %s: the tools: %v", version, face, err)
			}
		}
		check("streams", serve(t, newWaiting()).connect(version, nil))
		if version != "2024-11-05" { // which has no Streamable HTTP
			check("HTTP", serveHTTP(t, newWaiting(), httpserver.Limits{}).connect(writerToken, version))
		}
	}
}
