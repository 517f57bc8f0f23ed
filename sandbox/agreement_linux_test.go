//go:build amd64 || arm64

package sandbox_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"

	"paddock/policy"
)

// worlds tells how many random worlds a run has; a longer run sets PADDOCK_AGREEMENT to the number of worlds.
func worlds(t *testing.T, usual int) int {
	if more := os.Getenv("PADDOCK_AGREEMENT"); more != "" {
		n, err := strconv.Atoi(more)
		if err != nil {
			t.Fatalf("PADDOCK_AGREEMENT: %v", err)
		}
		return n
	}
	return usual
}

const perWorld = 300

func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes: left to the run without -short")
	}
	both(t, func(t *testing.T) {
		syscall.Umask(0o022)
		granted, refused, nested := map[string]int{}, map[string]int{}, 0
		total, denied := 0, 0
		n := worlds(t, 7)
		for seed := range n {
			a := newAgreement(t, rand.New(rand.NewPCG(uint64(seed), 4)))
			nested += len(a.rights) - 4
			ops := make([]operation, perWorld)
			for i := range ops {
				ops[i] = a.operation()
			}
			if found := a.compare(a.p, ops, func(o operation, allowed bool) {
				if total++; allowed {
					granted[o.Kind]++
				} else {
					refused[o.Kind]++
					denied++
				}
			}); found != "" {
				t.Errorf("seed %d, rights %v: %s", seed, a.rights, found)
			}
		}
		t.Logf("seeds 0 to %d: %d operations, %d denied, %d nested entries", n-1, total, denied, nested)
		if denied*10 < total*3 || nested < 3 {
			t.Errorf("too tame: %d of %d denied, %d nested entries", denied, total, nested)
		}
		for _, k := range kinds {
			if granted[k] == 0 || refused[k] == 0 {
				t.Errorf("%s was allowed %d and denied %d times: both must occur", k, granted[k], refused[k])
			}
		}
	})
}

// TestAgreementIsCaught plants one fault in what the sandbox is made for: one
// right of one entry more than the policy grants, or one less.
func TestAgreementIsCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes: left to the run without -short")
	}
	for _, fault := range []struct {
		from, to policy.Permission
	}{
		{policy.Read, policy.Read | policy.Write},
		{policy.Read, policy.Read | policy.Execute},
		{policy.Read | policy.Write, policy.Read | policy.Write | policy.Delete},
		{policy.All, policy.Read | policy.Write | policy.Execute},
		{policy.None, policy.Read},
	} {
		t.Run(fmt.Sprintf("%s as %s", fault.from, fault.to), func(t *testing.T) {
			syscall.Umask(0o022)
			for seed := range 5 {
				a := newAgreement(t, rand.New(rand.NewPCG(uint64(seed), 5)))
				for _, top := range []string{"/one", "/two"} {
					a.rights[top] = fault.from
					delete(a.rights, top+"/d/in")
				}
				a.p = a.compile(a.rights)
				a.rights["/two"] = fault.to
				ops := make([]operation, perWorld)
				for i := range ops {
					ops[i] = a.operation()
				}
				if a.compare(a.compile(a.rights), ops, func(operation, bool) {}) != "" {
					return
				}
			}
			t.Error("nobody noticed")
		})
	}
}
