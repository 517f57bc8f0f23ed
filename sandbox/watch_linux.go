//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
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

// usage sums what the processes have in memory, in bytes, and counts their
// threads: what is their own, what they share with each other, and what they
// hold without having it mapped. What two processes share counts for both: it
// errs towards more. The private folders have a bound of their own.
func usage() (memory int64, threads int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, 0
	}
	held := map[uint64]int64{} // by inode, files that live in memory only
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == 1 {
			continue
		}
		status, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err != nil {
			continue
		}
		memory += field(status, "RssAnon:")<<10 + field(status, "RssShmem:")<<10
		threads += int(field(status, "Threads:"))
		memoryFiles("/proc/"+e.Name()+"/fd", held)
	}
	for _, size := range held {
		memory += size
	}
	return memory + unattached(), threads
}

// field is the number after a name in a file such as /proc/PID/status.
func field(text []byte, name string) int64 {
	_, rest, found := bytes.Cut(text, []byte("\n"+name))
	if !found {
		return 0
	}
	rest = bytes.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	v, _ := strconv.ParseInt(string(rest[:n]), 10, 64)
	return v
}

// memoryFiles adds the files without a name that a process has open: a write
// to one takes memory, and no process's own share shows it.
func memoryFiles(dir string, held map[uint64]int64) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := dir + "/" + e.Name()
		if target, err := os.Readlink(name); err != nil || !strings.HasPrefix(target, "/memfd:") {
			continue
		}
		if info, err := os.Stat(name); err == nil {
			if st, ok := info.Sys().(*syscall.Stat_t); ok {
				held[st.Ino] = st.Blocks * 512
			}
		}
	}
}

// unattached sums the System V segments that no process has mapped now.
func unattached() int64 {
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return 0
	}
	var sum int64
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) < 15 || string(f[6]) != "0" {
			continue
		}
		n, _ := strconv.ParseInt(string(f[14]), 10, 64)
		sum += n
	}
	return sum
}
