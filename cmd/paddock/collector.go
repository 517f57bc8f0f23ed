package main

import "runtime"

// collectorRoom is memory that is asked for and never touched, so that it costs
// addresses only.
const collectorRoom = 16 << 20

// calmCollector makes the garbage collector wait for as much garbage again. A
// server has little that stays, a few MiB, and each call drops some 100 KiB of
// buffers, most of them the protocol library's: without this it collects after
// every few dozen calls, which takes longer than the calls do. A higher
// percentage would do the same to what large requests hold, many times over.
// The room is given back by end.
func calmCollector() (end func()) {
	room := make([]byte, collectorRoom)
	return func() { runtime.KeepAlive(room) }
}
