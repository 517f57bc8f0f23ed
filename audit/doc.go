// Package audit keeps the record of what was decided, asked and done: JSON
// lines, each linked to the one before by its hash, written before the effect
// they are about. Several processes may write one log; it stays one chain.
//
// A line is
//
//	{"seq":N,"prev":"HASH","event":{…},"hash":"HASH"}
//
// where hash is the SHA-256 of the line's bytes before `,"hash"`, in hex, and
// prev is the hash of the line before, empty for the first. Changing, adding
// or removing a line anywhere but at the end breaks the chain. That lines were
// cut off the end, or that the whole log was written anew, can be told only
// with an anchor: a sequence number and hash that was kept elsewhere.
package audit
