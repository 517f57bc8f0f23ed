//go:build linux

package sandbox_test

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attackOtherABI asks for the process id by the door for 32-bit programs,
// where the calls have other numbers.
func attackOtherABI() error {
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	answer := (*int32)(unsafe.Pointer(&page[2048]))
	code := []byte{
		0xb8, 20, 0, 0, 0, // mov eax, getpid
		0xcd, 0x80, // int 0x80
		0x48, 0xb9, 0, 0, 0, 0, 0, 0, 0, 0, // mov rcx, answer
		0x89, 0x01, // mov [rcx], eax
		0xc3, // ret
	}
	binary.LittleEndian.PutUint64(code[9:], uint64(uintptr(unsafe.Pointer(answer))))
	copy(page, code)
	start := &page[0]
	function := unsafe.Pointer(&start)
	(*(*func())(unsafe.Pointer(&function)))()
	if *answer < 0 {
		return unix.Errno(-*answer)
	}
	return nil
}
