//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"paddock/policy"
)

// spec is what the init is told: everything, so that it decides nothing.
type spec struct {
	Binds   []bindSpec  // outer ones first
	Scratch []scratch   // private folders in memory
	Dirs    []string    // further empty folders
	Closed  []string    // of our own folders, those that are passed through and not listed
	Links   [][2]string // name, target
	Files   [][2]string // name, content
	Aliases [][2]string // name, place inside
	PidMax  int         // bound on processes by number, 0: none
	TTY     bool
	Probe   bool // build everything, start nothing
	Command commandSpec
}

// bindSpec is one tree of this machine that is shown inside.
type bindSpec struct {
	Source, Target   string
	File             bool
	ReadOnly, NoExec bool
	Inside           bool // the place is in another bind, so it must be there
}

type scratch struct {
	Target string
	Size   int64
	Mode   uint32
	NoExec bool
}

// commandSpec is what the last stage is told: how to lock itself in, and what
// to become.
type commandSpec struct {
	Argv, Env []string
	Dir       string
	UID, GID  int
	Switch    bool // become UID first; else it is that already
	Processes int  // 0: bounded by PidMax alone
	Memory    int64
	Files     int
	FileSize  int64
	MountExec bool
	Landlock  int
	Rules     []ruleSpec
}

type ruleSpec struct {
	Path   string
	Rights policy.Permission
	Device bool // ioctl too
	Only   bool // list this and what is below, nothing else
}

// etcFiles are copied, if they are there and small: what programs need to find
// their way, and nothing that tells of users or keys.
var etcFiles = []string{
	"ld.so.cache", "ld.so.conf", "localtime", "timezone", "mime.types", "protocols", "services", "gai.conf",
	"os-release", "debian_version", "profile", "bash.bashrc", "inputrc", "locale.conf", "shells", "ssl/openssl.cnf",
}

// etcFolders are shown read-only: certificates and the links that choose
// between programs. Not /etc/ssl as a whole, which holds private keys.
var etcFolders = []string{
	"/etc/alternatives", "/etc/ld.so.conf.d", "/etc/ssl/certs", "/etc/ca-certificates",
	"/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted", "/etc/crypto-policies",
}

const maxEtcFile = 1 << 20

// layout makes the file system of a sandbox.
func (pl *Plan) layout(id identity) *spec {
	s := &spec{Dirs: []string{"/proc", "/run", "/var", "/home"}}
	s.Scratch = []scratch{
		{pl.home, pl.Limits.Scratch, 0o700, pl.Limits.MountExec},
		{pl.tmp, pl.Limits.Scratch, 0o1777, pl.Limits.MountExec},
		{"/dev/shm", min(pl.Limits.Scratch, 64<<20), 0o1777, true},
	}
	s.system()
	s.etc(id, pl.home)
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		s.Binds = append(s.Binds, bindSpec{Source: "/dev/" + name, Target: "/dev/" + name, File: true, ReadOnly: true, NoExec: true})
	}
	s.Links = append(s.Links, [][2]string{
		{"/dev/fd", "/proc/self/fd"}, {"/dev/stdin", "/proc/self/fd/0"}, {"/dev/stdout", "/proc/self/fd/1"},
		{"/dev/stderr", "/proc/self/fd/2"}, {"/dev/ptmx", "pts/ptmx"},
	}...)
	if pl.tmpPlain {
		s.Dirs = append(s.Dirs, "/tmp")
	}
	s.entries(pl)
	if !s.uses("/var/tmp") {
		s.Links = append(s.Links, [2]string{"/var/tmp", pl.tmp})
	}
	s.Command.Rules = s.rules(pl)
	return s
}

// uses tells whether some entry is at or below a place.
func (s *spec) uses(dir string) bool {
	return slices.ContainsFunc(s.Binds, func(b bindSpec) bool { return within(b.Target, dir) })
}

func (s *spec) system() {
	for _, dir := range systemFolders {
		info, err := os.Lstat(dir)
		switch {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			if target, err := os.Readlink(dir); err == nil {
				s.Links = append(s.Links, [2]string{dir, target})
			}
		case info.IsDir():
			s.Binds = append(s.Binds, bindSpec{Source: dir, Target: dir, ReadOnly: true})
		}
	}
}

