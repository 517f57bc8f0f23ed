package telemetry

import (
	"context"
	"math"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// metrics sends what was measured. It knows histograms, of which there is one.
type metrics struct{ to *sender }

var _ sdkmetric.Exporter = (*metrics)(nil)

// Temporality implements sdkmetric.Exporter: each report holds all since the
// start, so that a lost one loses nothing.
func (*metrics) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.CumulativeTemporality
}

// Aggregation implements sdkmetric.Exporter.
func (*metrics) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}

// Export implements sdkmetric.Exporter. A report that cannot be sent is
// dropped, and the person is told.
func (x *metrics) Export(ctx context.Context, report *metricdata.ResourceMetrics) error {
	if len(report.ScopeMetrics) > 0 {
		x.to.send(ctx, encodeMetrics(report))
	}
	return nil
}

// ForceFlush implements sdkmetric.Exporter.
func (*metrics) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdkmetric.Exporter.
func (*metrics) Shutdown(context.Context) error { return nil }

// encodeMetrics makes an ExportMetricsServiceRequest.
func encodeMetrics(report *metricdata.ResourceMetrics) message {
	var request message
	request.sub(1, func(m *message) { // ResourceMetrics
		writeResource(m, report.Resource)
		for _, s := range report.ScopeMetrics {
			m.sub(2, func(m *message) { // ScopeMetrics
				writeScope(m, s.Scope)
				for _, metric := range s.Metrics {
					h, ok := metric.Data.(metricdata.Histogram[float64])
					if !ok {
						continue
					}
					m.sub(2, func(m *message) {
						m.text(1, metric.Name)
						m.text(2, metric.Description)
						m.text(3, metric.Unit)
						m.sub(9, func(m *message) { writeHistogram(m, h) })
					})
				}
			})
		}
	})
	return request
}

// cumulative is AGGREGATION_TEMPORALITY_CUMULATIVE.
const cumulative = 2

func writeHistogram(m *message, h metricdata.Histogram[float64]) {
	for _, p := range h.DataPoints {
		m.sub(1, func(m *message) {
			m.fixed64(2, uint64(p.StartTime.UnixNano()))
			m.fixed64(3, uint64(p.Time.UnixNano()))
			m.fixed64(4, p.Count)
			m.double(5, p.Sum)
			m.packed(6, len(p.BucketCounts), func(i int) uint64 { return p.BucketCounts[i] })
			m.packed(7, len(p.Bounds), func(i int) uint64 { return math.Float64bits(p.Bounds[i]) })
			m.attributes(9, p.Attributes.ToSlice())
			if least, ok := p.Min.Value(); ok {
				m.double(11, least)
			}
			if most, ok := p.Max.Value(); ok {
				m.double(12, most)
			}
		})
	}
	m.uint(2, cumulative)
}
