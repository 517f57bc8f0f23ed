// Package house is the repository's tests over itself: which package may
// import which, and what every package owes its readers. It has no code to
// call.
package house
