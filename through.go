package paddock

// Through makes a Guard that decides and acts as this one does, and asks and
// records through others in place of its own: for a server that must tell for
// whom. Nil means what it means in Options. The new Guard has no mounts of its
// own to close.
func (g *Guard) Through(a Approver, r Recorder) *Guard {
	t := *g
	t.mounts = g.mounts.child(g.policy)
	t.approver, t.recorder = a, r
	return &t
}
