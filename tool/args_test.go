package tool_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"paddock"
	"paddock/tool"
)

type sample struct {
	FilePath string            `json:"file_path" arg:"required"`
	Limit    int               `json:"limit"`
	Deep     bool              `json:"deep"`
	Max      *int              `json:"max"`
	Argv     []string          `json:"argv"`
	Env      map[string]string `json:"env"`
	Edits    []sampleEdit      `json:"edits"`
	Hidden   string
}

type sampleEdit struct {
	Old string `json:"old" arg:"required"`
}

func TestDecodeArgs(t *testing.T) {
	seven := 7
	for _, c := range []struct {
		name, args string
		want       sample
		problem    string
	}{
		{"all of them", `{"file_path":"/a","limit":3,"deep":true,"max":7,"argv":["a","b"],"env":{"A":"1"},"edits":[{"old":"x"}]}`,
			sample{FilePath: "/a", Limit: 3, Deep: true, Max: &seven, Argv: []string{"a", "b"}, Env: map[string]string{"A": "1"}, Edits: []sampleEdit{{"x"}}}, ""},
		{"defaults stay", `{"file_path":"/a"}`, sample{FilePath: "/a", Limit: 100}, ""},
		{"null is absent", `{"file_path":"/a","limit":null,"max":null,"deep": null }`, sample{FilePath: "/a", Limit: 100}, ""},
		{"3.0 is 3", `{"file_path":"","limit":3.0}`, sample{Limit: 3}, ""},
		{"a pair of surrogates is a character", `{"file_path":"\ud83d\ude00 \\ud800"}`, sample{FilePath: "😀 \\ud800", Limit: 100}, ""},

		{"nothing", ``, sample{}, "'file_path' is missing"},
		{"null", `null`, sample{}, "'file_path' is missing"},
		{"a required null", `{"file_path":null}`, sample{}, "'file_path' is missing"},
		{"no object", `["/a"]`, sample{}, "the arguments must be a JSON object, and not a list"},
		{"no JSON", `{"file_path":"/a"`, sample{}, "the arguments are not valid JSON"},
		{"no JSON in a value", `{"file_path":tru}`, sample{}, "'file_path': not valid JSON"},
		{"two objects", `{"file_path":"/a"}{}`, sample{}, "something follows after the JSON object"},
		{"a name twice", `{"file_path":"/a","file_path":"/b"}`, sample{}, "'file_path' is given twice"},
		{"a name twice, once in escapes", `{"file_path":"/a","file\u005fpath":"/b"}`, sample{}, "'file_path' is given twice"},
		{"a name in two cases", `{"file_path":"/a","File_Path":"/b"}`, sample{}, "'file_path' and 'File_Path' differ in letter case alone"},
		{"a name in another case", `{"FILE_PATH":"/a"}`, sample{}, "'FILE_PATH' is not known here; did you mean 'file_path'?"},
		{"a name in another style", `{"filePath":"/a"}`, sample{}, "'filePath' is not known here; did you mean 'file_path'?"},
		{"a slip", `{"file_path":"/a","limt":3}`, sample{}, "'limt' is not known here; did you mean 'limit'?"},
		{"a word of its own", `{"file_path":"/a","sudo":true}`, sample{}, "'sudo' is not known here; known are file_path, limit, deep, max, argv, env, edits"},
		{"a field that is no argument", `{"file_path":"/a","Hidden":"x"}`, sample{}, "'Hidden' is not known here"},
		{"a name that repaints", "{\"file_path\":\"/a\",\"\\u001b[2J\":1}", sample{}, `'\x1b[2J' is not known here`},
		{"a number for a string", `{"file_path":7}`, sample{}, "'file_path' must be a string, and not a number"},
		{"a list for a string", `{"file_path":["/a"]}`, sample{}, "'file_path' must be a string, and not a list"},
		{"a string for a number", `{"file_path":"/a","limit":"3"}`, sample{}, "'limit' must be a whole number, and not a string"},
		{"a half", `{"file_path":"/a","limit":2.5}`, sample{}, "'limit' must be a whole number, and not 2.5"},
		{"beyond all numbers", `{"file_path":"/a","limit":1e300}`, sample{}, "'limit' must be a whole number, and not 1e300"},
		{"a string for a bool", `{"file_path":"/a","deep":"true"}`, sample{}, "'deep' must be true or false, and not a string"},
		{"a string for a list", `{"file_path":"/a","argv":"ls"}`, sample{}, "'argv' must be a list, and not a string"},
		{"null in a list", `{"file_path":"/a","argv":["a",null]}`, sample{}, "'argv'[1] must not be null"},
		{"a name twice further down", `{"file_path":"/a","env":{"A":"1","a":"2"}}`, sample{}, "'env'.A and 'env'.a differ in letter case alone"},
		{"missing further down", `{"file_path":"/a","edits":[{}]}`, sample{}, "'edits'[0].old is missing"},
		{"half a surrogate pair", `{"file_path":"a\ud800b"}`, sample{}, "'file_path' holds half of a surrogate pair"},
		{"the other half", `{"file_path":"\uDE00"}`, sample{}, "'file_path' holds half of a surrogate pair"},
		{"two first halves", `{"file_path":"\ud800\ud800"}`, sample{}, "'file_path' holds half of a surrogate pair"},
		{"broken UTF-8", "{\"file_path\":\"\xff\"}", sample{}, "the arguments are not valid UTF-8"},
		{"a deep nest", strings.Repeat("[", 100_000), sample{}, "the arguments must be a JSON object, and not a list"},
		{"a deep nest in a value", `{"file_path":` + strings.Repeat("[", 100_000), sample{}, "'file_path': not valid JSON"},
	} {
		got := sample{Limit: 100}
		err := tool.DecodeArgs(json.RawMessage(c.args), &got)
		switch {
		case c.problem == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.problem == "" && !reflect.DeepEqual(got, c.want):
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %v, want %q in it", c.name, err, c.problem)
		}
	}
	big := make(json.RawMessage, tool.MaxArgs+1)
	if err := tool.DecodeArgs(big, &sample{}); err == nil || !strings.Contains(err.Error(), "bytes long") {
		t.Errorf("more than MaxArgs: %v", err)
	}
}

