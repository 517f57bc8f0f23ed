package telemetry

import (
	"encoding/binary"
	"math"

	"go.opentelemetry.io/otel/attribute"
)

// message is a message of protobuf while it is written. The numbers of fields
// are those of opentelemetry-proto.
type message []byte

// Kinds of fields on the wire.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

func (m *message) tag(field, kind int) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|uint64(kind))
}

func (m *message) uint(field int, v uint64) {
	m.tag(field, wireVarint)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) fixed64(field int, v uint64) {
	m.tag(field, wireFixed64)
	*m = binary.LittleEndian.AppendUint64(*m, v)
}

func (m *message) fixed32(field int, v uint32) {
	m.tag(field, wireFixed32)
	*m = binary.LittleEndian.AppendUint32(*m, v)
}

func (m *message) double(field int, v float64) { m.fixed64(field, math.Float64bits(v)) }

func (m *message) bytes(field int, v []byte) {
	m.tag(field, wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(v)))
	*m = append(*m, v...)
}

// text leaves an empty text out, as protobuf does.
func (m *message) text(field int, v string) {
	if v != "" {
		m.bytes(field, []byte(v))
	}
}

// sub writes a message inside this one.
func (m *message) sub(field int, write func(*message)) {
	var inner message
	write(&inner)
	m.bytes(field, inner)
}

// packed writes a list of numbers of 64 bits.
func (m *message) packed(field int, n int, at func(int) uint64) {
	var all message
	for i := range n {
		all = binary.LittleEndian.AppendUint64(all, at(i))
	}
	m.bytes(field, all)
}

// attributes writes a list of KeyValue.
func (m *message) attributes(field int, all []attribute.KeyValue) {
	for _, kv := range all {
		m.sub(field, func(m *message) {
			m.text(1, string(kv.Key))
			m.sub(2, func(m *message) { m.value(kv.Value) })
		})
	}
}

// value writes an AnyValue. Lists, which nothing here makes but the environment
// might, are told as text.
func (m *message) value(v attribute.Value) {
	switch v.Type() {
	case attribute.BOOL:
		var n uint64
		if v.AsBool() {
			n = 1
		}
		m.uint(2, n)
	case attribute.INT64:
		m.uint(3, uint64(v.AsInt64()))
	case attribute.FLOAT64:
		m.double(4, v.AsFloat64())
	case attribute.STRING:
		m.bytes(1, []byte(v.AsString()))
	default:
		m.bytes(1, []byte(v.String()))
	}
}
