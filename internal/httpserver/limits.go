package httpserver

import (
	"sync"
	"time"
)

// Limits bound what callers can make a server do. A zero field means its
// default.
type Limits struct {
	Body        int64         // bytes of a request's body; 32 MiB
	Calls       int           // requests under way at once, of all; 64
	CallsEach   int           // of one principal; 16
	Connections int           // open at once; 256
	Sessions    int           // open at once, of all; 64
	SessionEach int           // of one principal; 16
	Idle        time.Duration // until an unused session ends; 30 minutes
	Header      time.Duration // until a request's header has come; 10 seconds
	Read        time.Duration // until its body has come; 1 minute
	Turn        time.Duration // that a large body may wait until others are done; 15 seconds
	Write       time.Duration // that a client may take no byte of an answer; 30 seconds
	Drain       time.Duration // that running calls may go on at the end; 10 seconds
}

func (l Limits) filled() Limits {
	or(&l.Body, 32<<20)
	or(&l.Calls, 64)
	or(&l.CallsEach, 16)
	or(&l.Connections, 256)
	or(&l.Sessions, 64)
	or(&l.SessionEach, 16)
	or(&l.Idle, 30*time.Minute)
	or(&l.Header, 10*time.Second)
	or(&l.Read, time.Minute)
	or(&l.Turn, 15*time.Second)
	or(&l.Write, 30*time.Second)
	or(&l.Drain, 10*time.Second)
	return l
}

func or[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// calls counts the requests that are under way.
type calls struct {
	all, each int

	mu     sync.Mutex
	total  int
	byName map[string]int
}

func newCalls(all, each int) *calls {
	return &calls{all: all, each: each, byName: map[string]int{}}
}

// fullness says which bound a request met.
type fullness int

const (
	fits fullness = iota
	eachFull
	allFull
)

// begin counts a request in. Only one that fits must be counted out by end.
func (c *calls) begin(name string) fullness {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.byName[name] >= c.each:
		return eachFull
	case c.total >= c.all:
		return allFull
	}
	c.total++
	c.byName[name]++
	return fits
}

func (c *calls) end(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if c.byName[name]--; c.byName[name] == 0 {
		delete(c.byName, name)
	}
}
