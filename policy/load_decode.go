package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A fileReader fills a struct from a file by its yaml tags and collects what
// is wrong. Values keep going after a mistake, so that one run of check shows
// them all.
type fileReader struct {
	positions
	problems []Problem
	readable bool            // the file is a mapping, so that its keys can be judged
	wrong    map[string]bool // addresses that have a problem already
}

// readFile fills the struct that into points to.
func readFile(file string, data []byte, into any) *fileReader {
	f := &fileReader{
		positions: positions{file: file, at: map[string]Position{}},
		wrong:     map[string]bool{},
	}
	root, problem := readTree(file, data, parseTree)
	if problem != nil {
		f.problems = []Problem{*problem}
		return f
	}
	f.readable = root.kind == mapNode
	f.value(root, reflect.ValueOf(into).Elem(), "")
	return f
}

// fail records a problem of the value at an address.
func (f *fileReader) fail(n *node, address, format string, args ...any) {
	f.wrong[address] = true
	f.problems = append(f.problems, Problem{n.at, labelled(address, fmt.Sprintf(format, args...))})
}

// labelled puts the address of a value before what is said of it.
func labelled(address, text string) string {
	if address == "" {
		return text
	}
	return escaped(address) + ": " + text
}

var (
	permissionType  = reflect.TypeFor[Permission]()
	durationType    = reflect.TypeFor[time.Duration]()
	interruptOnType = reflect.TypeFor[InterruptOn]()
)

// value fills v from n.
func (f *fileReader) value(n *node, v reflect.Value, address string) {
	switch v.Type() {
	case permissionType:
		f.permission(n, v, address)
		return
	case durationType:
		f.duration(n, v, address)
		return
	case interruptOnType:
		f.interruptOn(n, v, address)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		set := reflect.New(v.Type().Elem())
		f.value(n, set.Elem(), address)
		v.Set(set)
	case reflect.String:
		f.text(n, v, address)
	case reflect.Bool:
		f.boolean(n, v, address)
	case reflect.Int:
		f.number(n, v, address)
	case reflect.Int64:
		f.size(n, v, address)
	case reflect.Slice:
		f.list(n, v, address)
	case reflect.Map:
		f.table(n, v, address)
	default:
		f.object(n, v, address)
	}
}

// expect checks the kind of a value and remembers the place of a scalar.
func (f *fileReader) expect(n *node, kind nodeKind, address, want string) bool {
	if n.kind == kind {
		if kind != listNode && kind != mapNode {
			f.at[address] = n.at
		}
		return true
	}
	switch {
	case n.kind == nullNode:
		f.fail(n, address, "there is no value; expected %s", want)
	case kind == textNode && (n.kind == numberNode || n.kind == boolNode):
		f.fail(n, address, `%s is not a text in YAML; expected %s: write "%s" in quotes`, n.is(), want, escaped(n.text))
	case kind == boolNode && n.kind == textNode && isYes(n.text):
		f.fail(n, address, "%s is a text in YAML; expected %s without quotes", n.is(), want)
	case kind == listNode && n.kind != mapNode:
		f.fail(n, address, "expected %s, not %s; write [%s]", want, n.is(), escaped(n.text))
	case kind == textNode && n.kind == mapNode:
		f.fail(n, address, `expected %s, not %s; a text that holds ": " needs quotes`, want, n.is())
	default:
		f.fail(n, address, "expected %s, not %s", want, n.is())
	}
	return false
}

// isYes tells whether a text is what other YAML versions take for a boolean.
func isYes(text string) bool {
	return slices.Contains([]string{"yes", "no", "on", "off", "y", "n", "true", "false"}, strings.ToLower(text))
}

func (f *fileReader) text(n *node, v reflect.Value, address string) {
	if !f.expect(n, textNode, address, "a text") {
		return
	}
	if strings.ContainsRune(n.text, 0) {
		f.fail(n, address, "%s holds a NUL character, which no path, pattern or command can", n.is())
		return
	}
	if n.text == "" {
		f.fail(n, address, "the text is empty; write a value or remove it")
		return
	}
	v.SetString(n.text)
}

