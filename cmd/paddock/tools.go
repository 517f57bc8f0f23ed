package main

import (
	"encoding/json"

	"paddock/policy"
)

type toolsCmd struct{}

// toolJSON is a tool as an agent sees it.
type toolJSON struct {
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Description  string            `json:"description"`
	InputSchema  json.RawMessage   `json:"inputSchema"`
	OutputSchema json.RawMessage   `json:"outputSchema,omitempty"`
	ReadOnly     bool              `json:"readOnlyHint"`
	Destructive  bool              `json:"destructiveHint"`
	Idempotent   bool              `json:"idempotentHint"`
	OpenWorld    bool              `json:"openWorldHint"`
	Rights       map[string]string `json:"rights"`
}

// Run lists the tools with their schemas.
func (*toolsCmd) Run(a *app) error {
	tools := allTools()
	if !a.json {
		for _, t := range tools {
			a.print("%-14s %s\n%14s %s", t.Name, t.Title, "", t.Rights)
		}
		a.notice("paddock tools --json prints descriptions and schemas")
		return nil
	}
	all := make([]toolJSON, len(tools))
	for i, t := range tools {
		rights := map[string]string{}
		for operation := range t.Rights {
			rights[operation] = "any"
			if need := t.Rights.Of(operation); need != policy.None {
				rights[operation] = need.String()
			}
		}
		all[i] = toolJSON{t.Name, t.Title, t.Description, t.InputSchema, t.OutputSchema, t.ReadOnly, t.Destructive, t.Idempotent, t.OpenWorld, rights}
	}
	return a.printJSON(all)
}
