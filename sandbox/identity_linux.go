//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// identity is who a command runs as.
type identity struct {
	uid, gid int
	become   bool // we are root and it is somebody else
}

// identityOf is the owner of the root entry's folder when we are root, else
// ourselves: then files that a command makes belong to whom one expects.
func (pl *Plan) identityOf() (identity, error) {
	me := identity{uid: os.Geteuid(), gid: os.Getegid()}
	if me.uid != 0 {
		return me, nil
	}
	place := pl.rootPath
	for _, e := range pl.Entries {
		if place == "" && e.Tier == TierBind {
			place = e.Real
		}
	}
	info, err := os.Stat(place)
	if err != nil {
		return me, fmt.Errorf("the root entry's folder: %w", err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return identity{uid: 0, gid: 0}, nil
	}
	id := identity{uid: int(st.Uid), gid: int(st.Gid), become: true}
	if u, err := user.LookupId(strconv.Itoa(id.uid)); err == nil {
		if gid, err := strconv.Atoi(u.Gid); err == nil {
			id.gid = gid
		}
	}
	return id, nil
}

// maps are the ids that exist inside: our own, and the one to become. Every
// other id shows as nobody.
func (id identity) maps() (uids, gids []syscall.SysProcIDMap) {
	uids = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	gids = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	if id.become {
		uids = append(uids, syscall.SysProcIDMap{ContainerID: id.uid, HostID: id.uid, Size: 1})
		if id.gid != os.Getegid() {
			gids = append(gids, syscall.SysProcIDMap{ContainerID: id.gid, HostID: id.gid, Size: 1})
		}
	}
	return uids, gids
}
