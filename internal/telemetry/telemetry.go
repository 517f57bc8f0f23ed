package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"paddock/internal/show"
)

// scope names who measured.
const scope = "paddock/internal/mcpserver"

// maxArgs bounds the arguments that a span holds, in bytes.
const maxArgs = 16 << 10

// Telemetry watches requests. Its methods may be called by any number of
// goroutines, and on nil.
type Telemetry struct {
	args     bool
	traces   *sdktrace.TracerProvider
	metrics  *sdkmetric.MeterProvider
	tracer   trace.Tracer
	duration metric.Float64Histogram
	client   interface{ CloseIdleConnections() }
}

// Start makes a Telemetry of what the environment says; it is nil when that is
// nothing. tell takes a sentence now and then when reports are lost. Close must
// be called.
func Start(getenv func(string) string, version string, tell func(string)) (*Telemetry, error) {
	c, err := configOf(getenv)
	if c == nil || err != nil {
		return nil, err
	}
	res, err := resource.New(context.Background(),
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "paddock"), attribute.String("service.version", version)),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
	)
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	client := newClient()
	sender := func(url string) *sender {
		return &sender{client: client, url: url, headers: c.headers, timeout: c.timeout, tell: tell}
	}
	spans := []sdktrace.TracerProviderOption{sdktrace.WithResource(res)}
	if c.traces != "" {
		spans = append(spans, sdktrace.WithBatcher(&traces{sender(c.traces)}))
	}
	measures := []sdkmetric.Option{sdkmetric.WithResource(res)}
	if c.metrics != "" {
		measures = append(measures, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metrics{sender(c.metrics)})))
	}
	t := &Telemetry{
		args: c.args, client: client, traces: sdktrace.NewTracerProvider(spans...), metrics: sdkmetric.NewMeterProvider(measures...),
	}
	t.tracer = t.traces.Tracer(scope, trace.WithInstrumentationVersion(version))
	t.duration, err = t.metrics.Meter(scope, metric.WithInstrumentationVersion(version)).Float64Histogram(
		"mcp.server.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from when a request or notification was received until it was answered."),
		metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300),
	)
	if err != nil {
		return nil, errors.Join(err, t.Close(context.Background()))
	}
	return t, nil
}

// Operation is a request or notification that came in.
type Operation struct {
	Method string // "tools/call"
	// Tool is the name of a tool that there is, "" otherwise: names that a
	// client thought of must not become series of their own.
	Tool      string
	Version   string // of the protocol
	Transport string // "pipe" or "tcp"
	Principal string // who called over HTTP
	Args      json.RawMessage
	// The context of the caller's trace, as in its headers (W3C).
	Traceparent, Tracestate string
}

// Outcome is how an operation ended.
type Outcome struct {
	Code      int    // of an error of JSON-RPC, 0 when there was none
	ToolError bool   // the tool's result is an error
	Kind      string // why the policy refused
}

// Begin starts to watch an operation. end must be called once.
func (t *Telemetry) Begin(ctx context.Context, o Operation) (_ context.Context, end func(Outcome)) {
	if t == nil {
		return ctx, func(Outcome) {}
	}
	start := time.Now()
	name, known := o.Method, o.attributes()
	if o.Tool != "" {
		name += " " + o.Tool
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": o.Traceparent, "tracestate": o.Tracestate})
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(start), trace.WithAttributes(known...))
	if o.Principal != "" {
		span.SetAttributes(attribute.String("paddock.principal", o.Principal))
	}
	if t.args && o.Tool != "" {
		span.SetAttributes(attribute.String("gen_ai.tool.call.arguments", show.Cut(string(o.Args), maxArgs)))
	}
	return ctx, func(out Outcome) {
		after := out.attributes()
		span.SetAttributes(after...)
		if len(after) > 0 {
			span.SetStatus(codes.Error, out.Kind)
		}
		span.End()
		t.duration.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(append(known, after...)...))
	}
}

func (o *Operation) attributes() []attribute.KeyValue {
	all := []attribute.KeyValue{attribute.String("mcp.method.name", o.Method), attribute.String("network.transport", o.Transport)}
	if o.Version != "" {
		all = append(all, attribute.String("mcp.protocol.version", o.Version))
	}
	if o.Tool != "" {
		all = append(all, attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", o.Tool))
	}
	return all
}

func (o *Outcome) attributes() (all []attribute.KeyValue) {
	switch {
	case o.Code != 0:
		code := fmt.Sprint(o.Code)
		all = append(all, attribute.String("error.type", code), attribute.String("rpc.response.status_code", code))
	case o.ToolError:
		all = append(all, attribute.String("error.type", "tool_error"))
	}
	if o.Kind != "" {
		all = append(all, attribute.String("paddock.denial.kind", o.Kind))
	}
	return all
}

// Close sends what is left, within the time of ctx.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	err := errors.Join(t.traces.Shutdown(ctx), t.metrics.Shutdown(ctx))
	t.client.CloseIdleConnections()
	return err
}
