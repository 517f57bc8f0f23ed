// Package wire makes a Guard out of a policy file: it chooses the file, opens
// what its paths name, decides what Paddock itself lives on, and picks the ways
// to ask. It is the one place where a policy meets this machine's folders.
//
// Choose finds the file, Open makes the Guard.
package wire
