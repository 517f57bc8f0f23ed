package main

import (
	"errors"

	"paddock/policy"
)

// isPlaced tells whether each line of an error begins with its place in a file.
func isPlaced(err error) bool {
	var load *policy.LoadError
	return errors.As(err, &load) && load.Problems[0].Position != (policy.Position{})
}

// problemJSON is one problem for programs.
type problemJSON struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

func problemsJSON(problems []policy.Problem) []problemJSON {
	out := make([]problemJSON, len(problems))
	for i, p := range problems {
		out[i] = problemJSON{p.File, p.Line, p.Column, p.Text}
	}
	return out
}
