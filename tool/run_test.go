package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"paddock"
	"paddock/backend"
	"paddock/backend/disk"
	"paddock/policy"
)

// folder is a Guard that grants everything in a real folder.
func folder(t testing.TB, recorder paddock.Recorder) (g *paddock.Guard, base string, done func()) {
	t.Helper()
	base = t.TempDir()
	tree, err := disk.Open(base)
	if err != nil {
		t.Fatal(err)
	}
	g, err = paddock.New(paddock.Options{
		Context:  all(),
		Mounts:   map[string]backend.Backend{"root": tree},
		Recorder: recorder,
	})
	if err != nil {
		t.Fatal(err)
	}
	// Records of reads are kept after the answer; Close waits for them.
	closed := sync.OnceFunc(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(closed)
	return g, base, closed
}

func all() *policy.SecurityContext {
	every := policy.All
	return &policy.SecurityContext{Version: 1, Paths: []policy.PathEntry{{Slug: "root", Path: ".", AllowedPermission: &every}}}
}

// outcomes keeps how calls ended.
type outcomes struct {
	mu    sync.Mutex
	texts []string
}

func (o *outcomes) Record(_ context.Context, e paddock.Event) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if e.Step == paddock.StepOutcome {
		o.texts = append(o.texts, e.Error)
	}
	return nil
}

func TestPanicIsAnAnswer(t *testing.T) {
	kept := &outcomes{}
	g, base, done := folder(t, kept)
	broken := Tool{Name: "broken", Run: func(context.Context, *paddock.Call, json.RawMessage, Progress) (Result, error) {
		panic("at " + base)
	}}
	r := Run(context.Background(), g, broken, nil, nil)
	if !r.IsError || r.Text != "Error: the tool failed by a mistake of its own; the record has the details" {
		t.Errorf("the model is told %q", r.Text)
	}
	done()
	if len(kept.texts) != 1 || !strings.Contains(kept.texts[0], "panic: at "+base) || !strings.Contains(kept.texts[0], "run_test.go") {
		t.Errorf("the record has %q", kept.texts)
	}
}

func TestEveryCallIsEnded(t *testing.T) {
	kept := &outcomes{}
	g, _, done := folder(t, kept)
	Run(context.Background(), g, list(), json.RawMessage(`{}`), nil)
	Run(context.Background(), g, list(), json.RawMessage(`{"x":1}`), nil)
	Run(context.Background(), g, readFile(), json.RawMessage(`{"file_path":"/none"}`), nil)
	done()
	slices.Sort(kept.texts) // each call keeps its own order
	if len(kept.texts) != 3 || kept.texts[0] != "" || !strings.Contains(kept.texts[1], "'x' is not known") || !strings.Contains(kept.texts[2], "/none") {
		t.Errorf("the record has %q", kept.texts)
	}
}

