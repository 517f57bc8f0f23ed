package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"paddock"
	"paddock/audit"
)

func open(t *testing.T, dir string, o audit.Options) *audit.Log {
	t.Helper()
	l, err := audit.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func event(n int) paddock.Event {
	return paddock.Event{Time: time.Unix(int64(n), 0).UTC(), Call: "c" + strconv.Itoa(n), Tool: "write_file", Step: paddock.StepEffect, Asked: "write /a"}
}

// fill makes a log of n records and closes it.
func fill(t *testing.T, dir string, n int, o audit.Options) {
	t.Helper()
	l := open(t, dir, o)
	for i := range n {
		if err := l.Record(context.Background(), event(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "audit-*.jsonl"))
	if err != nil || len(all) == 0 {
		t.Fatalf("files of the log: %v %v", all, err)
	}
	return all
}

func TestChainAcrossFilesAndOpenings(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		fill(t, dir, 20, audit.Options{SegmentSize: 2000})
	}
	if n := len(files(t, dir)); n < 3 {
		t.Errorf("60 records in files of 2000 bytes: %d files", n)
	}
	r, err := audit.Verify(dir, nil)
	if err != nil || r.Records != 60 || r.First != 1 || r.Head.Seq != 60 || r.Anchored {
		t.Errorf("%+v %v", r, err)
	}
	var calls []string
	err = audit.Each(dir, func(r audit.Record) error {
		calls = append(calls, r.Event.Call)
		return nil
	})
	if err != nil || len(calls) != 60 || calls[21] != "c1" {
		t.Errorf("%v %v", calls, err)
	}
}

func TestEveryChangedByteIsFound(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 4, audit.Options{})
	file := files(t, dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := audit.Verify(dir, nil)
		// The last newline makes the last record a torn one, which is said.
		if err == nil && r.Torn == 0 {
			t.Fatalf("byte %d (%q) was changed and nothing was found", i, whole[i])
		}
		if err != nil && !errors.Is(err, audit.ErrBroken) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

func TestRemovedAddedAndReorderedLines(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 5, audit.Options{})
	file := files(t, dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))[:5]
	join := func(order ...int) []byte {
		var out []byte
		for _, i := range order {
			out = append(out, lines[i]...)
		}
		return out
	}
	for name, text := range map[string][]byte{
		"a line removed": join(0, 1, 3, 4), "two swapped": join(0, 2, 1, 3, 4), "one twice": join(0, 1, 1, 2, 3, 4),
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := audit.Verify(dir, nil)
		var broken *audit.Broken
		if !errors.As(err, &broken) || broken.Line != 3 && name == "a line removed" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Lines cut off the end: only an anchor tells.
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := audit.Verify(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	anchor, err := audit.ParseAnchor(r.Head.String())
	if err != nil {
		t.Fatal(err)
	}
	if r, err = audit.Verify(dir, &anchor); err != nil || !r.Anchored {
		t.Errorf("with its own head as anchor: %+v %v", r, err)
	}
	if err := os.WriteFile(file, join(0, 1, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Verify(dir, nil); err != nil {
		t.Errorf("a shorter chain verifies by itself: %v", err)
	}
	if _, err := audit.Verify(dir, &anchor); !errors.Is(err, audit.ErrBroken) {
		t.Errorf("cut off before the anchor: %v", err)
	}
}

func TestCrashAtAnyByte(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, audit.Options{})
	file := files(t, dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(file, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		committed := uint64(bytes.Count(whole[:cut], []byte("\n")))
		r, err := audit.Verify(dir, nil)
		if err != nil || r.Records != committed {
			t.Fatalf("cut at %d: %+v %v, want %d records", cut, r, err, committed)
		}
		// The next start goes on after the last whole record.
		fill(t, dir, 1, audit.Options{})
		want := committed + 1
		if r.Torn > 0 {
			want++ // it says what it cut off
		}
		if r, err = audit.Verify(dir, nil); err != nil || r.Records != want || r.Torn != 0 {
			t.Fatalf("cut at %d, then opened: %+v %v, want %d records", cut, r, err, want)
		}
	}
}

func TestGroupCommitKeepsOrderAndAll(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, audit.Options{SegmentSize: 20_000})
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 25 {
				if err := l.Record(context.Background(), paddock.Event{Call: fmt.Sprint(w), Tool: strconv.Itoa(i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Record(context.Background(), event(0)); err == nil {
		t.Error("a closed log took a record")
	}
	next := map[string]int{}
	err := audit.Each(dir, func(r audit.Record) error {
		if r.Event.Tool != strconv.Itoa(next[r.Event.Call]) {
			return fmt.Errorf("writer %s: %s came when %d was due", r.Event.Call, r.Event.Tool, next[r.Event.Call])
		}
		next[r.Event.Call]++
		return nil
	})
	if err != nil || len(next) != 16 {
		t.Errorf("%v, %d writers", err, len(next))
	}
}

// TestManyProcesses lets several processes write one log and kills some of
// them at random: what was acknowledged is there, and the chain holds.
func TestManyProcesses(t *testing.T) {
	if dir := os.Getenv("AUDIT_TEST_WRITER"); dir != "" {
		writer(dir)
		return
	}
	dir := t.TempDir()
	random := rand.New(rand.NewSource(1))
	acknowledged := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for w := range 6 {
		name := "w" + strconv.Itoa(w)
		kill := w%2 == 0
		after := time.Duration(20+random.Intn(200)) * time.Millisecond
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestManyProcesses$")
			cmd.Env = append(os.Environ(), "AUDIT_TEST_WRITER="+dir, "AUDIT_TEST_NAME="+name)
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			if kill {
				time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
			}
			if err := cmd.Wait(); err != nil && !kill {
				t.Errorf("%s: %v\n%s", name, err, out.String())
			}
			mu.Lock()
			acknowledged[name] = strings.Count(out.String(), "ok\n")
			mu.Unlock()
		})
	}
	all.Wait()
	l := open(t, dir, audit.Options{}) // cuts a torn record off
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	if err := audit.Each(dir, func(r audit.Record) error { found[r.Event.Agent]++; return nil }); err != nil {
		t.Fatal(err)
	}
	for name, n := range acknowledged {
		if found[name] < n {
			t.Errorf("%s: %d records were acknowledged, %d are there", name, n, found[name])
		}
	}
	t.Logf("acknowledged %v, found %v", acknowledged, found)
}

func writer(dir string) {
	l, err := audit.Open(dir, audit.Options{SegmentSize: 8000})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := range 60 {
		if err := l.Record(context.Background(), paddock.Event{Agent: os.Getenv("AUDIT_TEST_NAME"), Call: strconv.Itoa(i)}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Print("ok\n")
	}
	_ = l.Close()
}

func TestBrokenLogIsNotAddedTo(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, audit.Options{})
	file := files(t, dir)[0]
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(whole, []byte("write_file"))
	whole[at] = 'W'
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Open(dir, audit.Options{}); !errors.Is(err, audit.ErrBroken) {
		t.Errorf("opening a log whose last record was changed: %v", err)
	}
}

func TestMissingFileIsFound(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 40, audit.Options{SegmentSize: 1500})
	all := files(t, dir)
	if len(all) < 4 {
		t.Fatalf("too few files: %v", all)
	}
	if err := os.Remove(all[1]); err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Verify(dir, nil); !errors.Is(err, audit.ErrBroken) {
		t.Errorf("a file in the middle is gone: %v", err)
	}
	// Old files may be taken away from the front; the report says where the
	// chain begins.
	if err := os.Remove(all[0]); err != nil {
		t.Fatal(err)
	}
	if r, err := audit.Verify(dir, nil); err != nil || r.First == 1 {
		t.Errorf("the oldest files are gone: %+v %v", r, err)
	}
}

func TestClosed(t *testing.T) {
	l := open(t, t.TempDir(), audit.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Record(ctx, event(1)); err == nil {
		t.Error("a record on a closed log")
	}
	if err := l.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func FuzzLine(f *testing.F) {
	dir := f.TempDir()
	l, err := audit.Open(dir, audit.Options{})
	if err != nil {
		f.Fatal(err)
	}
	if err := l.Record(context.Background(), event(1)); err != nil {
		f.Fatal(err)
	}
	if err := l.Close(); err != nil {
		f.Fatal(err)
	}
	all, _ := filepath.Glob(filepath.Join(dir, "audit-*"))
	text, err := os.ReadFile(all[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(all[0])), text, 0o600); err != nil {
			t.Fatal(err)
		}
		// Whatever verifies is made of whole JSON records.
		err := audit.Each(dir, func(r audit.Record) error {
			_, err := json.Marshal(r)
			return err
		})
		_ = err // broken or not: no panic, no endless loop
	})
}

func BenchmarkRecord(b *testing.B) {
	l, err := audit.Open(b.TempDir(), audit.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close() // the end of the benchmark
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			if err := l.Record(context.Background(), event(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("many", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := l.Record(context.Background(), event(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
