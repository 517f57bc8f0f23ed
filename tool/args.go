package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxArgs bounds the arguments of one call, in bytes of JSON.
const MaxArgs = 96 << 20

// DecodeArgs reads the arguments of a call into a struct, strictly, by the
// json tags of its fields. A field keeps what it holds when its argument is
// absent or null, so defaults are set before; one tagged `arg:"required"` must
// be there. Refused, each with the name of the argument:
//
//   - a name twice, or two that differ in case alone: a gateway that judges
//     the first and a server that acts on the last would see two calls;
//   - a name that is not known;
//   - a value of another type; nothing is converted but 3.0 to 3;
//   - text that is not valid Unicode: what is written would not be what was
//     sent.
//
// The error is a *Problem.
func DecodeArgs(args json.RawMessage, into any) error {
	if len(args) > MaxArgs {
		return errorf("the arguments are %d bytes long; at most %d are taken", len(args), MaxArgs)
	}
	if !utf8.Valid(args) {
		return errorf("the arguments are not valid UTF-8")
	}
	if text := bytes.TrimSpace(args); len(text) == 0 || string(text) == "null" {
		args = json.RawMessage("{}")
	}
	return decodeObject("", args, reflect.ValueOf(into).Elem())
}

// decodeObject reads a JSON object into a struct. at is where it stands, "" at
// the top.
func decodeObject(at string, text json.RawMessage, into reflect.Value) error {
	members, err := members(at, text)
	if err != nil {
		return err
	}
	fields := fieldsOf(into.Type())
	for _, m := range members {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == m.key }) {
			return errorf("%s is not known here%s", argument(at, m.key), suggest(m.key, fields))
		}
	}
	for _, f := range fields {
		i := slices.IndexFunc(members, func(m member) bool { return m.key == f.name })
		if i < 0 || isNull(members[i].value) {
			if f.required {
				return errorf("%s is missing", argument(at, f.name))
			}
			continue
		}
		if err := decodeValue(argument(at, f.name), members[i].value, into.Field(f.index)); err != nil {
			return err
		}
	}
	return nil
}

// member is one name of a JSON object and its value.
type member struct {
	key   string
	value json.RawMessage
}

// members splits a JSON object, and refuses what two readers could read in two
// ways.
func members(at string, text json.RawMessage) ([]member, error) {
	where := "the arguments"
	if at != "" {
		where = at
	}
	d := json.NewDecoder(bytes.NewReader(text))
	start, err := d.Token()
	if err != nil {
		return nil, errorf("%s are not valid JSON: %s", where, line(err.Error()))
	}
	if start != json.Delim('{') {
		return nil, errorf("%s must be a JSON object, and not %s", where, kindOf(text))
	}
	var all []member
	seen := map[string]string{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, errorf("%s are not valid JSON: %s", where, line(err.Error()))
		}
		m := member{key: token.(string)} // in an object a name is all it can be
		if err := d.Decode(&m.value); err != nil {
			return nil, errorf("%s: not valid JSON: %s", argument(at, m.key), line(err.Error()))
		}
		fold := strings.ToLower(m.key)
		switch before, twice := seen[fold]; {
		case twice && before == m.key:
			return nil, errorf("%s is given twice", argument(at, m.key))
		case twice:
			return nil, errorf("%s and %s differ in letter case alone", argument(at, before), argument(at, m.key))
		}
		seen[fold] = m.key
		all = append(all, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, errorf("%s are not valid JSON: %s", where, line(err.Error()))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errorf("%s: something follows after the JSON object", where)
	}
	return all, nil
}

// field is an argument that a struct takes.
type field struct {
	name     string
	index    int
	required bool
}

func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		if name, _, _ := strings.Cut(tag.Get("json"), ","); name != "" && name != "-" {
			all = append(all, field{name, i, tag.Get("arg") == "required"})
		}
	}
	return all
}

