package httpserver

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// thread is what the tests keep in a session.
type thread struct {
	principal string
	ended     atomic.Int32
}

func newThreads(l Limits) *Sessions[*thread] {
	return NewSessions(l, func(p *Principal) (*thread, error) { return &thread{principal: p.Name}, nil }, func(x *thread) { x.ended.Add(1) })
}

var alice, bob = &Principal{Name: "alice"}, &Principal{Name: "bob"}

func mustOpen(t *testing.T, s *Sessions[*thread], p *Principal) string {
	t.Helper()
	handle, err := s.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	return handle
}

func TestAHandleWorksForItsPrincipalAlone(t *testing.T) {
	s := newThreads(Limits{})
	defer s.Close()
	handle := mustOpen(t, s, alice)
	if len(handle) < 26 { // 128 bits
		t.Errorf("the handle has %d characters", len(handle))
	}
	x, done, err := s.Use(alice, handle)
	if err != nil || x.principal != "alice" {
		t.Fatalf("its own principal: %v, %v", x, err)
	}
	done()
	for _, try := range []struct {
		p      *Principal
		handle string
	}{{bob, handle}, {alice, ""}, {alice, handle + "A"}, {alice, handle[:25]}, {bob, "nothing"}} {
		if _, _, err := s.Use(try.p, try.handle); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s uses %q: %v", try.p.Name, try.handle, err)
		}
		if err := s.End(try.p, try.handle); !errors.Is(err, ErrNoSession) {
			t.Errorf("%s ends %q: %v", try.p.Name, try.handle, err)
		}
	}
	if err := s.End(alice, handle); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Use(alice, handle); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session that was ended: %v", err)
	}
	if n := x.ended.Load(); n != 1 {
		t.Errorf("it was given up %d times", n)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	s := newThreads(Limits{Sessions: 3, SessionEach: 2})
	defer s.Close()
	one := mustOpen(t, s, alice)
	mustOpen(t, s, alice)
	if _, err := s.Open(alice); err == nil {
		t.Error("a principal has more sessions than it may")
	}
	mustOpen(t, s, bob)
	if _, err := s.Open(bob); err == nil {
		t.Error("there are more sessions than there may be")
	}
	if err := s.End(alice, one); err != nil {
		t.Error(err)
	}
	mustOpen(t, s, bob)
}

func TestSessionsThatCannotBeMadeDoNotCount(t *testing.T) {
	fault := errors.New("no")
	s := NewSessions(Limits{SessionEach: 1}, func(*Principal) (int, error) { return 0, fault }, func(int) { t.Error("given up") })
	defer s.Close()
	for range 3 {
		if _, err := s.Open(alice); !errors.Is(err, fault) {
			t.Errorf("got %v", err)
		}
	}
}

func TestSessionsEndWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newThreads(Limits{Idle: time.Minute})
		defer s.Close()
		unused, used, busy := mustOpen(t, s, alice), mustOpen(t, s, alice), mustOpen(t, s, alice)
		values := map[string]*thread{}
		for _, handle := range []string{unused, used, busy} {
			x, done, err := s.Use(alice, handle)
			if err != nil {
				t.Fatal(err)
			}
			values[handle] = x
			if handle != busy {
				done()
			} else {
				defer done()
			}
		}
		for range 5 {
			time.Sleep(30 * time.Second)
			_, done, err := s.Use(alice, used)
			if err != nil {
				t.Fatalf("a session that is in use: %v", err)
			}
			done()
		}
		synctest.Wait()
		if _, _, err := s.Use(alice, unused); !errors.Is(err, ErrNoSession) || values[unused].ended.Load() != 1 {
			t.Errorf("an idle session: %v, given up %d times", err, values[unused].ended.Load())
		}
		if _, done, err := s.Use(alice, busy); err != nil {
			t.Errorf("a session with a long call: %v", err)
		} else {
			done()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if values[used].ended.Load() != 1 || values[busy].ended.Load() != 0 {
			t.Errorf("in the end: %d and %d", values[used].ended.Load(), values[busy].ended.Load())
		}
	})
}

func TestASessionIsGivenUpAfterItsLastCall(t *testing.T) {
	for _, end := range []string{"End", "Close"} {
		t.Run(end, func(t *testing.T) {
			s := newThreads(Limits{SessionEach: 1})
			handle := mustOpen(t, s, alice)
			x, done, err := s.Use(alice, handle)
			if err != nil {
				t.Fatal(err)
			}
			if end == "End" {
				err = s.End(alice, handle)
			} else {
				s.Close()
			}
			if err != nil || x.ended.Load() != 0 {
				t.Errorf("while a call uses it: %v, given up %d times", err, x.ended.Load())
			}
			done()
			done()
			if n := x.ended.Load(); n != 1 {
				t.Errorf("after the call: given up %d times", n)
			}
			if end == "Close" {
				if _, err := s.Open(alice); !errors.Is(err, errStopping) {
					t.Errorf("a session after the end: %v", err)
				}
				return
			}
			mustOpen(t, s, alice)
			s.Close()
		})
	}
}

func TestSessionsFromManySides(t *testing.T) {
	var mu sync.Mutex
	open := map[*thread]bool{}
	s := NewSessions(Limits{Sessions: 8, SessionEach: 4}, func(p *Principal) (*thread, error) {
		x := &thread{principal: p.Name}
		mu.Lock()
		defer mu.Unlock()
		open[x] = true
		if len(open) > 8 {
			t.Errorf("%d sessions are open", len(open))
		}
		return x, nil
	}, func(x *thread) {
		mu.Lock()
		defer mu.Unlock()
		if !open[x] {
			t.Error("given up twice")
		}
		delete(open, x)
	})
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			p := &Principal{Name: fmt.Sprint("p", i%3)}
			for range 200 {
				handle, err := s.Open(p)
				if err != nil {
					continue
				}
				x, done, err := s.Use(p, handle)
				if err != nil || x.principal != p.Name {
					t.Errorf("got %v, %v", x, err)
					continue
				}
				order := []func(){done, func() { _ = s.End(p, handle) }}
				if i%2 == 0 {
					slices.Reverse(order)
				}
				order[0]()
				order[1]()
			}
		})
	}
	wg.Wait()
	s.Close()
	if len(open) != 0 {
		t.Errorf("%d sessions were never given up", len(open))
	}
}
