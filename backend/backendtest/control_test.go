package backendtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paddock/backend"
	"paddock/backend/backendtest"
)

// The control of the suite: each fault below is planted in a sound backend, and
// the suite has to find it, in the test that is there for it.

// faulty is a sound backend with some of its calls replaced.
type faulty struct {
	backend.Backend
	stat    func(ctx context.Context, name string) (backend.Info, error)
	readDir func(ctx context.Context, name string) ([]backend.Entry, error)
	write   func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error)
	remove  func(ctx context.Context, name string, judged backend.Info) error
	rename  func(ctx context.Context, from, to string, judged backend.Info, replace bool) error
}

func (f *faulty) Stat(ctx context.Context, name string) (backend.Info, error) {
	if f.stat != nil {
		return f.stat(ctx, name)
	}
	return f.Backend.Stat(ctx, name)
}

func (f *faulty) ReadDir(ctx context.Context, name string) ([]backend.Entry, error) {
	if f.readDir != nil {
		return f.readDir(ctx, name)
	}
	return f.Backend.ReadDir(ctx, name)
}

func (f *faulty) Write(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
	if f.write != nil {
		return f.write(ctx, name, r, o)
	}
	return f.Backend.Write(ctx, name, r, o)
}

func (f *faulty) Remove(ctx context.Context, name string, judged backend.Info) error {
	if f.remove != nil {
		return f.remove(ctx, name, judged)
	}
	return f.Backend.Remove(ctx, name, judged)
}

func (f *faulty) Rename(ctx context.Context, from, to string, judged backend.Info, replace bool) error {
	if f.rename != nil {
		return f.rename(ctx, from, to, judged, replace)
	}
	return f.Backend.Rename(ctx, from, to, judged, replace)
}

var faults = []struct {
	name   string
	caught string // the test of the suite that must fail
	plant  func(b backend.Backend, f *faulty)
}{
	{"ignores what was judged", "identity", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			o.Judged = nil
			return b.Write(ctx, name, r, o)
		}
	}},
	{"compares before it writes", "careful_writers", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			if info, err := b.Stat(ctx, name); o.Judged != nil && (err != nil || info != *o.Judged) {
				return backend.WriteResult{}, backend.ErrSwapped
			}
			runtime.Gosched()
			o.Judged = nil
			return b.Write(ctx, name, r, o)
		}
	}},
	{"looks before it creates", "creators", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			if _, err := b.Stat(ctx, name); err == nil && !o.Replace {
				return backend.WriteResult{}, fs.ErrExist
			}
			runtime.Gosched()
			created := o.Create && !o.Replace
			o.Replace = true
			res, err := b.Write(ctx, name, r, o)
			res.Created = res.Created || created
			return res, err
		}
	}},
	{"keeps half of a broken content", "failing_content", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			data, readErr := io.ReadAll(r)
			res, err := b.Write(ctx, name, bytes.NewReader(data), o)
			return res, errors.Join(err, readErr)
		}
	}},
	{"writes in pieces", "writers", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			data, err := io.ReadAll(r)
			if err != nil {
				return backend.WriteResult{}, err
			}
			if res, err := b.Write(ctx, name, bytes.NewReader(data[:len(data)/2]), o); err != nil {
				return res, err
			}
			runtime.Gosched()
			return b.Write(ctx, name, bytes.NewReader(data), backend.WriteOptions{Replace: true})
		}
	}},
	{"gives a replaced file a new mode", "kept_mode", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			if info, err := b.Stat(ctx, name); err == nil && o.Replace && o.Mode != 0 {
				if err := b.Remove(ctx, name, info); err != nil {
					return backend.WriteResult{}, err
				}
				o.Create = true
			}
			return b.Write(ctx, name, r, o)
		}
	}},
	{"cleans names", "impossible_names", func(b backend.Backend, f *faulty) {
		f.stat = func(ctx context.Context, name string) (backend.Info, error) { return b.Stat(ctx, path.Clean(name)) }
	}},
	{"ends a name at NUL", "impossible_names", func(b backend.Backend, f *faulty) {
		f.remove = func(ctx context.Context, name string, judged backend.Info) error {
			name, _, _ = strings.Cut(name, "\x00")
			return b.Remove(ctx, name, judged)
		}
	}},
	{"does not sort", "list", func(b backend.Backend, f *faulty) {
		f.readDir = func(ctx context.Context, name string) ([]backend.Entry, error) {
			entries, err := b.ReadDir(ctx, name)
			slices.Reverse(entries)
			return entries, err
		}
	}},
	{"removes whatever has the name", "identity", func(b backend.Backend, f *faulty) {
		f.remove = func(ctx context.Context, name string, judged backend.Info) error {
			if info, err := b.Stat(ctx, name); err == nil && name != "." {
				judged = info
			}
			return b.Remove(ctx, name, judged)
		}
	}},
	{"replaces without being told", "rename", func(b backend.Backend, f *faulty) {
		f.rename = func(ctx context.Context, from, to string, judged backend.Info, _ bool) error {
			return b.Rename(ctx, from, to, judged, true)
		}
	}},
	{"looks before it renames", "movers", func(b backend.Backend, f *faulty) {
		f.rename = func(ctx context.Context, from, to string, judged backend.Info, replace bool) error {
			if _, err := b.Stat(ctx, to); err == nil && !replace {
				return fs.ErrExist
			}
			runtime.Gosched() // a disk would take its time here
			return b.Rename(ctx, from, to, judged, true)
		}
	}},
	{"goes on after the end of its context", "canceled", func(b backend.Backend, f *faulty) {
		f.remove = func(_ context.Context, name string, judged backend.Info) error {
			return b.Remove(context.Background(), name, judged)
		}
	}},
	{"leaves a temporary file", "failing_content", func(b backend.Backend, f *faulty) {
		f.write = func(ctx context.Context, name string, r io.Reader, o backend.WriteOptions) (backend.WriteResult, error) {
			res, err := b.Write(ctx, name, r, o)
			if err != nil {
				b.Write(ctx, backend.TempPrefix+"x", strings.NewReader(""), backend.WriteOptions{Create: true})
			}
			return res, err
		}
	}},
}

const planted = "PADDOCK_TEST_FAULT"

// TestMain runs the suite on one faulty backend in a child.
func TestMain(m *testing.M) {
	for _, fault := range faults {
		if fault.name == os.Getenv(planted) {
			testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "Faulty", F: func(t *testing.T) {
				backendtest.Run(t, func(*testing.T) backend.Backend {
					b := backend.NewMemory(64 << 20)
					f := &faulty{Backend: b}
					fault.plant(b, f)
					return f
				}, backendtest.Options{})
			}}}, nil, nil)
		}
	}
	os.Exit(m.Run())
}

func TestSuiteFindsEachFault(t *testing.T) {
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			// A fault that needs two writers at once may hide for a while.
			var output []byte
			for range 30 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), planted+"="+fault.name)
				output, _ = cmd.CombinedOutput()
				if bytes.Contains(output, fmt.Appendf(nil, "--- FAIL: Faulty/%s ", fault.caught)) {
					return
				}
			}
			t.Errorf("the suite does not fail in %q:\n%s", fault.caught, output)
		})
	}
}
