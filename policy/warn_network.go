package policy

import "slices"

// warnNetwork finds hosts that are never reached.
func (k *checker) warnNetwork(n Network) {
	for i, host := range n.Allow {
		if j := slices.IndexFunc(n.Deny, func(d string) bool { return coversHost(d, host) }); j >= 0 {
			k.add(index("network.allow", i), "%s is denied by %s (%s), and a denial wins", quoted(host), k.cite(index("network.deny", j)), quoted(n.Deny[j]))
		}
	}
	for i, c := range n.Credentials {
		met := func(allowed string) bool { return coversHost(allowed, c.Host) || coversHost(c.Host, allowed) }
		if !slices.ContainsFunc(n.Allow, met) {
			k.add(index("network.credentials", i)+".host", "network.allow has no %s, so this credential is never sent", quoted(c.Host))
		}
	}
}

// warnNotYet names what is read, checked and not acted on. A limit that is
// believed to hold is worse than none.
func (k *checker) warnNotYet(c *SecurityContext) {
	const text = "this version reads and checks it and does not enforce it"
	n, i := c.Network, c.Interpreter
	if len(n.Allow)+len(n.Deny)+len(n.Credentials) > 0 || n.UnixSockets != "" {
		k.add("network", "%s", text)
	}
	if c.Limits.Output != 0 {
		k.add("limits.output", "%s", text)
	}
	if len(i.PTC) > 0 || i.Timeout != 0 || i.Memory != 0 || i.Clock != "" {
		k.add("interpreter", "%s", text)
	}
	for j, way := range c.Approval.Chain {
		if !slices.Contains([]string{"terminal", "auto", "auto_deny"}, way) {
			k.add(index("approval.chain", j), "this version can't ask by %s; the next way in the chain is asked, and without one nobody is", quoted(way))
		}
	}
}