func (f *fileReader) boolean(n *node, v reflect.Value, address string) {
	if f.expect(n, boolNode, address, "true or false") {
		v.SetBool(strings.EqualFold(n.text, "true"))
	}
}

// number reads a plain decimal. 010, 0x10 and 1_000 are numbers in some YAML
// versions and not the same in all of them.
func (f *fileReader) number(n *node, v reflect.Value, address string) {
	const want = "a whole number, such as 256"
	if !f.expect(n, numberNode, address, want) {
		return
	}
	i, err := strconv.ParseInt(n.text, 10, 32)
	if err != nil || strconv.FormatInt(i, 10) != n.text {
		f.fail(n, address, "expected %s, not %s", want, n.is())
		return
	}
	f.setPositive(n, v, address, i)
}

// list fills a slice. An empty list is made, not nil: it was written.
func (f *fileReader) list(n *node, v reflect.Value, address string) {
	if !f.expect(n, listNode, address, "a list") {
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		at := index(address, i)
		f.at[at] = item.at
		f.value(item, list.Index(i), at)
	}
	v.Set(list)
}

// table fills a map with keys of the user's choice.
func (f *fileReader) table(n *node, v reflect.Value, address string) {
	if !f.expect(n, mapNode, address, "a mapping (key: value)") {
		return
	}
	table := reflect.MakeMap(v.Type())
	f.pairs(n, address, func(key, item *node, at string) {
		set := reflect.New(v.Type().Elem()).Elem()
		f.value(item, set, at)
		table.SetMapIndex(reflect.ValueOf(key.text), set)
	})
	v.Set(table)
}

// object fills a struct.
func (f *fileReader) object(n *node, v reflect.Value, address string) {
	if !f.expect(n, mapNode, address, "a mapping (key: value)") {
		return
	}
	fields := fieldsOf(v.Type())
	f.pairs(n, address, func(key, item *node, at string) {
		i := slices.IndexFunc(fields, func(x field) bool { return x.key == key.text })
		if i < 0 {
			f.unknownKey(key, address, fields)
			return
		}
		f.value(item, v.Field(fields[i].index), at)
	})
}

// pairs walks a mapping and refuses keys that are no text or come twice: most
// readers keep the last of two, so that a second `deny` would undo the first.
func (f *fileReader) pairs(n *node, address string, each func(key, item *node, at string)) {
	first := make(map[string]*node, len(n.keys))
	for i, key := range n.keys {
		at := member(address, key.text)
		switch before := first[key.text]; {
		case key.kind != textNode:
			f.fail(key, at, "the key is %s, not a text; put it in quotes", key.is())
		case before != nil:
			f.fail(key, at, "this key is written twice, first in line %d; join the two", before.at.Line)
		default:
			first[key.text] = key
			f.at[at] = key.at
			each(key, n.items[i], at)
		}
	}
}

// unknownKey refuses a key. The key that was probably meant counts as
// written, so that it is not reported as missing too.
func (f *fileReader) unknownKey(key *node, address string, fields []field) {
	keys := make([]string, len(fields))
	for i, x := range fields {
		keys[i] = x.key
	}
	near := nearest(key.text, keys)
	f.wrong[member(address, near)] = near != ""
	where := ""
	if address != "" {
		where = " in " + escaped(address)
	}
	if near != "" {
		f.fail(key, "", "unknown key %s%s; did you mean %s?", quoted(key.text), where, near)
		return
	}
	f.fail(key, "", "unknown key %s%s; known are %s", quoted(key.text), where, strings.Join(keys, ", "))
}

// A field is a struct field that a file can set.
type field struct {
	key   string
	index int
}

func fieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		if key, ok := t.Field(i).Tag.Lookup("yaml"); ok {
			fields = append(fields, field{key, i})
		}
	}
	return fields
}

// member is the address of a key of a mapping.
func member(address, key string) string {
	if address == "" {
		return key
	}
	return address + "." + key
}

// setPositive sets a number that must be more than nothing: zero stands for
// the default in our types, so a written zero would not mean what it says.
func (f *fileReader) setPositive(n *node, v reflect.Value, address string, value int64) {
	if value <= 0 {
		f.fail(n, address, "%s must be more than 0; leave the key out for the default", n.is())
		return
	}
	v.SetInt(value)
}
