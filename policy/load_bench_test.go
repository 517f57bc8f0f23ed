package policy

import "testing"

// BenchmarkParse reads a policy of forty lines, as at each start.
func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("p.yaml", []byte(full)); err != nil {
			b.Fatal(err)
		}
	}
}
