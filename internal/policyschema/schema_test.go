package policyschema_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"paddock/internal/policyschema"
	"paddock/policy"
)

var update = flag.Bool("update", false, "write paddock.schema.json anew")

// TestCheckedInSchemaIsFresh fails when a type changed and the file did not.
func TestCheckedInSchemaIsFresh(t *testing.T) {
	want, err := policyschema.Generate()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "paddock.schema.json")
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("paddock.schema.json is stale; run go test ./internal/policyschema -update and commit it")
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	data, err := policyschema.Generate()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("paddock.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("paddock.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate checks a YAML text against the schema.
func validate(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// TestSchemaAndLoaderAgree compares the two on small policies. The loader knows
// more (patterns, slugs that meet), so what it refuses the schema may take; but
// never the other way round, or an editor underlines what is right.
func TestSchemaAndLoaderAgree(t *testing.T) {
	const root = "paths: [{slug: root, path: .}]\n"
	s := compiled(t)
	for _, x := range []struct {
		text   string
		loads  bool
		schema bool
	}{
		{root, true, true},
		{"unrestricted_paths: true", true, true},
		{root + "permissions: ' Read | WRITE '", true, true},
		{root + "permissions: [read, Delete]", true, true},
		{root + "permissions: reed", false, false},
		{root + "permissions: []", false, false},
		{root + "permissions: 7", false, false},
		{root + "limits: {timeout: 1h30m, memory: 2GiB, output: 4096, processes: 9}", true, true},
		{root + "limits: {timeout: 10}", false, false},
		{root + "limits: {memory: 2GB}", false, false},
		{root + "limits: {memory: 0}", false, false},
		{root + "limits: {processes: 0}", false, false},
		{root + "interrupt_on: {delete: true, execute: {allowed_decisions: [approve]}}", true, true},
		{root + "interrupt_on: {delete: {allowed_decisions: []}}", false, false},
		{root + "interrupt_on: {delete: yes}", false, false},
		{root + "rules: [{operations: [read], paths: [/a], mode: interrupt}]", true, true},
		{root + "rules: [{operations: [delete], paths: [/a]}]", false, false},
		{root + "rules: [{operations: [read], paths: [/a], mode: block}]", false, false},
		{root + "rules: [{operations: [read]}]", false, false},
		{root + "approval: {chain: [terminal, auto], timeout: 10m, at_least: {delete: person}}", true, true},
		{root + "approval: {chain: [console]}", false, false},
		{root + "approval: {at_least: {delete: persn}}", false, false},
		{root + "denied_names: gone", false, false},
		{root + "network: {unix_sockets: none}", false, false},
		{root + "network: {allow: ['*.a.org'], credentials: [{host: a.org, header: A, env: B}]}", true, true},
		{root + "network: {credentials: [{host: a.org, env: B}]}", false, false},
		{root + "workers: {w: {permissions: read, rules: [], limits: {exec: mounts-only}}}", true, true},
		{root + "workers: {w: {name: x}}", false, false},
		{root + "colour: red", false, false},
		{root + "name: ''", false, false},
		{root + "name: 5", false, false},
		{root + "denied_path_regex: x", false, false},
		{"version: 1", false, false},
		{"paths: [{path: .}]", false, false},
		{"paths: [{slug: a, path: .}]", false, true}, // no root entry
		{root + "denied_path_regex: ['[']", false, true},
	} {
		_, err := policy.Parse("p", []byte(x.text))
		if (err == nil) != x.loads {
			t.Errorf("%s: the loader says %v", x.text, err)
		}
		if err := validate(t, s, []byte(x.text)); (err == nil) != x.schema {
			t.Errorf("%s: the schema says %v", x.text, err)
		}
	}
}

// TestExamplesMeetTheSchema holds what people will copy to it.
func TestExamplesMeetTheSchema(t *testing.T) {
	s := compiled(t)
	for _, pattern := range []string{"../../examples/*.yaml", "../profile/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 3 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(text, []byte("\ntests:")) {
				continue // a test file, not a policy
			}
			if err := validate(t, s, text); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
