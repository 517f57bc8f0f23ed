package policy

// Act is one thing that is done to a file or folder. Tools, and everything
// that serves files to commands, look up in one table which right it needs.
type Act string

// The acts, as the kernel and the tools know them.
const (
	ActOpenRead   Act = "open for reading"
	ActList       Act = "list"
	ActSearch     Act = "search"
	ActHash       Act = "hash"
	ActGetXattr   Act = "getxattr"
	ActOpenWrite  Act = "open for writing"
	ActCreate     Act = "create"
	ActMkdir      Act = "mkdir"
	ActSymlink    Act = "symlink"
	ActLinkTarget Act = "link target"
	ActTruncate   Act = "truncate"
	ActChmod      Act = "chmod"
	ActChown      Act = "chown"
	ActUtime      Act = "utime"
	ActSetXattr   Act = "setxattr"
	ActRenameTo   Act = "rename to"
	ActUnlink     Act = "unlink"
	ActRmdir      Act = "rmdir"
	ActRenameFrom Act = "rename from"
	ActReplaced   Act = "replaced target of a rename"
	ActExec       Act = "execve"
	ActWorkdir    Act = "working directory of a run"
	ActStat       Act = "stat"
	ActAccess     Act = "access"
	ActReadlink   Act = "readlink"
)

// needs is the table that docs/policy.md states. None stands for "any right".
var needs = map[Act]Permission{
	ActOpenRead: Read, ActList: Read, ActSearch: Read, ActHash: Read, ActGetXattr: Read,
	ActOpenWrite: Write, ActCreate: Write, ActMkdir: Write, ActSymlink: Write, ActLinkTarget: Write,
	ActTruncate: Write, ActChmod: Write, ActChown: Write, ActUtime: Write, ActSetXattr: Write, ActRenameTo: Write,
	ActUnlink: Delete, ActRmdir: Delete, ActRenameFrom: Delete, ActReplaced: Delete,
	ActExec: Execute, ActWorkdir: Execute,
	ActStat: None, ActAccess: None, ActReadlink: None,
}

// Needs tells the right that an act needs; None means that any right will do.
// An act that is not in the table needs all of them.
func Needs(a Act) Permission {
	if p, ok := needs[a]; ok {
		return p
	}
	return All
}
