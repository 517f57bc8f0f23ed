// Package policyschema makes the JSON Schema of a policy file out of the Go
// types that it fills, so that editors complete keys and underline mistakes.
// The schema is a help for typing: paddock check knows more, and decides.
package policyschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"paddock/policy"
)

// object is a JSON object; its keys are written in order of the alphabet.
type object = map[string]any

// Generate returns the schema as it is checked in at paddock.schema.json. It
// fails if a key of the policy has no description in this package, or a
// description no key.
func Generate() ([]byte, error) { return generate(descriptions()) }

func generate(about map[string]about) ([]byte, error) {
	g := generator{defs: values(), about: about, used: map[string]bool{}}
	root := g.object(reflect.TypeFor[policy.SecurityContext]())
	maps.Copy(root, object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       "paddock policy",
		"description": "What an AI agent may read, write, run and delete. See docs/policy.md.",
		"anyOf":       []any{object{"required": []string{"paths"}}, object{"required": []string{"unrestricted_paths"}}},
		"$defs":       g.defs,
	})
	for address := range g.about {
		if !g.used[address] {
			g.missing = append(g.missing, address+" is described and is no key")
		}
	}
	if len(g.missing) > 0 {
		slices.Sort(g.missing)
		return nil, fmt.Errorf("the schema can't be made: %s", strings.Join(g.missing, "; "))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(root)
	return out.Bytes(), err
}

// generator walks the types.
type generator struct {
	defs    object
	about   map[string]about
	used    map[string]bool
	missing []string
}

// object is the schema of a struct.
func (g *generator) object(t reflect.Type) object {
	properties := object{}
	for i := range t.NumField() {
		f := t.Field(i)
		key, ok := f.Tag.Lookup("yaml")
		if !ok {
			continue
		}
		address := t.Name() + "." + key
		about, ok := g.about[address]
		if !ok {
			g.missing = append(g.missing, address+" has no description")
		}
		g.used[address] = true
		s := g.value(f.Type)
		if about.words != nil {
			s = object{"enum": about.words}
			if f.Type.Kind() == reflect.Slice {
				s = object{"type": "array", "items": s}
			}
		}
		s["description"] = about.text
		properties[key] = s
	}
	s := object{"type": "object", "additionalProperties": false, "properties": properties}
	if required := demanded[t.Name()]; required != nil {
		s["required"] = required
	}
	return s
}

// demanded are the keys without which a value does not load.
var demanded = map[string][]string{
	"Rule":       {"operations", "paths"},
	"PathEntry":  {"slug"},
	"Credential": {"host", "header"},
}

// value is the schema of a type.
func (g *generator) value(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[policy.Permission]():
		return ref("permission")
	case reflect.TypeFor[time.Duration]():
		return ref("duration")
	case reflect.TypeFor[policy.InterruptOn]():
		return ref("interruptOn")
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer", "minimum": 1}
	case reflect.Int64:
		return ref("size")
	case reflect.Slice:
		return object{"type": "array", "items": g.value(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": g.value(t.Elem())}
	case reflect.Struct:
		name := strings.ToLower(t.Name()[:1]) + t.Name()[1:]
		if g.defs[name] == nil {
			g.defs[name] = g.object(t)
		}
		return ref(name)
	}
	if words := vocabulary[t.Name()]; words != nil {
		return object{"enum": words}
	}
	return object{"type": "string", "minLength": 1}
}

// vocabulary are the words of our text types.
var vocabulary = map[string][]string{
	"Operation":   {"read", "write"},
	"Mode":        {"allow", "deny", "interrupt"},
	"DeniedNames": {"hidden", "locked"},
	"Unlisted":    {"allow", "ask", "deny"},
	"Assurance":   {"program", "host", "person"},
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// values are the schemas of what a file writes in a form of its own.
func values() object {
	word := object{"type": "string", "pattern": `^\s*` + right + `\s*$`}
	return object{
		"permission": object{"anyOf": []any{
			object{"enum": []string{"read", "write", "execute", "delete", "read|write", "read|write|execute|delete", "all", "none"}},
			object{"type": "string", "pattern": `^\s*` + right + `\s*([|,]\s*` + right + `\s*)*$`},
			object{"type": "array", "items": word, "minItems": 1},
		}},
		"duration": object{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`, "examples": []string{"90s", "10m", "1h30m"}},
		"size": object{"anyOf": []any{
			object{"type": "integer", "minimum": 1},
			object{"type": "string", "pattern": `^[0-9]+ *(B|KiB|MiB|GiB|TiB)?$`, "examples": []string{"100KiB", "64MiB", "2GiB"}},
		}},
		"interruptOn": object{"anyOf": []any{
			object{"type": "boolean"},
			object{
				"type": "object", "additionalProperties": false, "required": []string{"allowed_decisions"},
				"properties": object{"allowed_decisions": object{
					"type": "array", "minItems": 1, "items": object{"enum": []string{"approve", "edit", "reject", "respond"}},
					"description": "The answers a person may give.",
				}},
			},
		}},
	}
}

// right is one right in any letter case; the expressions of JSON Schema have
// no flag for that.
const right = `([Rr][Ee][Aa][Dd]|[Ww][Rr][Ii][Tt][Ee]|[Ee][Xx][Ee][Cc][Uu][Tt][Ee]|[Dd][Ee][Ll][Ee][Tt][Ee]|[Aa][Ll][Ll]|[Nn][Oo][Nn][Ee])`
