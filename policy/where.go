package policy

import "fmt"

// Position is a place in a policy file. Line and Column count from 1; the
// zero Position stands for a value that no file gave.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// positions maps the address of a value ("paths[1].slug", "rules[0].paths[2]",
// "workers.reviewer.permissions") to its place.
type positions struct {
	file string
	at   map[string]Position
}

// Where tells the place of a value of a context that Parse read, by its
// address: "permissions", "paths[1].slug", "rules[0].paths[2]",
// "denied_path_regex[3]". A value that is not written there has the zero
// Position.
func (c *SecurityContext) Where(address string) Position {
	if c.where == nil {
		return Position{}
	}
	return c.where.at[address]
}

// File tells the name of the file that Parse was given, "" for a context that
// a program made.
func (c *SecurityContext) File() string {
	if c.where == nil {
		return ""
	}
	return c.where.file
}