func TestCancelled(t *testing.T) {
	g, base, _ := folder(t, nil)
	if err := os.WriteFile(filepath.Join(base, "a.txt"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, args := range map[string]string{
		"ls": `{}`, "read_file": `{"file_path":"/a.txt"}`, "write_file": `{"file_path":"/a.txt","content":"y"}`,
		"edit_file": `{"file_path":"/a.txt","old_string":"x","new_string":"y"}`, "glob": `{"pattern":"*"}`, "grep": `{"pattern":"x"}`, "delete": `{"path":"/a.txt"}`,
	} {
		for _, one := range Rules() {
			if one.Name != name {
				continue
			}
			if r := Run(ctx, g, one, json.RawMessage(args), nil); !r.IsError || r.Text != "Error: the call was cancelled" {
				t.Errorf("%s: %q", name, r.Text)
			}
		}
	}
	if content, err := os.ReadFile(filepath.Join(base, "a.txt")); err != nil || string(content) != "x\n" {
		t.Errorf("the file is %q, %v", content, err)
	}
}

// TestCancelledUnderWay cancels in the middle: by the progress that a walk of
// many names and a read of a big file report.
func TestCancelledUnderWay(t *testing.T) {
	g, base, _ := folder(t, nil)
	for i := range 3 {
		dir := filepath.Join(base, "d", string(rune('a'+i)))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range 700 {
			if err := os.WriteFile(filepath.Join(dir, "f"+string(rune('0'+j/100))+string(rune('0'+j/10%10))+string(rune('0'+j%10))), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(base, "big.txt"), bytes.Repeat([]byte("x\n"), 40<<20/2), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool Tool
		args string
	}{
		{globFiles(), `{"pattern":"*"}`},
		{grepFiles(), `{"pattern":"x","path":"/d"}`},
		{readFile(), `{"file_path":"/big.txt","offset":30000000}`},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		told, last := 0, 0.0
		r := Run(ctx, g, c.tool, json.RawMessage(c.args), func(done, total float64, note string) {
			if done < last || total != 0 && done > total || note == "" {
				t.Errorf("%s: %v of %v after %v, %q", c.tool.Name, done, total, last, note)
			}
			last = done
			told++
			cancel()
		})
		cancel()
		if !r.IsError || r.Text != "Error: the call was cancelled" || told == 0 {
			t.Errorf("%s: %q after %d reports", c.tool.Name, r.Text, told)
		}
	}
}

func TestTimeIsUp(t *testing.T) {
	g, base, _ := folder(t, nil)
	if err := os.WriteFile(filepath.Join(base, "a.txt"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := newWalk("*", &clock{limit: -1}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	c := g.Begin("glob", nil)
	defer c.End(nil)
	err = w.run(context.Background(), c, "/", func(*paddock.Visit) error {
		t.Error("a name is visited after the time")
		return nil
	})
	if notes := w.notes(); err != nil || !w.stopped || len(notes) != 1 || !strings.Contains(notes[0], "not complete") {
		t.Errorf("stopped %v, notes %q, %v", w.stopped, notes, err)
	}
	lines := newLineReader(context.Background(), watched(strings.NewReader("x\n"), 2, &clock{limit: -1}, nil))
	if _, err := readPage(lines, 0, 1); err == nil || !strings.Contains(err.Error(), "was stopped") {
		t.Errorf("a read after the time: %v", err)
	}
	// Within a file of a search the same.
	m, err := newMatcher("x", false, false)
	if err != nil {
		t.Fatal(err)
	}
	s := fileSearch{matcher: m, mode: modeFiles, limit: 1, stop: func() bool { return true }}
	if res := s.search(strings.NewReader("x\n")); !res.stopped || res.matches != 0 {
		t.Errorf("%+v", res)
	}
}

// stuck is a reader that gives nothing and has no end.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// failing gives some text and an error that names the host.
type failing struct{ text string }

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, errors.New("read /host/secret: broken")
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestBrokenReaders(t *testing.T) {
	if _, err := readPage(newLineReader(context.Background(), stuck{}), 0, 1); err == nil {
		t.Error("a reader that gives nothing is read")
	}
	_, err := readPage(newLineReader(context.Background(), &failing{"a\nb"}), 1, 5)
	if err = readFailed("/f", err); err == nil || strings.Contains(err.Error(), "host") {
		t.Errorf("got %v", err)
	}
	m, err := newMatcher("x", false, false)
	if err != nil {
		t.Fatal(err)
	}
	s := fileSearch{matcher: m, mode: modeFiles, limit: 1, stop: func() bool { return false }}
	if res := s.search(stuck{}); res.err == nil {
		t.Error("a reader that gives nothing is searched")
	}
	if res := s.search(&failing{"x"}); res.err == nil {
		t.Error("an error while reading is no error")
	}
}

// TestPanicInAWorker is an error of the call, and not the end of the process.
func TestPanicInAWorker(t *testing.T) {
	g, base, _ := folder(t, nil)
	if err := os.WriteFile(filepath.Join(base, "a.txt"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := newWalk("", &clock{limit: grepTime}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	c := g.Begin("grep", nil)
	defer c.End(nil)
	r := &report{room: newBudget(), limit: 1}
	p := newPool(t.Context(), make(chan struct{}, 1), r, fileSearch{mode: modeFiles, limit: 1}, func() bool { return false }) // no matcher
	err = w.run(t.Context(), c, "/", func(v *paddock.Visit) error { return p.visit(t.Context(), v) })
	p.close()
	var ours *bug
	if err != nil || !errors.As(r.failed, &ours) {
		t.Errorf("the walk ends with %v, the search with %v", err, r.failed)
	}
}