func isNull(text json.RawMessage) bool { return string(bytes.TrimSpace(text)) == "null" }

// decodeValue reads one value.
func decodeValue(name string, text json.RawMessage, into reflect.Value) error {
	if isNull(text) {
		return errorf("%s must not be null", name)
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return decodeValue(name, text, into.Elem())
	case reflect.Struct:
		return decodeObject(name, text, into)
	case reflect.String:
		return decodeString(name, text, into)
	case reflect.Int, reflect.Int64:
		return decodeInt(name, text, into)
	case reflect.Bool:
		if err := json.Unmarshal(text, into.Addr().Interface()); err != nil {
			return errorf("%s must be true or false, and not %s", name, kindOf(text))
		}
		return nil
	case reflect.Slice:
		return decodeSlice(name, text, into)
	case reflect.Map:
		return decodeMap(name, text, into)
	}
	panic(fmt.Sprintf("tool: an argument of type %s", into.Type())) // a mistake of ours, found by the first test
}

func decodeSlice(name string, text json.RawMessage, into reflect.Value) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return errorf("%s must be a list, and not %s", name, kindOf(text))
	}
	into.Set(reflect.MakeSlice(into.Type(), len(parts), len(parts)))
	for i, part := range parts {
		if err := decodeValue(fmt.Sprintf("%s[%d]", name, i), part, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func decodeMap(name string, text json.RawMessage, into reflect.Value) error {
	all, err := members(name, text)
	if err != nil {
		return err
	}
	into.Set(reflect.MakeMapWithSize(into.Type(), len(all)))
	for _, m := range all {
		value := reflect.New(into.Type().Elem()).Elem()
		if err := decodeValue(argument(name, m.key), m.value, value); err != nil {
			return err
		}
		into.SetMapIndex(reflect.ValueOf(m.key), value)
	}
	return nil
}

func decodeString(name string, text json.RawMessage, into reflect.Value) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return errorf("%s must be a string, and not %s", name, kindOf(text))
	}
	if halfPair(text) {
		return errorf("%s holds half of a surrogate pair, which is no character", name)
	}
	into.SetString(s)
	return nil
}

func decodeInt(name string, text json.RawMessage, into reflect.Value) error {
	const exact = 1 << 53 // beyond it a JSON number is not one number for every reader
	var f float64
	if err := json.Unmarshal(text, &f); err != nil {
		return errorf("%s must be a whole number, and not %s", name, kindOf(text))
	}
	if f != float64(int64(f)) || f < -exact || f > exact {
		return errorf("%s must be a whole number, and not %s", name, line(string(text)))
	}
	into.SetInt(int64(f))
	return nil
}

// halfPair tells whether a JSON string has a \u escape of half a surrogate
// pair: the decoder would put U+FFFD in its place without a word.
func halfPair(text []byte) bool {
	for i := 0; i+1 < len(text); {
		j := bytes.IndexByte(text[i:], '\\')
		if j < 0 || i+j+6 > len(text) {
			return false
		}
		i += j
		unit, ok := hexUnit(text[i:])
		switch {
		case !ok:
			i += 2
		case unit < 0xd800 || unit > 0xdfff:
			i += 6
		default:
			low, ok := hexUnit(text[i+6:])
			if unit >= 0xdc00 || !ok || low < 0xdc00 || low > 0xdfff {
				return true
			}
			i += 12
		}
	}
	return false
}

// hexUnit reads a \uNNNN.
func hexUnit(text []byte) (unit int, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range bytes.ToLower(text[2:6]) {
		digit := strings.IndexByte(hexDigits, c)
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | digit
	}
	return unit, true
}

// argument names an argument in an error.
func argument(at, key string) string {
	if at == "" {
		return quoted(key)
	}
	return at + "." + line(key)
}

// kindOf says in words what a JSON value is.
func kindOf(text json.RawMessage) string {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return "nothing"
	}
	switch text[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}
