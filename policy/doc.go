// Package policy holds the rules: what a request may do, and which line said
// so. It is pure. It opens nothing, knows no clock and no network; what it
// must know of the real tree it asks of a Resolver that its caller supplies.
// A compiled Policy never changes and may be used by any number of goroutines.
package policy
