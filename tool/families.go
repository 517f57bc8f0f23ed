package tool

import (
	"reflect"
	"slices"
	"strings"

	"paddock"
)

// Context are the file tools of the context family, one for each area, with an
// operation as their first argument.
func Context() []Tool {
	return []Tool{fileTool(), directoryTool(), searchTool()}
}

// countAs tells the Guard which tools of the rules family do what an operation
// does: who gates one of them by interrupt_on has gated the operation.
func countAs(c *paddock.Call, tools []string) {
	for _, name := range tools {
		c.CountsAs(name)
	}
}

// checkOperation refuses an operation that a tool does not have, and each
// argument that the operation does not take: one that is passed over in silence
// makes a call that its writer did not mean. args points to a struct of which
// each optional field is a pointer or a slice; takes names those that go with
// each operation.
func checkOperation(operation string, args any, takes map[string][]string) error {
	known, ok := takes[operation]
	if !ok {
		all := make([]string, 0, len(takes))
		for name := range takes {
			all = append(all, name)
		}
		slices.Sort(all)
		return errorf("operation must be one of %s, and not %s", strings.Join(all, ", "), quoted(operation))
	}
	v := reflect.ValueOf(args).Elem()
	for _, f := range fieldsOf(v.Type()) {
		given := v.Field(f.index)
		if kind := given.Kind(); kind != reflect.Pointer && kind != reflect.Slice || given.IsNil() {
			continue
		}
		if !slices.Contains(known, f.name) {
			return errorf("'%s' does not go with the operation %s, which takes %s", f.name, operation, strings.Join(known, ", "))
		}
	}
	return nil
}

// must refuses a call without an argument that its operation needs.
func must[T any](value *T, name, operation string) error {
	if value == nil {
		return errorf("'%s' is missing: %s needs it", name, operation)
	}
	return nil
}

// or is the value of an argument, or what it is when it is not given.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}
