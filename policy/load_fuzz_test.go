package policy

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzParse holds four properties of any text, read as a policy and as a test
// file: no panic; what loads is valid; what loads, written out and read again,
// is the same; and each problem and warning has a place inside the file.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		full, root, "", "{", "a: [", "paths:\n- slug: root\n  path: .\n  allowed_permission: [read]\n", `{"paths":[{"slug":"root","path":"\ud83d"}]}`,
		"unrestricted_paths: true\nworkers: {a: {rules: []}}\n", "paths:\n  -\n  - ~\n", "name: |\n  x\npaths: >-\n", "tests: [{read: x, expect: deny}]\n", "\"\": 1\n'': 2\n", "limits: {memory: 0x10, timeout: .inf}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if tests, err := ParseTests("p", []byte(text)); err != nil {
			refused(t, text, err)
		} else if len(tests.Tests) == 0 {
			t.Fatal("a test file without tests loads")
		}
		c, err := Parse("p", []byte(text))
		if err != nil {
			refused(t, text, err)
			return
		}
		placed(t, text, c.Warnings())
		if err := c.Validate(); err != nil {
			t.Fatalf("it loads and is not valid: %v", err)
		}
		data, err := json.Marshal(written(reflect.ValueOf(c).Elem()))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("p", data)
		if err != nil {
			t.Fatalf("written out as %s it does not load: %v", data, err)
		}
		c.where, again.where = nil, nil
		if !reflect.DeepEqual(c, again) {
			t.Fatalf("written out as %s it is\n%+v, not\n%+v", data, again, c)
		}
	})
}

// refused checks that an error tells what is wrong, and where.
func refused(t *testing.T, text string, err error) {
	t.Helper()
	var load *LoadError
	if !errors.As(err, &load) || len(load.Problems) == 0 {
		t.Fatalf("%T: %v", err, err)
	}
	placed(t, text, load.Problems)
}

// placed checks that each problem is on a line and in a column that exist.
func placed(t *testing.T, text string, problems []Problem) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for _, p := range problems {
		if p.File != "p" || p.Text == "" || p.Line < 1 || p.Line > len(lines) {
			t.Fatalf("%v is not in the file", p)
		}
		if width := utf8.RuneCountInString(lines[p.Line-1]); p.Column < 1 || p.Column > width+1 {
			t.Fatalf("%v is not in the line, which has %d characters", p, width)
		}
		if !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\n\r\x1b\x00") {
			t.Fatalf("%q can't be printed", p.Text)
		}
	}
}

// written turns a context back into what a file says, field by field. It is
// the inverse of the reader and shares none of its code.
func written(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case Permission:
		return x.String()
	case time.Duration:
		return x.String()
	case InterruptOn:
		if x.AllowedDecisions == nil {
			return x.Ask
		}
		return map[string]any{"allowed_decisions": x.AllowedDecisions}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return written(v.Elem())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = written(v.Index(i))
		}
		return list
	case reflect.Map:
		table := map[string]any{}
		for _, key := range v.MapKeys() {
			table[key.String()] = written(v.MapIndex(key))
		}
		return table
	case reflect.Struct:
		table := map[string]any{}
		for i := range v.NumField() {
			if key := v.Type().Field(i).Tag.Get("yaml"); key != "" && !v.Field(i).IsZero() {
				table[key] = written(v.Field(i))
			}
		}
		return table
	}
	return v.Interface()
}
