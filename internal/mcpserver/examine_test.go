package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func call(arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_file","arguments":` + arguments + `}}`
}

func TestExaminePasses(t *testing.T) {
	for _, msg := range []string{
		call(`{"file_path":"/a"}`), call(`{}`), call(`null`), call(`{"a":{"path":1},"b":{"path":2},"path":[{"path":3},{"path":4}]}`),
		call(`{"s":"{\"path\":1,\"path\":2} \\\" [[[["}`), call(`{"text":"\u0000\ud83d\ude00 é 漢"}`), call(strings.Repeat("[", 0) + `{"deep":` + nested(90) + `}`),
		`{"jsonrpc":"2.0","id":"x","method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":-9007199254740992,"method":"ping","params":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		" \t{ \"jsonrpc\" : \"2.0\" , \"id\" : 1 , \"method\" : \"ping\" , \"params\" : { \"a\" : [ 1 , -2.5e3 , true , null ] } } ",
	} {
		if r := examine([]byte(msg)); r != nil {
			t.Errorf("%.200s: refused: %+v", msg, r)
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestExamineRefuses(t *testing.T) {
	keys := make([]string, maxKeys+2)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":0`, i)
	}
	for _, c := range []struct {
		msg, id string
		code    int64
		text    string
	}{
		{``, "null", -32700, "not valid JSON"},
		{`{not json`, "null", -32700, "not valid JSON"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}x`, "null", -32700, "not valid JSON"},
		{"{\"id\":1,\"method\":\"\xff\"}", "null", -32700, "not valid UTF-8"},
		{"{\"id\":1,\"method\":\"\xed\xa0\x80\"}", "null", -32700, "not valid UTF-8"},
		{strings.Repeat("[", 1_000_000), "null", -32700, "not valid JSON"},
		{nested(1_000_000), "null", -32700, "not valid JSON"},
		{`{"jsonrpc":"2.0","id":5,"method":"ping","params":` + nested(300) + `}`, "5", -32600, "nested more than 100 deep"},
		{`{"jsonrpc":"2.0","method":"ping","params":` + nested(9000) + `,"id":5}`, "null", -32600, "nested more than 100 deep"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600, "batches"},
		{`{"id":3,"method":"ping"}`, "3", -32600, "JSON-RPC 2.0"},
		{`{"jsonrpc":"1.0","id":3,"method":"ping"}`, "3", -32600, "JSON-RPC 2.0"},
		{`{"jsonrpc":2.0,"id":3,"method":"ping"}`, "3", -32600, "JSON-RPC 2.0"},
		{`"ping"`, "null", -32600, "a JSON object"},
		{call(`{"path":"/ok","path":"/.env"}`), "7", -32600, `the key "path" is there twice`},
		{call(`{"path":"/ok","PATH":"/.env"}`), "7", -32600, `"path" and "PATH" differ only in case`},
		{call(`{"path":"/ok","p\u0061th":"/.env"}`), "7", -32600, `the key "path" is there twice`},
		{call(`{"task":"/ok","ta\u017fk":"/.env"}`), "7", -32600, "differ only in case"}, // a long s
		{call("{\"key\":1,\"\u212aey\":2}"), "7", -32600, "differ only in case"},         // the Kelvin sign
		{call("{\"é\":1,\"É\":2}"), "7", -32600, "differ only in case"},
		{call(`{"a":[{"b":{"c":1,"c":2}}]}`), "7", -32600, `the key "c" is there twice`},
		{call(`{"a1":0,"a2":0,"a3":0,"a4":0,"a5":0,"a6":0,"a7":0,"a8":0,"a9":0,"A9":1}`), "7", -32600, "differ only in case"},
		{call(`{"a1":0,"a2":0,"a3":0,"a4":0,"a5":0,"a6":0,"a7":0,"a8":0,"a9":0,"A1":1}`), "7", -32600, "differ only in case"},
		{call("{" + strings.Join(keys, ",") + "}"), "7", -32600, "more than 10000 keys"},
		{call("{\"x\u202e\":1,\"X\u202e\":2}"), "7", -32600, `"x\u202e"`},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, "null", -32600, `the key "id" is there twice`},
		{`{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}`, "1", -32600, "differ only in case"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, "1", -32600, `the key "method" is there twice`},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "1.5", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, "1e3", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600, "an id must be"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "1", -32600, "method must be a text"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`, "1", -32602, "params must be an object"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, "1", -32602, "params must be an object"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1", -32602, "params are missing"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, "1", -32602, "name of the tool is missing"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, "1", -32602, "name of the tool must be a text"},
		{call(`[1]`), "7", -32602, "arguments of the tool must be an object"},
		{call(`"x"`), "7", -32602, "arguments of the tool must be an object"},
	} {
		r := examine([]byte(c.msg))
		if r == nil {
			t.Errorf("%.200s: passed", c.msg)
			continue
		}
		if string(r.id) != c.id || r.code != c.code || !strings.Contains(r.text, c.text) {
			t.Errorf("%.200s:\ngot  id %s, %d %s\nwant id %s, %d …%s…", c.msg, r.id, r.code, r.text, c.id, c.code, c.text)
		}
	}
}