func (s *spec) etc(id identity, home string) {
	for _, name := range etcFiles {
		full := path.Join("/etc", name)
		info, err := os.Stat(full)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxEtcFile || info.Mode()&0o004 == 0 {
			continue // what not everybody may read is none of the agent's business
		}
		if content, err := os.ReadFile(full); err == nil {
			s.Files = append(s.Files, [2]string{full, string(content)})
		}
	}
	for _, dir := range etcFolders {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			s.Binds = append(s.Binds, bindSpec{Source: dir, Target: dir, ReadOnly: true, NoExec: true})
		}
	}
	passwd := fmt.Sprintf("agent:x:%d:%d:agent:%s:/bin/sh\n", id.uid, id.gid, home)
	group := fmt.Sprintf("agent:x:%d:\n", id.gid)
	if id.uid != 65534 {
		passwd += "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
	}
	if id.gid != 65534 {
		group += "nogroup:x:65534:\n"
	}
	s.Files = append(s.Files, [][2]string{
		{"/etc/passwd", passwd}, {"/etc/group", group},
		{"/etc/hosts", "127.0.0.1 localhost paddock\n::1 localhost paddock\n"},
		{"/etc/hostname", "paddock\n"}, {"/etc/resolv.conf", "# there is no network here\n"},
		{"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"},
	}...)
}

// entries adds the policy's own trees, outer ones first, with a pin on every
// folder between an entry and one inside it: a mount cannot be moved away,
// and else a command could move such a folder, the inner entry with it.
func (s *spec) entries(pl *Plan) {
	for i, e := range pl.Entries {
		if e.Tier != TierBind {
			continue
		}
		s.close(pl, i)
		b := bindSpec{Source: e.Real, Target: e.Real, File: e.File, ReadOnly: e.Rights&policy.Write == 0, NoExec: e.Rights&policy.Execute == 0}
		if outer := pl.around(i); outer != nil {
			b.Inside = true
			for _, dir := range between(outer.Real, e.Real) {
				if !slices.ContainsFunc(s.Binds, func(b bindSpec) bool { return b.Target == dir }) {
					s.Binds = append(s.Binds, bindSpec{Source: dir, Target: dir, Inside: true, ReadOnly: outer.Rights&policy.Write == 0, NoExec: outer.Rights&policy.Execute == 0})
				}
			}
		}
		for _, dir := range systemFolders {
			b.Inside = b.Inside || within(e.Real, dir)
		}
		s.Binds = append(s.Binds, b)
		for _, name := range e.Names {
			s.Aliases = append(s.Aliases, [2]string{name, e.Real})
		}
	}
	sort.SliceStable(s.Binds, func(i, j int) bool {
		return strings.Count(s.Binds[i].Target, "/") < strings.Count(s.Binds[j].Target, "/")
	})
}

// close closes the folders above an entry that lie in one which grants nothing:
// they lead to the entry and show no other name.
// Inside an entry that grants something the folders are not ours to close.
func (s *spec) close(pl *Plan, i int) {
	if pl.around(i) != nil {
		return
	}
	for _, e := range pl.Entries[:i] {
		if e.Tier == TierAbsent && within(pl.Entries[i].Real, e.Real) {
			s.Closed = append(append(s.Closed, e.Real), between(e.Real, pl.Entries[i].Real)...)
		}
	}
}

// around is the nearest entry that holds entry i and is in the sandbox.
func (pl *Plan) around(i int) *Entry {
	for j := i - 1; j >= 0; j-- {
		if o := &pl.Entries[j]; o.Tier == TierBind && within(pl.Entries[i].Real, o.Real) {
			return o
		}
	}
	return nil
}

// between lists the folders strictly between two, from the outside in.
func between(outer, inner string) []string {
	var dirs []string
	for dir := path.Dir(inner); dir != outer && within(dir, outer); dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// rules are the floor: what Landlock grants, everything else being refused.
func (s *spec) rules(pl *Plan) []ruleSpec {
	scratchRights := policy.All
	if pl.Limits.MountExec {
		scratchRights &^= policy.Execute
	}
	rules := []ruleSpec{
		{Path: "/", Only: true}, {Path: "/etc", Rights: policy.Read}, {Path: "/proc", Rights: policy.Read},
		{Path: pl.home, Rights: scratchRights}, {Path: pl.tmp, Rights: scratchRights},
		{Path: "/dev/shm", Rights: policy.Read | policy.Write | policy.Delete},
		{Path: "/dev/pts", Rights: policy.Read | policy.Write, Device: true},
	}
	for _, b := range s.Binds {
		switch {
		case slices.Contains(systemFolders, b.Target):
			rules = append(rules, ruleSpec{Path: b.Target, Rights: systemRights})
		case path.Dir(b.Target) == "/dev":
			rules = append(rules, ruleSpec{Path: b.Target, Rights: policy.Read | policy.Write, Device: true})
		}
	}
	for _, e := range pl.Entries {
		if e.Tier == TierBind {
			rules = append(rules, ruleSpec{Path: e.Real, Rights: e.Rights})
		}
	}
	return rules
}
