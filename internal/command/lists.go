package command

import "fmt"

// Unlisted says what becomes of a command that no entry speaks about.
type Unlisted int

const (
	UnlistedDefault Unlisted = iota // Deny if Allowed has an entry, else Allow
	UnlistedAllow
	UnlistedAsk
	UnlistedDeny
)

// Lists are the command lists of one policy. Denied beats Ask and Ask beats
// Allowed. An entry of Ask counts as listed.
type Lists struct {
	Allowed, Denied, Ask []string
	Unlisted             Unlisted
}

// defaultWord stands in Denied for the entries of DefaultDenied.
const defaultWord = "default"

// DefaultDenied returns the denials that hold when a policy names none: a
// baseline against accidents, matched as regular expressions on the text and so
// both narrower and wider than one would like ("how to sudo" in a quoted text
// is denied too). The slice is the caller's own.
func DefaultDenied() []string {
	return []string{
		`re:\brm\s+-rf\s+/(\s|$|\*|/)`,   // rm -rf / and /* and //
		`re:\bmkfs(\.\w+)?\b`,            // filesystem formatting
		`re:\bdd\s+if=`,                  // raw disk writes
		`re::\(\)\{.*\};:`,               // fork bomb
		`re:\bshutdown\b`,                //
		`re:\breboot\b`,                  //
		`re:\bsudo\b`,                    //
		`re:>\s*/dev/sd`,                 // writing to a block device
		`re:\b(bash|sh|zsh|dash)\s+-c\b`, // opaque sub-shell
		`re:\b(curl|wget)\b[^\n]*\|\s*(sudo\s+)?(bash|sh|zsh|dash)\b`, // curl | sh
	}
}

// A ListError says which entry of which list can't be used.
type ListError struct {
	List   string // one of the List constants
	Index  int    // from 0, or -1 when it is about the list as a whole
	Text   string // the entry
	Reason string
}

// Error names list, entry and reason in one line.
func (e *ListError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("%s: %s", e.List, e.Reason)
	}
	return fmt.Sprintf("%s: entry %d %q: %s", e.List, e.Index+1, e.Text, e.Reason)
}

// An entry is a compiled pattern with its place in the list it came from.
type entry struct {
	Pattern
	index int
}

func compileList(list string, texts []string) ([]entry, error) {
	entries := make([]entry, 0, len(texts))
	for i, text := range texts {
		if list == ListDenied && text == defaultWord {
			for _, d := range DefaultDenied() {
				entries = append(entries, entry{classify(d), i})
			}
			continue
		}
		p, err := Compile(text)
		if err != nil {
			return nil, &ListError{List: list, Index: i, Text: text, Reason: err.Error()}
		}
		entries = append(entries, entry{p, i})
	}
	return entries, nil
}
