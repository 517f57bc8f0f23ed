package policy

import (
	"strings"
	"testing"
)

// A small file can hold expressions that take gigabytes when they are compiled,
// and a found policy is compiled before anybody vouched for it.
func TestExpressionsAreBoundedTogether(t *testing.T) {
	large := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = "re:(a|b){1,500}x"
		}
		return all
	}
	few := SecurityContext{Paths: []PathEntry{anEntry()}, AllowedCommands: large(10), AskCommands: large(10)}
	if err := few.Validate(); err != nil {
		t.Errorf("a few: %v", err)
	}
	for name, c := range map[string]SecurityContext{
		"one list":   {Paths: []PathEntry{anEntry()}, AllowedCommands: large(300)},
		"two lists":  {Paths: []PathEntry{anEntry()}, AllowedCommands: large(60), AskCommands: large(60)},
		"of workers": {Paths: []PathEntry{anEntry()}, Workers: map[string]Worker{"a": {AllowedCommands: large(60)}, "b": {AskCommands: large(60)}}},
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "steps together") {
			t.Errorf("%s: %v", name, err)
		}
	}
	one := SecurityContext{Paths: []PathEntry{anEntry()}, AllowedCommands: []string{"re:((abcdefghij){1,100}|(klmnopqrst){1,100}){1,9}"}}
	if err := one.Validate(); err == nil || !strings.Contains(err.Error(), "smaller counts") {
		t.Errorf("one expression: %v", err)
	}
}

// Braces make hundreds of globs of one line.
func TestAlternativesAreBoundedTogether(t *testing.T) {
	rules := func(n int) []Rule {
		all := make([]Rule, n)
		for i := range all {
			all[i] = Rule{Operations: []Operation{OpRead}, Paths: []string{"/x{a..p}{a..p}"}, Mode: ModeDeny}
		}
		return all
	}
	part := rules(100)
	for name, c := range map[string]struct {
		c    SecurityContext
		fine bool
	}{
		"some":       {SecurityContext{Paths: []PathEntry{anEntry()}, Rules: rules(150)}, true},
		"too many":   {SecurityContext{Paths: []PathEntry{anEntry()}, Rules: rules(250)}, false},
		"of workers": {SecurityContext{Paths: []PathEntry{anEntry()}, Rules: part, Workers: map[string]Worker{"a": {Rules: &part}}}, false},
	} {
		if err := c.c.Validate(); (err == nil) != c.fine || err != nil && !strings.Contains(err.Error(), "alternatives together") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
