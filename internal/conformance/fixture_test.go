package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"paddock"
	"paddock/tool"
)

// redPixel is a picture of one red pixel.
const redPixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="

// schema2020 is the schema that the suite wants to see unchanged.
const schema2020 = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
 "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
 "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}},
 "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
 "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]}, "then": {"required": ["phone"]}, "else": {"required": ["email"]},
 "additionalProperties": false}`

// fixtureTools are the tools of the suite that paddock's kind of tool can be:
// text, pictures, errors, progress, schemas. They go through the same code as
// paddock's own.
func fixtureTools() []tool.Tool {
	return []tool.Tool{
		fixture("test_simple_text", "", func(context.Context, tool.Progress) (tool.Result, error) {
			return tool.Result{Text: "This is a simple text response for testing."}, nil
		}),
		fixture("test_image_content", "", func(context.Context, tool.Progress) (tool.Result, error) {
			data, err := base64.StdEncoding.DecodeString(redPixel)
			return tool.Result{Text: "One red pixel.", Images: []tool.Image{{MIME: "image/png", Data: data}}}, err
		}),
		fixture("test_error_handling", "", func(context.Context, tool.Progress) (tool.Result, error) {
			return tool.Result{}, errors.New("as intended, for testing")
		}),
		fixture("test_tool_with_progress", "", func(ctx context.Context, progress tool.Progress) (tool.Result, error) {
			for done := 0.0; done <= 100 && progress != nil; done += 50 {
				progress(done, 100, "percent")
				select {
				case <-time.After(150 * time.Millisecond): // notices come no faster than every 100 ms
				case <-ctx.Done():
					return tool.Result{}, ctx.Err()
				}
			}
			return tool.Result{Text: "done"}, nil
		}),
		fixture("json_schema_2020_12_tool", schema2020, func(context.Context, tool.Progress) (tool.Result, error) {
			return tool.Result{Text: "ok"}, nil
		}),
		fixture("test_custom_header", `{"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]}`,
			func(context.Context, tool.Progress) (tool.Result, error) { return tool.Result{Text: "ok"}, nil }),
	}
}

func fixture(name, schema string, run func(context.Context, tool.Progress) (tool.Result, error)) tool.Tool {
	if schema == "" {
		schema = `{"type": "object", "properties": {}, "additionalProperties": false}`
	}
	return tool.Tool{
		Name: name, Title: name, Description: "A tool of the conformance suite.", InputSchema: json.RawMessage(schema), ReadOnly: true, Idempotent: true,
		Run: func(ctx context.Context, _ *paddock.Call, _ json.RawMessage, progress tool.Progress) (tool.Result, error) {
			return run(ctx, progress)
		},
	}
}
