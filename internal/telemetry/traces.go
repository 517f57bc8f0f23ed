package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// traces sends spans.
type traces struct{ to *sender }

var _ sdktrace.SpanExporter = (*traces)(nil)

// ExportSpans implements sdktrace.SpanExporter. Spans that cannot be sent are
// dropped, and the person is told.
func (t *traces) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) > 0 {
		t.to.send(ctx, encodeSpans(spans))
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (*traces) Shutdown(context.Context) error { return nil }

// encodeSpans makes an ExportTraceServiceRequest. All spans are of one
// provider, so they have one resource and one scope.
func encodeSpans(spans []sdktrace.ReadOnlySpan) message {
	var request message
	request.sub(1, func(m *message) { // ResourceSpans
		writeResource(m, spans[0].Resource())
		m.sub(2, func(m *message) { // ScopeSpans
			writeScope(m, spans[0].InstrumentationScope())
			for _, s := range spans {
				m.sub(2, func(m *message) { writeSpan(m, s) })
			}
		})
	})
	return request
}

// hasRemote and isRemote are bits of a span's flags above those of W3C.
const hasRemote, isRemote = 0x100, 0x200

func writeSpan(m *message, s sdktrace.ReadOnlySpan) {
	own, parent := s.SpanContext(), s.Parent()
	trace, id := own.TraceID(), own.SpanID()
	m.bytes(1, trace[:])
	m.bytes(2, id[:])
	m.text(3, own.TraceState().String())
	flags := uint32(own.TraceFlags()) | hasRemote
	if parent.SpanID().IsValid() {
		id := parent.SpanID()
		m.bytes(4, id[:])
		if parent.IsRemote() {
			flags |= isRemote
		}
	}
	m.text(5, s.Name())
	m.uint(6, uint64(s.SpanKind())) // the numbers are the same
	m.fixed64(7, uint64(s.StartTime().UnixNano()))
	m.fixed64(8, uint64(s.EndTime().UnixNano()))
	m.attributes(9, s.Attributes())
	if n := s.DroppedAttributes(); n > 0 {
		m.uint(10, uint64(n))
	}
	m.sub(15, func(m *message) { // Status
		m.text(2, s.Status().Description)
		switch s.Status().Code {
		case codes.Ok:
			m.uint(3, 1)
		case codes.Error:
			m.uint(3, 2)
		}
	})
	m.fixed32(16, flags)
}

func writeResource(m *message, r *resource.Resource) {
	m.sub(1, func(m *message) { m.attributes(1, r.Attributes()) })
}

func writeScope(m *message, s instrumentation.Scope) {
	m.sub(1, func(m *message) {
		m.text(1, s.Name)
		m.text(2, s.Version)
	})
}
