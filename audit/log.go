package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"paddock"
)

// Options of a log. Zero values mean the defaults.
type Options struct {
	// SegmentSize is when a new file is begun, in bytes; 64 MiB by default.
	SegmentSize int64
}

const (
	defaultSegment = 64 << 20
	maxWaiting     = 4096 // events; more waits for the disk
)

// ErrBroken says that a log does not verify. Nothing is added to such a log:
// it is evidence.
var ErrBroken = errors.New("the audit log is broken")

// Log is an open log: a paddock.Recorder. It is safe for concurrent use, by
// several processes too.
type Log struct {
	dir     string
	segment int64

	waiting chan item
	done    chan struct{}
	closing sync.RWMutex
	closed  bool

	// Below: the writer's own.
	file *os.File
	seq  uint64
	prev string
	size int64 // of file, when we last looked
}

type item struct {
	event []byte
	done  chan<- error
}

// Open opens the log in a folder, which is made if need be, 0700. A log whose
// last record does not verify is ErrBroken; a record that was torn by a crash
// is cut off, and that is recorded.
func Open(dir string, o Options) (*Log, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the audit folder: %w", err)
	}
	l := &Log{dir: dir, segment: o.SegmentSize, waiting: make(chan item, maxWaiting), done: make(chan struct{})}
	if l.segment <= 0 {
		l.segment = defaultSegment
	}
	unlock, err := l.lock()
	if err != nil {
		return nil, err
	}
	unlock()
	go l.write()
	return l, nil
}

// Record returns when the event is on the disk. Events that come together
// share one fsync.
func (l *Log) Record(ctx context.Context, e paddock.Event) error {
	done := make(chan error, 1)
	if err := l.put(ctx, e, done); err != nil {
		return err
	}
	// It waits for the disk whatever ctx says: whether the record is there
	// decides whether the effect happens.
	return <-done
}

func (l *Log) put(ctx context.Context, e paddock.Event, done chan<- error) error {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("the audit event: %w", err)
	}
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return errors.New("the audit log is closed")
	}
	select {
	case l.waiting <- item{text, done}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what waits and lets go of the log.
func (l *Log) Close() error {
	l.closing.Lock()
	already := l.closed
	l.closed = true
	if !already {
		close(l.waiting)
	}
	l.closing.Unlock()
	<-l.done
	if already {
		return nil
	}
	return l.file.Close()
}

// write is the one goroutine that touches the file. It takes all that waits,
// writes it at once and syncs once.
func (l *Log) write() {
	defer close(l.done)
	for first := range l.waiting {
		batch := []item{first}
		for more := true; more && len(batch) < maxWaiting; {
			select {
			case next, ok := <-l.waiting:
				if more = ok; ok {
					batch = append(batch, next)
				}
			default:
				more = false
			}
		}
		err := l.commit(batch)
		for _, it := range batch {
			it.done <- err
		}
	}
}

// commit appends a batch under the lock that other processes heed too.
func (l *Log) commit(batch []item) error {
	unlock, err := l.lock()
	if err != nil {
		return err
	}
	defer unlock()
	events := make([][]byte, len(batch))
	for i := range batch {
		events[i] = batch[i].event
	}
	if err := l.append(events...); err != nil {
		return err
	}
	if l.size >= l.segment {
		return l.next()
	}
	return nil
}

func (l *Log) append(events ...[]byte) error {
	var lines []byte
	seq, prev := l.seq, l.prev
	for _, event := range events {
		seq++
		lines, prev = appendLine(lines, seq, prev, event)
	}
	n, err := l.file.Write(lines)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		// Half a batch must not stay: its effects will not happen.
		err = fmt.Errorf("the audit log: %w", err)
		if n > 0 {
			err = errors.Join(err, l.file.Truncate(l.size))
		}
		return err
	}
	l.seq, l.prev, l.size = seq, prev, l.size+int64(n)
	return nil
}

// next begins a new file. Its first record is linked to the last one of the
// file before.
func (l *Log) next() error {
	name := filepath.Join(l.dir, segmentName(segmentNumber(l.file.Name())+1))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("a new audit file: %w", err)
	}
	if err := errors.Join(syncDir(l.dir), l.file.Close()); err != nil {
		return errors.Join(err, f.Close())
	}
	l.file, l.size = f, 0
	return nil
}

// lock takes the log for this process and brings what we know of it up to
// date: another process may have added records, or begun a new file.
func (l *Log) lock() (unlock func(), err error) {
	release, err := lockFile(filepath.Join(l.dir, "lock"))
	if err != nil {
		return nil, fmt.Errorf("the lock of the audit log: %w", err)
	}
	if err := l.refresh(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (l *Log) refresh() error {
	all, err := segments(l.dir)
	if err != nil {
		return err
	}
	newest := filepath.Join(l.dir, segmentName(1))
	if len(all) > 0 {
		newest = all[len(all)-1]
	}
	if l.file == nil || l.file.Name() != newest {
		f, err := os.OpenFile(newest, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return fmt.Errorf("the audit log: %w", err)
		}
		if l.file != nil {
			_ = l.file.Close() // another process went on to the next file
		}
		l.file, l.size = f, -1
	}
	info, err := l.file.Stat()
	if err != nil || info.Size() == l.size {
		return err
	}
	return l.readEnd(all, info.Size())
}

// readEnd learns the last record of the log, and cuts a torn one off.
func (l *Log) readEnd(all []string, size int64) error {
	text, torn, err := lastLine(l.file, size)
	if err != nil {
		return fmt.Errorf("the audit log: %w", err)
	}
	if text == nil && len(all) > 1 {
		// The newest file has no record yet: the last one is in the file
		// before.
		if text, err = lastLineOf(all[len(all)-2]); err != nil {
			return err
		}
	}
	l.seq, l.prev, l.size = 0, "", size-torn
	if text != nil {
		r, err := parseLine(text)
		if err != nil {
			return fmt.Errorf("%w: the last record of %s: %w", ErrBroken, filepath.Base(l.file.Name()), err)
		}
		l.seq, l.prev = r.Seq, r.Hash
	}
	if torn == 0 {
		return nil
	}
	if err := l.file.Truncate(l.size); err != nil {
		return fmt.Errorf("the audit log: %w", err)
	}
	event, err := json.Marshal(paddock.Event{Time: time.Now(), Step: StepRecovered, Error: fmt.Sprintf("%d bytes of a record that was not written whole were cut off", torn)})
	if err != nil {
		return err
	}
	return l.append(event)
}

// StepRecovered is the step of the event that says what a crash left behind.
const StepRecovered paddock.Step = "recovered"

func lastLineOf(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the audit log: %w", err)
	}
	defer f.Close() // only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("the audit log: %w", err)
	}
	text, torn, err := lastLine(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("the audit log: %w", err)
	}
	if torn > 0 || text == nil {
		return nil, fmt.Errorf("%w: %s does not end with a whole record", ErrBroken, filepath.Base(file))
	}
	return text, nil
}