// TestSchemasAreTheArguments calls each tool with each argument of its schema
// and with one of another type, and finds schema and decoder of one mind.
func TestSchemasAreTheArguments(t *testing.T) {
	values := map[string]string{"string": `"x"`, "integer": `1`, "boolean": `true`, "null": `null`}
	for _, one := range tool.Rules() {
		var s struct {
			Properties map[string]struct {
				Type any
				Enum []string
			}
			Required []string
		}
		if err := json.Unmarshal(one.InputSchema, &s); err != nil {
			t.Fatal(err)
		}
		w := newWorld(t, open, paddock.Options{})
		for name, p := range s.Properties {
			takes := map[string]bool{"null": true} // an argument that need not be there may be null
			switch typ := p.Type.(type) {
			case string:
				takes[typ] = true
			case []any:
				for _, each := range typ {
					takes[each.(string)] = true
				}
			default:
				takes["string"] = true
			}
			for kind, value := range values {
				args := `{"` + name + `":` + value
				for _, other := range s.Required {
					if other != name {
						args += `,"` + other + `":"x"`
					}
				}
				args += "}"
				text := w.call(one.Name, args).Text
				wrong := strings.Contains(text, "'"+name+"' must be") || strings.Contains(text, "is not known here")
				if wrong == takes[kind] {
					t.Errorf("%s %s: %s", one.Name, args, text)
				}
			}
		}
		for _, name := range s.Required {
			args := map[string]string{}
			for _, other := range s.Required {
				if other != name {
					args[other] = "x"
				}
			}
			text, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.call(one.Name, string(text)).Text; got != "Error: '"+name+"' is missing" {
				t.Errorf("%s %s: %s", one.Name, text, got)
			}
		}
	}
}
