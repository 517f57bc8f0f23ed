package wire_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"paddock/internal/trust"
	"paddock/policy"
)

func TestOwnFilesAreClosed(t *testing.T) {
	p := newPlace(t)
	// Everything is in one mount: the worst case.
	p.env["PADDOCK_STATE"] = p.project + "/state"
	p.env["PADDOCK_POLICY"] = p.project + "/named.yaml"
	p.file(p.project+"/policies/real.yaml", everything)
	p.file(p.project+"/policies/real2.yaml", strings.Replace(everything, "path: .", "path: ..", 1))
	must(t, os.Symlink("policies", p.project+"/link"))
	must(t, os.Symlink("link/real2.yaml", p.project+"/policy.yaml"))
	p.file(p.project+"/bin/paddock", "binary")
	p.file(p.project+"/free.txt", "x")
	setup := p.open("policy.yaml")
	must(t, trust.In(p.project+"/state").Trust("/x", nil))

	for _, path := range []string{"/policies/real2.yaml", "/policy.yaml", "/paddock.yaml", "/named.yaml", "/bin/paddock", "/link/real2.yaml"} {
		if err := write(setup.Guard, path, "x"); !errors.Is(err, policy.PathAccessDenied) {
			t.Errorf("write %s: %v", path, err)
		}
	}
	for _, path := range []string{"/policies/real2.yaml", "/policies", "/policy.yaml", "/link", "/bin/paddock", "/bin", "/state", "/state/trust"} {
		if err := remove(setup.Guard, path); !errors.Is(err, policy.PathAccessDenied) {
			t.Errorf("delete %s: %v", path, err)
		}
	}
	if err := reads(setup.Guard, "/policies/real2.yaml"); err != nil {
		t.Errorf("reading the policy, which it grants: %v", err)
	}
	if err := reads(setup.Guard, "/state/trust"); !errors.Is(err, policy.PathAccessDenied) {
		t.Errorf("reading the state folder: %v", err)
	}
	if err := write(setup.Guard, "/free.txt", "y"); err != nil {
		t.Errorf("another file in the same mount: %v", err)
	}
	if err := write(setup.Guard, "/policies/real.yaml", "y"); err != nil {
		t.Errorf("a file beside the policy: %v", err)
	}
	_, err := os.Lstat(p.project + "/paddock.yaml")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a policy for the next start was made: %v", err)
	}
}
