// Package profile holds the policies that paddock init starts people with.
package profile

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed coding.yaml readonly.yaml data.yaml
var files embed.FS

// names are the profiles, the usual one first.
var names = []string{"coding", "readonly", "data"}

// Names returns the profiles, the usual one first. The slice is the caller's.
func Names() []string { return slices.Clone(names) }

// Text returns a profile as the text of a paddock.yaml, with its comments. It
// mounts the folder that the file is put in. The error names the profiles.
func Text(name string) ([]byte, error) {
	if !slices.Contains(names, name) {
		return nil, fmt.Errorf("there is no profile %q; there are %s", name, strings.Join(names, ", "))
	}
	return files.ReadFile(name + ".yaml")
}