// What passes has one meaning: a reader that takes the first of two keys, one
// that takes the last and one that ignores case see the same message.
func FuzzExamine(f *testing.F) {
	for _, seed := range []string{
		call(`{"path":"/ok","PATH":"/.env"}`), call(`{"a":[{"b":{"c":1,"c":2}}]}`), `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[]`, `{`, `{"a":"\ud800"}`,
		call(`{"p\u0061th":1,"path":2}`), "{\"\u212a\":1,\"k\":2,\"id\":1}", `{"":{"":{"":1}},"id":"x"}`, ` {"id" : 1 } `, nested(200),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		e, r := read(msg)
		if r != nil {
			if !json.Valid(r.id) || r.text == "" || strings.ContainsAny(r.text, "\n\r\x1b") {
				t.Errorf("%q: the refusal %+v cannot be sent", msg, r)
			}
			return
		}
		if err := oneMeaning(json.NewDecoder(bytes.NewReader(msg))); err != nil {
			t.Errorf("%q: passed, but %v", msg, err)
		}
		if e.method == nil {
			return
		}
		ours, err := e.request()
		if err != nil {
			t.Fatalf("%q: passed, and is no request: %v", msg, err)
		}
		theirs, err := jsonrpc.DecodeMessage(msg)
		if err != nil {
			return // a method that is no text of theirs
		}
		if !reflect.DeepEqual(ours, theirs) {
			t.Errorf("%q: read as\n%+v, by the SDK as\n%+v", msg, ours, theirs)
		}
	})
}

// oneMeaning reads a value and finds keys that some reader takes for one, by
// another way than the walker's.
func oneMeaning(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		var seen []string
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return err
			}
			for _, before := range seen {
				if strings.EqualFold(before, key.(string)) {
					return fmt.Errorf("%q and %q are in one object", before, key)
				}
			}
			seen = append(seen, key.(string))
			if err := oneMeaning(d); err != nil {
				return err
			}
		}
		_, err = d.Token()
	case json.Delim('['):
		for d.More() {
			if err := oneMeaning(d); err != nil {
				return err
			}
		}
		_, err = d.Token()
	}
	return err
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	for _, c := range []struct {
		in   string
		want []string // "!" for too long
	}{
		{"", nil},
		{"a\nb\r\n\nc", []string{"a", "b", "", "c"}},
		{strings.Repeat("y", 200_000) + "\nz\n", []string{strings.Repeat("y", 200_000), "z"}},
		{"a\n" + long + "\nb\n", []string{"a", "!", "b"}},
		{long + long + "\n" + long + "\nb", []string{"!", "!", "b"}},
		{"a\n" + long, []string{"a", "!"}},
	} {
		r := newLineReader(strings.NewReader(c.in))
		var got []string
		for {
			line, err := r.next()
			if err == errTooLong {
				got = append(got, "!")
				continue
			}
			if err != nil {
				break
			}
			got = append(got, string(line))
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("%.20q (%d bytes): got %d lines, want %d", c.in, len(c.in), len(got), len(c.want))
		}
	}
}
