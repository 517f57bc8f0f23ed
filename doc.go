// Package paddock gives an agent files under a policy. A Guard is the only way
// from a tool to an effect: it decides, asks where the policy says so, decides
// again, records, acts on the very object that was judged, and records what
// came of it.
package paddock
