package wire_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"paddock/internal/trust"
	"paddock/internal/wire"
	"paddock/policy"
)

func TestUntrustedPolicyIsCapped(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything+
		"  - {slug: outside, path: ../outside, allowed_permission: all}\n  - {slug: mem, backend: memory, allowed_permission: all}\n"+
		"denied_path_regex: [secret]\npermissions: all\nunlisted_commands: allow\napproval: {chain: [auto]}\n")
	p.file(p.project+"/a.txt", "a")
	p.file(p.project+"/secret", "s")
	p.file(p.home+"/outside/o.txt", "o")

	capped := p.open("")
	if len(capped.Notices) != 1 || !strings.Contains(capped.Notices[0], "paddock trust") {
		t.Errorf("notices: %q", capped.Notices)
	}
	if err := reads(capped.Guard, "/a.txt"); err != nil {
		t.Errorf("reading in the policy's own folder: %v", err)
	}
	for what, err := range map[string]error{
		"write": write(capped.Guard, "/new.txt", "x"), "delete": remove(capped.Guard, "/a.txt"),
		"outside": reads(capped.Guard, "/outside/o.txt"), "memory": write(capped.Guard, "/mem/x", "x"),
	} {
		if !errors.Is(err, policy.PathAccessDenied) && !errors.Is(err, policy.PermissionDenied) || !strings.Contains(err.Error(), "paddock trust") {
			t.Errorf("%s under an untrusted policy: %v", what, err)
		} else if strings.Contains(err.Error(), p.top) {
			t.Errorf("%s: the agent is told a host path: %v", what, err)
		}
	}
	if err := reads(capped.Guard, "/secret"); !errors.Is(err, policy.PathAccessDenied) {
		t.Errorf("what the policy itself denies: %v", err)
	}
	if e, err := capped.Guard.ExplainCommand(t.Context(), "ls"); err != nil || e.Verdict != policy.Deny {
		t.Errorf("a command under an untrusted policy: %+v, %v", e, err)
	}

	s := p.choose("")
	must(t, trust.In(p.state).Trust(s.Real, s.Content))
	full := p.open("")
	if len(full.Notices) != 0 {
		t.Errorf("notices once trusted: %q", full.Notices)
	}
	if err := write(full.Guard, "/new.txt", "x"); err != nil {
		t.Errorf("write once trusted: %v", err)
	}

	p.file(p.project+"/paddock.yaml", everything+"# changed\n")
	if err := write(p.open("").Guard, "/again.txt", "x"); err == nil {
		t.Error("trust in one content holds for another")
	}
}

func TestUntrustedPolicyDoesNotAnswerItself(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", "version: 1\npaths:\n  - {slug: root, path: ., allowed_permission: read, required_permission: read}\napproval: {chain: [auto]}\n")
	p.file(p.project+"/a.txt", "a")
	if err := reads(p.open("").Guard, "/a.txt"); !errors.Is(err, policy.ApprovalDenied) && !errors.Is(err, policy.ApprovalTimeout) {
		t.Errorf("an untrusted policy approves its own requests: %v", err)
	}
	if err := reads(p.open("paddock.yaml").Guard, "/a.txt"); err != nil {
		t.Errorf("the same policy, named by the person: %v", err)
	}
}

func TestBrokenTrustStoreIsNoTrust(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything)
	s := p.choose("")
	must(t, trust.In(p.state).Trust(s.Real, s.Content))
	must(t, os.Chmod(p.state+"/trust", 0o777))
	if s := p.choose(""); s.Trusted || len(s.Notices) != 1 {
		t.Errorf("a store that anybody can write in is believed: %+v", s)
	}
}

func TestUntrustedPolicyLiftsNoRules(t *testing.T) {
	p := newPlace(t)
	p.file(p.project+"/paddock.yaml", everything+"workers: {w: {rules: [], rules_may_widen: true}}\n")
	s := p.choose("")
	if setup, err := wire.Open(s, p.environment(), wire.Options{}); err == nil || !strings.Contains(err.Error(), "rules_may_widen counts only") {
		t.Errorf("opened: %v, %v", setup, err)
	}
	must(t, trust.In(p.state).Trust(s.Real, s.Content))
	p.open("") // as a person wants it
}
