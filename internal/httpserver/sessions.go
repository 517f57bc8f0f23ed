package httpserver

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Sessions are threads that principals opened. Each is known by a handle that
// cannot be guessed, works for its principal alone, and ends when it was not
// used for a while. It is safe for concurrent use.
type Sessions[V any] struct {
	limits Limits
	open   func(p *Principal) (V, error)
	end    func(V)
	now    func() time.Time

	mu     sync.Mutex
	byHash map[[sha256.Size]byte]*session[V]
	byName map[string]int
	closed bool
	timer  *time.Timer // of the next session that may end; nil when there is none
}

type session[V any] struct {
	principal string
	value     V
	users     int
	ended     bool // no new user; it ends with its last one
	used      time.Time
}

// NewSessions makes an empty set. open makes what a session has, end gives it
// up: once for each, when no call uses it any more. Close must be called.
func NewSessions[V any](l Limits, open func(*Principal) (V, error), end func(V)) *Sessions[V] {
	return &Sessions[V]{
		limits: l.filled(), open: open, end: end, now: time.Now,
		byHash: map[[sha256.Size]byte]*session[V]{}, byName: map[string]int{},
	}
}

// ErrNoSession is the error for a handle that is not one of the caller's: never
// minted, somebody else's, ended or expired. Which of them is not told.
var ErrNoSession = errors.New("there is no such session; it may have ended because it was not used: open a new one with session_open")

var errStopping = errors.New("the server is stopping")

// Open makes a session for a principal and returns its handle. Sessions count
// against the principal and in total.
func (s *Sessions[V]) Open(p *Principal) (handle string, err error) {
	if err := s.reserve(p.Name); err != nil {
		return "", err
	}
	value, err := s.open(p)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unreserve(p.Name)
		return "", err
	}
	handle = rand.Text()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.giveUp(&session[V]{principal: p.Name, value: value})
		return "", errStopping
	}
	defer s.mu.Unlock()
	s.byHash[hashOf(handle)] = &session[V]{principal: p.Name, value: value, used: s.now()}
	s.schedule()
	return handle, nil
}

// reserve counts a session before it is made, so that many at once do not pass
// the bound together.
func (s *Sessions[V]) reserve(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	total := 0
	for _, n := range s.byName {
		total += n
	}
	switch {
	case s.closed:
		return errStopping
	case s.byName[name] >= s.limits.SessionEach:
		return fmt.Errorf("%d sessions of yours are open already; end one with session_close, or let one expire", s.limits.SessionEach)
	case total >= s.limits.Sessions:
		return errors.New("the server has all the sessions it takes; try again later")
	}
	s.byName[name]++
	return nil
}

func (s *Sessions[V]) unreserve(name string) {
	if s.byName[name]--; s.byName[name] == 0 {
		delete(s.byName, name)
	}
}

// Use gives what a session has to a call of its principal. The session does
// not end before done was called.
func (s *Sessions[V]) Use(p *Principal, handle string) (value V, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.byHash[hashOf(handle)]
	if x == nil || x.principal != p.Name || x.users == 0 && s.expired(x) {
		return value, nil, ErrNoSession
	}
	x.users++
	return x.value, sync.OnceFunc(func() { s.leave(x) }), nil
}

// leave is the end of one use.
func (s *Sessions[V]) leave(x *session[V]) {
	s.mu.Lock()
	x.users--
	x.used = s.now()
	over := x.ended && x.users == 0
	if !over {
		s.schedule()
	}
	s.mu.Unlock()
	if over {
		s.giveUp(x)
	}
}

// giveUp ends what sessions have. Only then do they not count any more: what
// they hold is what the bounds are about.
func (s *Sessions[V]) giveUp(over ...*session[V]) {
	for _, x := range over {
		s.end(x.value)
		s.mu.Lock()
		s.unreserve(x.principal)
		s.mu.Unlock()
	}
}

// End ends a session of a principal: its handle is void at once, and what it
// has is given up when the last call that uses it is over.
func (s *Sessions[V]) End(p *Principal, handle string) error {
	s.mu.Lock()
	hash := hashOf(handle)
	x := s.byHash[hash]
	if x == nil || x.principal != p.Name || x.users == 0 && s.expired(x) {
		s.mu.Unlock()
		return ErrNoSession
	}
	over := s.remove(hash, x)
	s.mu.Unlock()
	if over {
		s.giveUp(x)
	}
	return nil
}

// remove voids a handle and tells whether the session is to be given up now.
func (s *Sessions[V]) remove(hash [sha256.Size]byte, x *session[V]) (over bool) {
	delete(s.byHash, hash)
	x.ended = true
	return x.users == 0
}

// Idle is how long a session lasts that is not used.
func (s *Sessions[V]) Idle() time.Duration { return s.limits.Idle }

func (s *Sessions[V]) expired(x *session[V]) bool { return s.now().Sub(x.used) >= s.limits.Idle }

// schedule sets the timer to the time at which the next session may end.
func (s *Sessions[V]) schedule() {
	if s.timer != nil || s.closed || len(s.byHash) == 0 {
		return
	}
	next := s.limits.Idle
	for _, x := range s.byHash {
		if x.users == 0 {
			next = min(next, max(0, s.limits.Idle-s.now().Sub(x.used)))
		}
	}
	s.timer = time.AfterFunc(next, s.sweep)
}

// sweep ends what was not used for too long.
func (s *Sessions[V]) sweep() {
	var over []*session[V]
	s.mu.Lock()
	s.timer = nil
	for hash, x := range s.byHash {
		if x.users == 0 && s.expired(x) && s.remove(hash, x) {
			over = append(over, x)
		}
	}
	s.schedule()
	s.mu.Unlock()
	s.giveUp(over...)
}

// Close ends all sessions. What calls still use is given up when they leave.
func (s *Sessions[V]) Close() {
	var over []*session[V]
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	for hash, x := range s.byHash {
		if s.remove(hash, x) {
			over = append(over, x)
		}
	}
	s.mu.Unlock()
	s.giveUp(over...)
}

// hashOf makes the key of a handle: looking up a text itself could tell by its
// time how much of it is right.
func hashOf(handle string) [sha256.Size]byte { return sha256.Sum256([]byte(handle)) }
