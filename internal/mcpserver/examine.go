package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"paddock/internal/show"
)

// Bounds of one message.
const (
	maxDepth = 100    // of objects and lists inside each other
	maxKeys  = 10_000 // of one object
)

// A refusal is a message that is not handed on, and how it is answered.
type refusal struct {
	id   json.RawMessage // as it came; null when it has none that can be told
	code int64
	text string
}

// examine looks for what two readers could read in two ways, and for what
// would cost too much to read. Refused are bytes that are no UTF-8 or no JSON,
// deep nesting, batches, an id that a number type cannot hold, parameters that
// are no object, and an object with one key twice or with two that differ in
// case alone: a gateway that judges the first "path" and a server that acts on
// the second, or on "PATH", would see two calls.
func examine(msg []byte) *refusal {
	_, r := read(msg)
	return r
}

// read examines a message and takes it apart.
func read(msg []byte) (*envelope, *refusal) {
	if !utf8.Valid(msg) {
		return nil, &refusal{null, jsonrpc.CodeParseError, "the message is not valid UTF-8"}
	}
	// Deeper than 10,000 is not valid here either.
	if !json.Valid(msg) {
		return nil, &refusal{null, jsonrpc.CodeParseError, "the message is not valid JSON"}
	}
	w := walker{text: msg}
	w.blank()
	if msg[w.at] == '[' {
		return nil, &refusal{null, jsonrpc.CodeInvalidRequest, "batches are not part of this protocol; send each message by itself"}
	}
	if msg[w.at] != '{' {
		return nil, &refusal{null, jsonrpc.CodeInvalidRequest, "a message is a JSON object"}
	}
	e := &envelope{}
	if fault := w.object(e.set); fault != "" {
		return nil, &refusal{e.knownID(), jsonrpc.CodeInvalidRequest, fault}
	}
	if r := e.examine(); r != nil {
		return nil, r
	}
	return e, nil
}

var null = json.RawMessage("null")

// envelope is the outer object of a message.
type envelope struct {
	version, id, method, params []byte
	ids                         int
}

func (e *envelope) set(key string, value []byte) {
	switch key {
	case "jsonrpc":
		e.version = value
	case "id":
		e.id = value
		e.ids++
	case "method":
		e.method = value
	case "params":
		e.params = value
	}
}

// knownID is the id to answer to, null when the message has none or two.
func (e *envelope) knownID() json.RawMessage {
	if e.ids == 1 && e.id[0] != '{' && e.id[0] != '[' && e.id[0] != 't' && e.id[0] != 'f' {
		return e.id
	}
	return null
}

func (e *envelope) examine() *refusal {
	if string(e.version) != `"2.0"` {
		return &refusal{e.knownID(), jsonrpc.CodeInvalidRequest, `a message of JSON-RPC 2.0 has "jsonrpc": "2.0"`}
	}
	if e.ids == 1 {
		if fault := idFault(e.id); fault != "" {
			return &refusal{e.knownID(), jsonrpc.CodeInvalidRequest, fault}
		}
	}
	if e.method == nil {
		return nil // an answer
	}
	if e.method[0] != '"' {
		return &refusal{e.knownID(), jsonrpc.CodeInvalidRequest, "the method must be a text"}
	}
	if e.params != nil && e.params[0] != '{' {
		return &refusal{e.knownID(), jsonrpc.CodeInvalidParams, "params must be an object"}
	}
	if string(e.method) == `"tools/call"` {
		if fault := callFault(e.params); fault != "" {
			return &refusal{e.knownID(), jsonrpc.CodeInvalidParams, fault}
		}
	}
	return nil
}

// request is the message in the SDK's form, made without reading it again: the
// SDK's own decoder costs more than the rest of a call.
func (e *envelope) request() (*jsonrpc.Request, error) {
	out := &jsonrpc.Request{Params: e.params}
	if err := json.Unmarshal(e.method, &out.Method); err != nil {
		return nil, err
	}
	if e.id == nil {
		return out, nil
	}
	var id any
	if err := json.Unmarshal(e.id, &id); err != nil {
		return nil, err
	}
	var err error
	out.ID, err = jsonrpc.MakeID(id)
	return out, err
}

// maxID is the greatest whole number that every reader of JSON can hold.
const maxID = 1 << 53

// idFault refuses ids that would come back as another one: the SDK keeps
// numbers as whole ones.
func idFault(id []byte) string {
	if id[0] == '"' {
		return ""
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil || n > maxID || n < -maxID {
		return "an id must be a text or a whole number up to 2^53"
	}
	return ""
}

// callFault looks at the two parameters of a tool call.
func callFault(params []byte) string {
	if params == nil {
		return "params are missing"
	}
	var name, arguments []byte
	w := walker{text: params}
	w.object(func(key string, value []byte) {
		switch key {
		case "name":
			name = value
		case "arguments":
			arguments = value
		}
	})
	switch {
	case name == nil:
		return "the name of the tool is missing"
	case name[0] != '"':
		return "the name of the tool must be a text"
	case arguments != nil && arguments[0] != '{' && !bytes.Equal(arguments, null):
		return "the arguments of the tool must be an object"
	}
	return ""
}

// twice says that an object has a key twice, in words for the sender.
func twice(key, before string) string {
	if key == before {
		return fmt.Sprintf("the key %s is there twice; send it once", shown(key))
	}
	return fmt.Sprintf("the keys %s and %s differ only in case; send one of them", shown(before), shown(key))
}

func shown(key string) string { return `"` + show.Cut(show.Line(key), 60) + `"` }
