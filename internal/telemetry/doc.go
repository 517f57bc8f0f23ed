// Package telemetry tells a collector of OpenTelemetry what a server did: a
// span and a duration for each request, after the conventions for MCP and for
// tools of generative AI. It is off unless OTEL_EXPORTER_OTLP_ENDPOINT is set,
// and then sends to that address alone, over HTTP in protobuf.
//
// Start reads the environment, Begin is called for each request, and Close
// sends what is left. A nil *Telemetry does nothing.
//
// The exporter is our own: the usual one brings a whole RPC system with it,
// which would cost every start of the program a quarter of its time, telemetry
// or not.
//
// Arguments of tools are told only where a person asked for it with
// OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true; results never.
package telemetry
