package telemetry

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// field is one field of a message as it came over the wire.
type field struct {
	number int
	kind   int
	n      uint64 // of a number
	bytes  []byte // of a text or message
}

// fields takes a message apart, independently of how it was written.
func fields(t *testing.T, m []byte) []field {
	t.Helper()
	var all []field
	for len(m) > 0 {
		tag, size := binary.Uvarint(m)
		if size <= 0 {
			t.Fatalf("no tag: %x", m)
		}
		m = m[size:]
		f := field{number: int(tag >> 3), kind: int(tag & 7)}
		switch f.kind {
		case wireVarint:
			f.n, size = binary.Uvarint(m)
		case wireFixed64:
			f.n, size = binary.LittleEndian.Uint64(m), 8
		case wireFixed32:
			f.n, size = uint64(binary.LittleEndian.Uint32(m)), 4
		case wireBytes:
			length, head := binary.Uvarint(m)
			size = head + int(length)
			f.bytes = m[head:size]
		default:
			t.Fatalf("no kind of field: %d", f.kind)
		}
		if size <= 0 {
			t.Fatalf("no value: %x", m)
		}
		m = m[size:]
		all = append(all, f)
	}
	return all
}

// at follows numbers of fields down to messages.
func at(t *testing.T, m []byte, path ...int) [][]byte {
	t.Helper()
	level := [][]byte{m}
	for _, number := range path {
		var next [][]byte
		for _, m := range level {
			for _, f := range fields(t, m) {
				if f.number == number {
					next = append(next, f.bytes)
				}
			}
		}
		level = next
	}
	return level
}

// number is a field's number in a message, and whether it is there.
func number(t *testing.T, m []byte, of int) (uint64, bool) {
	t.Helper()
	for _, f := range fields(t, m) {
		if f.number == of {
			return f.n, true
		}
	}
	return 0, false
}

// attributesOf reads the attributes in a field.
func attributesOf(t *testing.T, m []byte, of int) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, kv := range at(t, m, of) {
		key := string(at(t, kv, 1)[0])
		for _, v := range fields(t, at(t, kv, 2)[0]) {
			switch v.number {
			case 1:
				all[key] = string(v.bytes)
			case 2:
				all[key] = fmt.Sprint(v.n == 1)
			case 3:
				all[key] = fmt.Sprint(int64(v.n))
			case 4:
				all[key] = fmt.Sprint(math.Float64frombits(v.n))
			}
		}
	}
	return all
}
