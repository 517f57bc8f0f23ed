package policy

import (
	"fmt"
	"strings"
)

// Permission is a set of rights (the context model: "Permissions").
type Permission uint8

// The four rights. Which operation needs which is the table in operation.go.
const (
	Read Permission = 1 << iota
	Write
	Execute
	Delete

	None Permission = 0
	All             = Read | Write | Execute | Delete
)

var permissionNames = [...]struct {
	name string
	p    Permission
}{{"read", Read}, {"write", Write}, {"execute", Execute}, {"delete", Delete}}

// ParsePermission reads "read|write", "read,write", "none" or "all". Letter
// case and blanks around a word do not count; an empty text is an error.
func ParsePermission(text string) (Permission, error) {
	if strings.TrimSpace(text) == "" {
		return None, fmt.Errorf("an empty permission; write none for no right")
	}
	var set Permission
	for word := range strings.SplitSeq(strings.ReplaceAll(text, ",", "|"), "|") {
		p, err := permissionWord(word)
		if err != nil {
			return None, err
		}
		set |= p
	}
	return set, nil
}

func permissionWord(word string) (Permission, error) {
	word = strings.ToLower(strings.TrimSpace(word))
	switch word {
	case "none":
		return None, nil
	case "all":
		return All, nil
	}
	for _, n := range permissionNames {
		if n.name == word {
			return n.p, nil
		}
	}
	return None, fmt.Errorf("unknown permission %q; known are read, write, execute, delete, all, none", word)
}

// String writes the set as ParsePermission reads it.
func (p Permission) String() string {
	if p == None {
		return "none"
	}
	var words []string
	for _, n := range permissionNames {
		if p&n.p != 0 {
			words = append(words, n.name)
		}
	}
	return strings.Join(words, "|")
}

// Has tells whether every right of q is in p.
func (p Permission) Has(q Permission) bool { return p&q == q }

// MarshalText and UnmarshalText make a Permission text in JSON and YAML.
func (p Permission) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is ParsePermission.
func (p *Permission) UnmarshalText(text []byte) error {
	q, err := ParsePermission(string(text))
	if err == nil {
		*p = q
	}
	return err
}
