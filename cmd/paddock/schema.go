package main

import (
	"fmt"

	"paddock/internal/policyschema"
)

type schemaCmd struct{}

// Run prints the schema, which is JSON with or without --json.
func (*schemaCmd) Run(a *app) error {
	text, err := policyschema.Generate()
	if err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if _, err := a.io.out.Write(text); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return nil
}
