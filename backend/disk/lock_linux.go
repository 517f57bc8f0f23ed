//go:build !osroot

package disk

import (
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"paddock/backend"
)

// locks keep the last steps of two changes by this process apart, which are
// several calls each. They belong to the process and not to a Tree, because two
// trees may hold the same folder. Other programs are not kept out; the steps are
// in an order that stands up to them. A lock is held for a few calls, never
// while a caller's code runs, and readers take none.
var locks [64]sync.Mutex

func stripe(id backend.ID) int {
	return int((id.Ino*0x9e3779b97f4a7c15 ^ id.Dev*0xff51afd7ed558ccd) >> 58)
}

// lockObject locks one file that is written in place.
func lockObject(id backend.ID) (unlock func()) {
	lock := &locks[stripe(id)]
	lock.Lock()
	return lock.Unlock
}

// lockFolders locks the names of one or two folders, always in the same order.
func lockFolders(folders ...folder) (unlock func()) {
	var which []int
	for _, d := range folders {
		var st unix.Stat_t
		unix.Fstat(d.fd, &st) // on failure they share a lock
		which = append(which, stripe(infoOf(&st).ID))
	}
	slices.Sort(which)
	which = slices.Compact(which)
	for _, i := range which {
		locks[i].Lock()
	}
	return func() {
		for _, i := range which {
			locks[i].Unlock()
		}
	}
}
