//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// watchEvery is how often the sandbox's processes are counted.
const watchEvery = 100 * time.Millisecond

// watch ends everything when all processes together have too much memory, or
// are too many. It runs in the first process, whose /proc shows the sandbox's
// processes and no others.
func (i *firstStage) watch() {
	c := i.spec.Command
	most := i.spec.PidMax - reservedPids
	for {
		time.Sleep(watchEvery)
		memory, threads := usage()
		switch {
		case c.Memory > 0 && memory > c.Memory:
			i.out.Encode(message{Done: true, Exit: 137, Signal: 9, Killed: "memory"})
		case !i.pidMax && i.spec.PidMax > 0 && threads > most:
			i.out.Encode(message{Done: true, Exit: 137, Signal: 9, Killed: "processes"})
		default:
			continue
		}
		os.Exit(0)
	}
}

// usage sums what the processes have of their own in memory, in bytes, and
// counts their threads. What a process shares with the one that it was forked
// from counts for both: it errs towards more.
func usage() (memory int64, threads int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, 0
	}
	page := int64(os.Getpagesize())
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == 1 {
			continue
		}
		if statm, err := os.ReadFile("/proc/" + e.Name() + "/statm"); err == nil {
			if f := bytes.Fields(statm); len(f) > 2 {
				resident, _ := strconv.ParseInt(string(f[1]), 10, 64)
				shared, _ := strconv.ParseInt(string(f[2]), 10, 64)
				memory += (resident - shared) * page
			}
		}
		threads++
		if tasks, err := os.ReadDir("/proc/" + e.Name() + "/task"); err == nil && len(tasks) > 1 {
			threads += len(tasks) - 1
		}
	}
	return memory, threads
}
