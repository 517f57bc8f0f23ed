package paddock

// CountsAs says that the call does what another tool does, so that a gate of
// interrupt_on on that tool is one for this call too: no second name of an
// operation is a way around it. It is called before the call is put to use.
// Where both tools are gated the call's own gate counts.
func (c *Call) CountsAs(tool string) {
	if c.gated {
		return
	}
	if on, _, _ := c.guard.policy.InterruptOn(tool); on.Ask {
		c.gated, c.gate = true, tool
	}
}
