package tool

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"

	"paddock"
)

// maxWorkers bounds how many files are searched at the same time.
const maxWorkers = 8

// maxSearches bounds how many calls search files at the same time: each worker
// holds megabytes, and an agent can make a thousand calls at once. The others
// wait for their turn, within their time.
const maxSearches = 8

// pool searches files on several processors while the walk goes on. They are
// judged by the walk alone, because a Call is not for many goroutines; their
// results reach the report in the order of the walk.
type pool struct {
	jobs    chan *job // to the workers
	order   chan *job // the same ones, to the reporter
	enough  atomic.Bool
	workers sync.WaitGroup
	once    sync.Once
	told    chan struct{} // closed when all is reported
	report  *report
	turns   chan struct{} // a token for each call that searches files
	turn    bool          // this one has its token
}

type job struct {
	open   func() (*paddock.File, error)
	path   string
	result chan fileResult
}

// newPool starts the workers; close ends them.
func newPool(ctx context.Context, turns chan struct{}, r *report, how fileSearch, late func() bool) *pool {
	n := min(max(runtime.GOMAXPROCS(0), 1), maxWorkers)
	p := &pool{jobs: make(chan *job, 4*n), order: make(chan *job, 4*n), told: make(chan struct{}), report: r, turns: turns}
	how.stop = func() bool { return p.enough.Load() || ctx.Err() != nil || late() }
	for range n {
		p.workers.Go(func() {
			s := how
			for j := range p.jobs {
				j.result <- s.guarded(j.open)
			}
		})
	}
	go p.tell()
	return p
}

// guarded opens a file, searches and closes it. A panic here would end the
// process: no caller of ours stands below this goroutine.
func (s *fileSearch) guarded(open func() (*paddock.File, error)) (res fileResult) {
	defer func() {
		if p := recover(); p != nil {
			res = fileResult{err: bugOf(p)}
		}
	}()
	f, err := open()
	if err != nil {
		return fileResult{unopened: err}
	}
	defer func() {
		if err := f.Close(); err != nil && res.err == nil {
			res.err = err
		}
	}()
	return s.search(f)
}

// visit hands on a file of the walk.
func (p *pool) visit(ctx context.Context, v *paddock.Visit) error {
	if p.enough.Load() {
		return fs.SkipAll
	}
	if v.Kind != paddock.KindFile || v.Locked {
		return nil
	}
	if !p.turn {
		select {
		case p.turns <- struct{}{}:
			p.turn = true
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	open, err := v.Later(ctx)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return p.unopened(err)
	}
	j := &job{open: open, path: v.Path, result: make(chan fileResult, 1)}
	p.order <- j
	p.jobs <- j
	return nil
}

// unopened counts a file that was not searched. One that is gone by now is
// none.
func (p *pool) unopened(err error) error {
	var denial *paddock.Denial
	switch {
	case errors.As(err, &denial):
		p.report.denied.Add(1)
	case errors.Is(err, fs.ErrNotExist):
	default:
		var path *paddock.PathError
		if !errors.As(err, &path) {
			return err
		}
		p.report.unread.Add(1)
	}
	return nil
}

// tell hands the results to the report, in order.
func (p *pool) tell() {
	defer close(p.told)
	for j := range p.order {
		res := <-j.result
		if res.unopened != nil {
			if p.report.capped || p.report.full {
				continue // it lies behind the end of the answer
			}
			if err := p.unopened(res.unopened); err != nil && p.report.failed == nil {
				p.report.failed = err
				p.enough.Store(true)
			}
			continue
		}
		if !p.report.take(j.path, res) {
			p.enough.Store(true)
		}
	}
}

// close waits until all is searched and reported. It may be called again.
func (p *pool) close() {
	p.once.Do(func() {
		close(p.jobs)
		close(p.order)
		p.workers.Wait()
		<-p.told
		if p.turn {
			<-p.turns
		}
	})
}
