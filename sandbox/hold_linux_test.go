//go:build amd64 || arm64

package sandbox_test

import (
	"time"

	"golang.org/x/sys/unix"
)

// hold takes memory in one of its ways, and keeps it for a while.
func hold(take func(bytes int) error) error {
	if err := take(170 << 20); err != nil {
		return err
	}
	time.Sleep(30 * time.Second)
	return nil
}

func shared(bytes int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANON)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	return b, err
}

// memfd writes into a file in memory and maps nothing.
func memfd(bytes int) error {
	fd, err := unix.MemfdCreate("hold", 0)
	if err != nil {
		return err
	}
	block := make([]byte, 1<<20)
	for range bytes >> 20 {
		if _, err := unix.Write(fd, block); err != nil {
			return err
		}
	}
	return nil
}

// segment fills a System V segment and lets go of it.
func segment(bytes int) error {
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, bytes, unix.IPC_CREAT|0o600)
	if err != nil {
		return err
	}
	b, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return err
	}
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	return unix.SysvShmDetach(b)
}
