// Package disk keeps files in a real directory tree and never leaves the tree
// through a link.
//
// On Linux every name is opened with openat2 below a descriptor that is held
// from the start, with all links refused by the kernel in the same step. So
// there is no moment between a check and a use in which somebody could turn a
// folder into a link to another place.
//
// A write goes to a temporary file in the same folder, is synced, and takes
// the name in one step. A writer that is killed can leave that file behind; its
// name begins with [backend.TempPrefix] and it can be deleted at any time.
//
// Removing a file happens in three steps, because Linux cannot unlink "this
// object": the name is moved to a private one, the object is compared with the
// one that was judged, and only then unlinked. An object that is not the judged
// one is moved back. A process killed between the steps leaves the file under
// the private name, whole.
//
// Mounts below the tree belong to it: what a person mounted there is followed.
package disk
