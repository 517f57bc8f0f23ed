package policyschema

import "testing"

// TestDescriptionsAndKeysMeet: a key that nobody describes, and a description
// of a key that is gone, stop the schema from being made.
func TestDescriptionsAndKeysMeet(t *testing.T) {
	all := descriptions()
	delete(all, "Rule.mode")
	all["Rule.colour"] = say("Gone.")
	const want = "the schema can't be made: Rule.colour is described and is no key; Rule.mode has no description"
	if _, err := generate(all); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
