package literal_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paddock/internal/glob/literal"
)

func randomText(rng *rand.Rand, most int) string {
	b := make([]byte, rng.IntN(most+1))
	for i := range b {
		b[i] = "abc/"[rng.IntN(4)]
	}
	return string(b)
}

func TestTrie(t *testing.T) {
	const seed = 50
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		seen := map[string]bool{}
		var keys []string
		for range rng.IntN(30) {
			if key := randomText(rng, 6); !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
		for _, backward := range []bool{false, true} {
			trie := literal.New(keys, backward)
			if trie.Empty() != (len(keys) == 0) {
				t.Fatalf("seed %d: %q: Empty is %v", seed, keys, trie.Empty())
			}
			for range 20 {
				text := randomText(rng, 12)
				var got, want []string
				node, ok := uint32(0), true
				for i := 0; ok; i++ {
					if v := trie.Value(node); v >= 0 {
						got = append(got, keys[v])
					}
					if i == len(text) {
						break
					}
					at := i
					if backward {
						at = len(text) - 1 - i
					}
					node, ok = trie.Step(node, text[at])
				}
				for _, key := range keys {
					if !backward && strings.HasPrefix(text, key) || backward && strings.HasSuffix(text, key) {
						want = append(want, key)
					}
				}
				slices.SortFunc(want, func(a, b string) int { return len(a) - len(b) })
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: %q in %q, backward %v: got %q, want %q", seed, keys, text, backward, got, want)
				}
			}
		}
	}
}

// TestIndex holds the one promise that counts: whatever a text meets in full is found.
func TestIndex(t *testing.T) {
	const seed = 51
	rng := rand.New(rand.NewPCG(seed, 1))
	met, found, all := 0, 0, 0
	for range 500 {
		demands := make([]literal.Demand, rng.IntN(40))
		for i := range demands {
			d := &demands[i]
			if rng.IntN(3) > 0 {
				d.Prefix = randomText(rng, 3)
			}
			if rng.IntN(3) > 0 {
				d.Suffix = randomText(rng, 3)
			}
			for range rng.IntN(3) {
				d.Inner = append(d.Inner, randomText(rng, 4))
			}
		}
		index, buckets := literal.NewIndex(demands)
		for range 20 {
			text := randomText(rng, 12)
			hit := map[int32]bool{}
			index.Find(text, func(n int32) { hit[n] = true })
			for i, d := range demands {
				all++
				asks := d.Prefix != "" || d.Suffix != "" || strings.Join(d.Inner, "") != ""
				if asks == (buckets[i] < 0) {
					t.Fatalf("seed %d: %+v has bucket %d", seed, d, buckets[i])
				}
				if hit[buckets[i]] {
					found++
				}
				if asks && strings.HasPrefix(text, d.Prefix) && strings.HasSuffix(text, d.Suffix) &&
					!slices.ContainsFunc(d.Inner, func(in string) bool { return !strings.Contains(text, in) }) {
					met++
					if !hit[buckets[i]] {
						t.Fatalf("seed %d: %q meets %+v, but it was not found", seed, text, d)
					}
				}
			}
		}
	}
	t.Logf("seed %d: %d of %d pairs met, %d looked at", seed, met, all, found)
	if met < 1000 || found*2 > all {
		t.Errorf("%d of %d pairs met and %d looked at: too few met or too many looked at to mean anything", met, all, found)
	}
}

func TestFindAllocatesNothing(t *testing.T) {
	index, _ := literal.NewIndex([]literal.Demand{{Prefix: "src/"}, {Suffix: ".go"}, {Inner: []string{"mid"}}})
	sum := int32(0)
	if n := testing.AllocsPerRun(100, func() { index.Find("src/amidst/x.go", func(n int32) { sum += n }) }); n != 0 {
		t.Errorf("Find allocates %v times", n)
	}
	if sum == 0 {
		t.Error("Find found nothing")
	}
}
