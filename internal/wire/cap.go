package wire

import (
	"fmt"

	"paddock/policy"
)

// capNotice is said with each denial that the cap causes. The agent reads it,
// so it names no path of this machine.
const capNotice = "this policy was found and nobody vouched for it yet, so it grants no more than reading in its own folder; a person lifts that with: paddock trust"

// capOf is the outermost context of a policy that nobody vouched for: READ in
// the policy's own folder and nothing else. What the policy itself denies stays
// denied.
func capOf(s *Source, own policy.Own) (*policy.Policy, error) {
	read, none := policy.Read, policy.None
	c := &policy.SecurityContext{
		Version: 1, Name: "untrusted",
		Paths:            []policy.PathEntry{{Slug: policy.RootSlug, Path: s.Dir(), AllowedPermission: &read}},
		Permissions:      &none,
		UnlistedCommands: policy.UnlistedDeny,
	}
	p, err := policy.Compile(c, policy.Facts{Places: []policy.Place{{Real: s.Dir()}}, Own: own, Dir: s.Dir()})
	if err != nil {
		return nil, fmt.Errorf("the cap of an untrusted policy: %w", err)
	}
	return p, nil
}
